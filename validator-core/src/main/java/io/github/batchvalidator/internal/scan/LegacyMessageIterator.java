// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.scan;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.BigEndian;
import io.github.batchvalidator.format.LegacyHeader;
import io.github.batchvalidator.format.LegacyLayout;
import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.codec.Scratch;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Reason;
import java.util.zip.CRC32;

/**
 * An iterator over the messages of magic 0 or 1 in a compressed message (Kafka's {@code
 * AbstractLegacyRecordBatch}, {@code DeepRecordsIterator}). For an uncompressed message, the only
 * item is the message itself. The accessors return fields of the current message.
 *
 * <p>A message that the stream cuts off is dropped, as in Kafka, even if its prefix is cut off.
 * Magic, codec, checksum and field sizes are reported, not checked.
 *
 * <p>If opened for contiguous messages, {@link #array()} contains all bytes of a message: the
 * window's array if possible, otherwise a scratch array. The scratch array grows only by bytes that
 * were read, in a compressed message up to {@link Limits#rebuiltBytes()}. Without that option, only
 * the bytes before the key are kept, and memory use is constant.
 *
 * <p>Reused for every batch. Allocates only to grow the scratch array. Never throws. Confined to
 * one thread.
 */
public final class LegacyMessageIterator extends RecordWalk {
  /** The size of the longest head in bytes: all fields before the key, without the prefix. */
  private static final int HEAD_BYTES =
      LegacyLayout.KEY_SIZE_OFFSET_V1 + Integer.BYTES - BatchLayout.LOG_OVERHEAD;

  /** The size of the smallest scratch array in bytes, whatever the limits are. */
  private static final int RESTING_BYTES = 1 << 10;

  private static final byte[] NOTHING = {};
  private static final long NO_TIMESTAMP = -1;

  private final CRC32 checksum = new CRC32();
  private final Scratch scratch = new Scratch(RESTING_BYTES);

  /** The scratch array since it last grew. */
  private byte[] gathered = NOTHING;

  private boolean compressed;
  private boolean contiguous;
  private long outerOffset;
  private byte outerMagic;
  private boolean outerIsLogAppendTime;
  private long outerTimestamp;
  private int mostMessages;
  private int mostBytes;
  private int mostContiguousBytes;

  private boolean ended;
  private byte[] array = NOTHING;
  private int at;
  private int size;
  private long offset;
  private int computedCrc;
  private long bytesRead;
  private long firstOffset;
  private boolean ascendsByOne;
  private boolean inOnePiece;
  private int passedValueSize;
  private long droppedBytes;

  public LegacyMessageIterator() {}

  /**
   * Starts at the first message in a compressed message, or at an uncompressed message.
   *
   * @param plain contains the messages with their prefixes: the decompressed value, or the
   *     uncompressed message; kept until {@link #clear}
   * @param outer the compressed message, or the uncompressed message itself; not kept
   * @param limits the limits for the size and number of messages
   * @param whole true if messages must be contiguous
   */
  public void open(ByteWindow plain, LegacyHeader outer, Limits limits, boolean whole) {
    begin(plain);
    compressed = outer.codecId() != 0;
    contiguous = whole;
    outerOffset = outer.offset();
    outerMagic = outer.magic();
    outerIsLogAppendTime = outer.isLogAppendTime();
    outerTimestamp = outer.timestamp();
    mostMessages = limits.records();
    mostBytes = compressed ? limits.recordBytes() : Limits.UNLIMITED;
    mostContiguousBytes =
        compressed ? Math.max(RESTING_BYTES, limits.rebuiltBytes()) : Limits.UNLIMITED;
    ended = false;
    size = 0;
    bytesRead = 0;
    firstOffset = 0;
    ascendsByOne = true;
    droppedBytes = 0;
  }

  /** Releases the window. Drops a large scratch array once many batches have not needed it. */
  public void clear() {
    releaseWindow();
    scratch.release();
    gathered = NOTHING;
    array = NOTHING;
  }

  /** {@return the heap bytes held between batches} */
  public long heapBytes() {
    return scratch.heapBytes();
  }

