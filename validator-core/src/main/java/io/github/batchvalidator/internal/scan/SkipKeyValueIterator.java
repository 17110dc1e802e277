// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.scan;

import io.github.batchvalidator.format.RecordLayout;
import io.github.batchvalidator.format.ShortVarint;
import io.github.batchvalidator.internal.codec.ArraylessBytes;
import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Reason;
import org.jspecify.annotations.Nullable;

/**
 * An iterator over the records of a batch of magic 2. It skips keys, values and headers but keeps
 * their sizes (KAFKA-8106, Kafka's {@code DefaultRecordBatch} and {@code PartialDefaultRecord}).
 *
 * <p>A record of an uncompressed batch must fill exactly its declared length. Kafka does not verify
 * the length in compressed batches, and neither does this iterator: the next record starts where
 * the fields end.
 *
 * <p>Reused for every batch. Never allocates, never throws. Confined to one thread.
 */
public final class SkipKeyValueIterator extends AnyRecordWalk {
  /** The bytes that must be readable to read the head of a record in words of eight bytes. */
  private static final int SHORT_HEAD_BYTES = ShortVarint.MAX_BYTES + ByteWindow.PEEK_BYTES;

  /** The size from which reading a record outside of the window is cheaper than copying it. */
  private static final int LARGE_BYTES = 512;

  /** Sentinel: less than any position in a stream. */
  private static final long NOWHERE = -1;

  private ArraylessBytes arrayless = ArraylessBytes.NONE;

  /** The first seven bytes of the record that starts at {@link #aheadStart}. */
  private long ahead;

  private long aheadStart;

  /** The index in the window after a record whose head was read. */
  private int end;

  private long undeclaredBytes;
  private long consumedBytes;

  public SkipKeyValueIterator() {}

  @Override
  void start(ByteWindow plain, int count, Limits limits) {
    begin(plain, count, limits);
    plain.skim();
    aheadStart = NOWHERE;
    ArraylessBytes bytes = plain.arrayless();
    if (arrayless != bytes) { // writing a reference costs more than comparing it
      arrayless = bytes;
    }
    undeclaredBytes = 0;
    encoding.ignore();
    if (content != null) { // an error has interrupted the last walk
      content = null;
    }
  }

  /**
   * Moves to the next record.
   *
   * @return false after the last declared record and after a fault; only a fault sets {@link
   *     #failure()}
   */
  public boolean next() {
    // Repeats advance(): a call would cost a tenth of the time of a record without headers.
    if (index + 1 >= recordCount || own.isSet()) {
      return false;
    }
    index++;
    start = window.plainPosition();
    return nextShort(false, null) || nextArrayless(false) || nextAny();
  }

  /**
   * Moves to the next record and keeps its {@link #encoding()}. A record that Kafka would write
   * differently is read a second time, number by number.
   *
   * @param visible filled with what is visible of the record, or null
   * @return false after the last declared record and after a fault
   */
  public boolean nextStrict(@Nullable RecordContent visible) {
    if (!advance()) {
      return false;
    }
    if (nextShort(true, visible) || (visible == null && nextArrayless(true))) {
      encoding.regular();
      return true;
    }
    encoding.begin(window);
    boolean isRead = visible == null ? nextAny() : readAnyContent(visible);
    encoding.end(window, consumedBytes, Math.min(keySize, valueSize));
    return isRead;
  }

  /**
   * Moves to the next record, which {@link #readShortHead} and {@link #readShortTail} or {@link
   * #readAnyContent} then read.
   *
   * <p>Separate steps, because the loop over the records has to contain them. One method for all of
   * them is larger than what the JIT inlines once it has compiled that method, and then each record
   * costs a sixth more.
   *
   * @return false after the last declared record and after a fault
   */
  public boolean advance() {
    if (index + 1 >= recordCount || own.isSet()) {
      return false;
    }
    index++;
    start = window.plainPosition();
    return true;
  }