  /**
   * Moves to the next message.
   *
   * @return false after the last message and after a fault; only a fault sets {@link #failure()}
   */
  public boolean next() {
    if (ended || failure() != null) {
      return false;
    }
    long from = window.plainPosition();
    if (gather(0, BatchLayout.LOG_OVERHEAD) < BatchLayout.LOG_OVERHEAD) {
      return endFrom(from);
    }
    start = from;
    long messageOffset = BigEndian.getLong(gathered, LegacyLayout.OFFSET_OFFSET);
    size = BigEndian.getInt(gathered, BatchLayout.LENGTH_OFFSET);
    index++;
    if (size < LegacyLayout.MIN_MESSAGE_BYTES) {
      return fail(Reason.RECORD_SIZE_TOO_SMALL, size, 0);
    }
    if (size > mostBytes) {
      return fail(Reason.LIMIT_RECORD_BYTES, size, mostBytes);
    }
    if (!readMessage()) {
      index -= failure() == null ? 1 : 0;
      return endFrom(from);
    }
    noteOffset(messageOffset);
    return index < mostMessages || fail(Reason.LIMIT_RECORDS, index + 1L, mostMessages);
  }

  /** Ends the walk and drops the bytes from {@code position} on. */
  private boolean endFrom(long position) {
    ended = true;
    droppedBytes = window.plainPosition() - position;
    return false;
  }

  private boolean readMessage() {
    checksum.reset();
    window.expect(size);
    if (window.refill() && window.available() >= size) {
      array = window.array();
      at = window.position();
      window.position(at + size);
      sum(array, at + Integer.BYTES, size - Integer.BYTES);
      inOnePiece = true;
      return true;
    }
    inOnePiece = contiguous;
    int head = contiguous ? size : Math.min(size, HEAD_BYTES);
    if (gather(0, head) < head) {
      return false;
    }
    array = gathered;
    at = 0;
    sum(array, Integer.BYTES, head - Integer.BYTES);
    return contiguous || passFields(head);
  }

  /** Skips the fields after the head, but keeps the size of the value. */
  private boolean passFields(int head) {
    long valueSizeAt = hasKeySize() ? keySizeEnd() + Math.max(keySize(), 0L) : size;
    if (valueSizeAt + Integer.BYTES > size) {
      return pass(size - head);
    }
    int key = Math.max(0, (int) valueSizeAt - head);
    int rest = Math.max(0, (int) valueSizeAt + Integer.BYTES - head - key);
    if (!pass(key) || gather(head, rest) < rest) {
      return false;
    }
    array = gathered;
    sum(array, head, rest);
    passedValueSize = BigEndian.getInt(array, Math.min((int) valueSizeAt, head));
    return pass(size - head - key - rest);
  }

  /** Adds bytes to the message's checksum, which is used only in compressed messages. */
  private void sum(byte[] bytes, int from, int count) {
    if (compressed) {
      checksum.update(bytes, from, count);
    }
  }

  /** Skips bytes of the window and adds them to the checksum; false if there are too few. */
  private boolean pass(int count) {
    int rest = count;
    while (rest > 0 && window.refill()) {
      int step = Math.min(rest, window.available());
      sum(window.array(), window.position(), step);
      window.position(window.position() + step);
      rest -= step;
    }
    return rest == 0;
  }

  /** Moves bytes of the window to the scratch array; returns how many. */
  private int gather(int from, int count) {
    int done = 0;
    while (done < count && window.refill()) {
      int step = Math.min(count - done, window.available());
      if (!makeRoom(from + done, step)) {
        return done;
      }
      System.arraycopy(window.array(), window.position(), gathered, from + done, step);
      window.position(window.position() + step);
      done += step;
    }
    return done;
  }

  private boolean makeRoom(int used, int more) {
    long need = (long) used + more;
    if (need > mostContiguousBytes) {
      return fail(Reason.LIMIT_RECORD_BYTES, size, mostContiguousBytes);
    }
    try {
      gathered = scratch.grow((int) need, used, mostContiguousBytes);
      return true;
    } catch (OutOfMemoryError e) {
      return fail(Reason.LIMIT_RECORD_BYTES, size, scratch.heapBytes());
    }
  }

  private void noteOffset(long messageOffset) {
    bytesRead += (long) BatchLayout.LOG_OVERHEAD + size;
    offset = messageOffset;
    if (index == 0) {
      firstOffset = messageOffset;
    }
    ascendsByOne &= messageOffset == firstOffset + index;
    computedCrc = (int) checksum.getValue();
  }

  /**
   * Checks the rules that need all messages. Called after the last message.
   *
   * @return false after a fault, now or earlier
   */
  public boolean finish() {
    if (failure() != null) {
      return false;
    }
    if (index < 0) {
      return fail(Reason.PAYLOAD_EMPTY, 0, 0);
    }
    if (compressed
        && outerMagic == LegacyLayout.MAGIC_V1
        && outerOffset != 0
        && outerOffset < offset) {
      return fail(Reason.PAYLOAD_OFFSET_BEYOND_BATCH, offset, outerOffset);
    }
    return true;
  }

  /**
   * {@return the number to add to {@link #offset()} for the absolute offset} In compressed messages
   * of magic 1, offsets are relative. Known after the last message.
   */
  public long baseOffset() {
    boolean relative = compressed && outerMagic == LegacyLayout.MAGIC_V1 && outerOffset != 0;
    return relative ? outerOffset - offset : 0;
  }

  /** {@return true if the absolute offsets are 0, 1, 2, ...} Known after the last message. */
  public boolean offsetsAreSequential() {
    return ascendsByOne && baseOffset() + firstOffset == 0;
  }

  /** {@return the bytes of all messages so far, prefixes included} */
  public long bytesRead() {
    return bytesRead;
  }

  /** {@return the number of bytes after the last complete message} Known after the last message. */
  public long droppedBytes() {
    return droppedBytes;
  }

  // ---- the current message

  /** {@return the stored offset, which may be relative to {@link #baseOffset()}} */
  public long offset() {
    return offset;
  }

  /** {@return the size of the message in bytes without the prefix, at least 14} */
  public int size() {
    return size;
  }

  /** {@return the array that contains the message, valid until the next message; see the class} */
  public byte[] array() {
    return array;
  }

  /** {@return the magic, which may be any byte} */
  public byte magic() {
    return array[field(LegacyLayout.MAGIC_OFFSET)];
  }

  /** {@return all 8 attribute bits} */
  public byte attributes() {
    return array[field(LegacyLayout.ATTRIBUTES_OFFSET)];
  }

  /** {@return the codec id, 0 to 7} */
  public int codecId() {
    return attributes() & BatchLayout.CODEC_MASK;
  }

  /** {@return the stored CRC-32} */
  public int crc() {
    return BigEndian.getInt(array, at);
  }

  /** {@return the CRC-32 of the bytes, computed in compressed messages only} */
  public int computedCrc() {
    return computedCrc;
  }

  /**
   * {@return the timestamp in milliseconds since the epoch, -1 for none} If the outer message has
   * log append time, its timestamp applies.
   */
  public long timestamp() {
    if (magic() == LegacyLayout.MAGIC_V0) {
      return NO_TIMESTAMP;
    }
    return outerIsLogAppendTime
        ? outerTimestamp
        : BigEndian.getLong(array, field(LegacyLayout.TIMESTAMP_OFFSET));
  }

  /** {@return true if the message contains its key size; short messages of magic 1 do not} */
  public boolean hasKeySize() {
    return keySizeEnd() <= size;
  }

  /** {@return the smallest message size in bytes for {@link #hasKeySize()}} */
  public int keySizeEnd() {
    return LegacyLayout.keySizeOffset(magic()) + Integer.BYTES - BatchLayout.LOG_OVERHEAD;
  }

  /** {@return the size of the key in bytes, negative for null} See {@link #hasKeySize()}. */
  public int keySize() {
    return BigEndian.getInt(array, field(LegacyLayout.keySizeOffset(magic())));
  }

  /** {@return the index in {@link #array()} of the first byte of the key} */
  public int keyPosition() {
    return at + keySizeEnd();
  }

  /**
   * {@return the size in bytes that the message needs to contain its key and value} A size field
   * beyond the end of the message is not read. The fields of a contiguous message are readable only
   * if the result is at most {@link #size()}.
   */
  public long fieldsEnd() {
    long end = keySizeEnd();
    if (end > size) {
      return end;
    }
    end += Math.max(keySize(), 0L) + Integer.BYTES;
    return end > size ? end : end + Math.max(valueSize(), 0L);
  }

  /** {@return the size of the value in bytes, negative for null} See {@link #fieldsEnd()}. */
  public int valueSize() {
    return inOnePiece ? BigEndian.getInt(array, valuePosition() - Integer.BYTES) : passedValueSize;
  }

  /** {@return the index in {@link #array()} of the first byte of the value} */
  public int valuePosition() {
    return keyPosition() + Math.max(keySize(), 0) + Integer.BYTES;
  }

  private int field(int fromPrefix) {
    return at + fromPrefix - BatchLayout.LOG_OVERHEAD;
  }
}