  /**
   * Reads the record that {@link #advance} moved to, whatever it is, and takes its content.
   *
   * @param visible filled with what is visible of the record
   * @return false after a fault
   */
  public boolean readAnyContent(RecordContent visible) {
    visible.startPieces();
    content = visible;
    boolean isRead = nextAny();
    content = null;
    return isRead;
  }

  /**
   * Reads a record that is completely in the window, has short numbers and fills its declared
   * length, as nearly all records do. For any other record, consumes nothing; {@link
   * #nextArrayless} or {@link #nextAny} then set all fields again.
   *
   * <p>Loads eight bytes twice: at the length, and after it. The second word contains attributes,
   * timestamp delta, offset delta and key size if both deltas are short and the key size has one
   * byte. The start of the next record depends only on the length, so the processor can overlap
   * records. Each field is stored as soon as it is known: with fewer live variables, the compiled
   * loop keeps them in registers, and {@link #next} stays below the JIT's limit for inlining.
   *
   * @param regular true to leave records that Kafka would write differently to {@link #nextAny},
   *     too; a constant after inlining
   * @param visible takes the content of the record, or null
   */
  private boolean nextShort(boolean regular, @Nullable RecordContent visible) {
    return readShortTail(readShortHead(regular), regular, visible);
  }

  /**
   * Reads the head of the record that {@link #advance} moved to, if all of the record is in the
   * window and has short numbers.
   *
   * @param regular true if a record that Kafka would write differently is not read
   * @return the index of the key in the window, or {@link #NOT_SHORT}
   */
  public int readShortHead(boolean regular) {
    byte[] bytes = window.array();
    int at = window.position();
    int limit = window.limit();
    if (limit - at < SHORT_HEAD_BYTES) {
      return NOT_SHORT;
    }
    long word = ByteWindow.peek(bytes, at);
    int length = ShortVarint.length(word);
    if (length > ShortVarint.MAX_BYTES) {
      return NOT_SHORT;
    }
    int size = ShortVarint.decode(word, length);
    at += length;
    if (size > limit - at || size > mostBytes || ShortVarint.isOverlong(size, length)) {
      return NOT_SHORT;
    }
    bodySize = size;
    end = at + size;
    int numbers = readShortHead(ByteWindow.peek(bytes, at), regular);
    return numbers == NOT_SHORT ? NOT_SHORT : at + HEAD_FIXED_BYTES + numbers;
  }

  /**
   * Reads the rest of a record whose head was read.
   *
   * @param keyAt the result of {@link #readShortHead}
   * @param regular as for the head
   * @param visible takes the content of the record, or null
   * @return false if the record has to be read by {@link #readAnyContent}
   */
  public boolean readShortTail(int keyAt, boolean regular, @Nullable RecordContent visible) {
    if (keyAt == NOT_SHORT) {
      return false;
    }
    byte[] bytes = window.array();
    if (visible != null) {
      visible.start(bytes, keyAt);
    }
    if (!nextShortTail(bytes, keyAt + Math.max(keySize, 0), end, regular, visible)) {
      return false;
    }
    window.position(end);
    return true;
  }

  /**
   * Reads head, value length and last byte of a large record without headers outside of the window.
   * The record must be complete and otherwise qualify for {@link #nextShort}. A small record is
   * copied first if the window is empty. Separate from the short form, because that needs an array,
   * and the copy would take longer than the three words that are read here.
   *
   * <p>The word with the last byte also contains the length of the next record. Loading it before
   * the head lets the processor wait for both records at once.
   */
  private boolean nextArrayless(boolean regular) {
    ArraylessBytes bytes = arrayless;
    int left = bytes.left();
    if (left < LARGE_BYTES) {
      return false;
    }
    int at = -window.available();
    long word = start == aheadStart ? ahead : bytes.peek(at);
    int length = ShortVarint.length(word);
    int size = ShortVarint.decode(word, length);
    if (length > ShortVarint.MAX_BYTES || size < LARGE_BYTES) {
      return at == 0 && window.refill() && nextShort(regular, null);
    }
    if (size > left - at - length
        || size <= -at
        || size > mostBytes
        || ShortVarint.isOverlong(size, length)) {
      return false;
    }
    bodySize = size;
    at += length;
    int end = at + size;
    byte last = lastByte(bytes, end, start + length + size);
    int numbers = readShortHead(bytes.peek(at), regular);
    if (numbers == NOT_SHORT) {
      return false;
    }
    // In bounds: with a key size of one byte, head and key are shorter than a large record.
    int valueAt = at + HEAD_FIXED_BYTES + numbers + Math.max(keySize, 0);
    word = bytes.peek(valueAt);
    length = ShortVarint.length(word);
    valueSize = ShortVarint.decode(word, length);
    headerCount = 0;
    return length <= ShortVarint.MAX_BYTES
        && valueAt + length + valueSize == end - 1
        && !ShortVarint.isOverlong(valueSize, length)
        && last == 0
        && window.passArrayless(bytes, end);
  }

  /** Reads the last byte of a record and, if it exists, the start of the next record. */
  private byte lastByte(ArraylessBytes bytes, int end, long nextStart) {
    if (bytes.left() - end < ByteWindow.PEEK_BYTES) {
      return (byte) (bytes.peek(end - ByteWindow.PEEK_BYTES) >>> (Long.SIZE - Byte.SIZE));
    }
    long word = bytes.peek(end - 1);
    ahead = word >>> Byte.SIZE;
    aheadStart = nextStart;
    return (byte) word;
  }

  /** Reads any record, byte by byte and across refills of the window. */
  private boolean nextAny() {
    if (!readLength()) {
      return false;
    }
    long bodyAt = window.plainPosition();
    if (bodySize > plainBytes - bodyAt) { // Kafka continues after a negative length
      return fail(Reason.RECORD_LENGTH_INVALID, bodySize, plainBytes - bodyAt);
    }
    if (bodySize > mostBytes || (bodySize < 0 && isLimited())) {
      return fail(Reason.LIMIT_RECORD_BYTES, bodySize, mostBytes);
    }
    if (announcing) {
      window.expect(bodySize);
    }
    if (!readFields(window, plainBytes, farthest(bodyAt, mostBytes)) || window.failure() != null) {
      return failWithin();
    }
    long consumed = window.plainPosition() - bodyAt;
    consumedBytes = consumed;
    if (isStored() && consumed != bodySize) {
      return fail(Reason.RECORD_LENGTH_MISMATCH, bodySize, consumed);
    }
    if (isLimited() && consumed > mostBytes) {
      return fail(Reason.LIMIT_RECORD_BYTES, consumed, mostBytes);
    }
    undeclaredBytes +=
        window.plainPosition() - start - bodySize - RecordLayout.sizeOfVarint(bodySize);
    return true;
  }

  /** Adds sizes to a fault of the window. Kafka treats a missing lz4 checksum as the end. */
  private boolean failWithin() {
    Reason why = window.failure();
    if (why == Reason.RECORD_VARINT_TOO_LONG) {
      return fail(why, window.plainPosition() - start, 0);
    }
    long missing = window.fault().first();
    return (why == Reason.RECORD_TRUNCATED || why == Reason.CODEC_CHECKSUM_MISSING)
        && fail(Reason.RECORD_TRUNCATED, bodySize, missing == 0 ? 0 : missing + spared);
  }

  private boolean isLimited() {
    return mostBytes != Limits.UNLIMITED;
  }

  /**
   * {@return the sum of the declared lengths and of their length fields in the shortest form} Valid
   * before {@link #finish()}.
   */
  public long declaredBytes() {
    return window.plainPosition() - undeclaredBytes;
  }

  // ---- the current record

  /** {@return the encoding of the record, valid after {@link #nextStrict}} */
  public RecordEncoding encoding() {
    return encoding;
  }
}
