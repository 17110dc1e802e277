// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.scan;

import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.codec.Scratch;
import io.github.batchvalidator.internal.format.BatchLayout;
import io.github.batchvalidator.internal.format.BigEndian;
import io.github.batchvalidator.internal.format.LegacyHeader;
import io.github.batchvalidator.internal.format.LegacyLayout;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Reason;
import java.util.zip.CRC32;

/**
 * Walks the messages of magic 0 or 1 in a compressed one (Kafka's {@code
 * AbstractLegacyRecordBatch}, {@code DeepRecordsIterator}), or the one message that is not
 * compressed. Its fields are the current message.
 *
 * <p>As in Kafka a message that the stream ends in is dropped, and so are fewer bytes than a prefix
 * has. Magic, codec, checksum and field sizes of a message are told, not judged.
 *
 * <p>Opened for contiguous messages, each lies as a whole in {@link #array()}: in the window if it
 * does there, else in a scratch that grows by bytes that are there, of a compressed message up to
 * {@link Limits#rebuiltBytes()}. Otherwise only what comes before the key is kept, and memory is
 * constant.
 *
 * <p>Re-used for every batch; apart from that scratch never allocates. Never throws. Confined to
 * one thread.
 */
public final class LegacyMessageIterator extends RecordWalk {
  /** What every message is looked at for: all in front of the key, without the prefix. */
  private static final int HEAD_BYTES =
      LegacyLayout.KEY_SIZE_OFFSET_V1 + Integer.BYTES - BatchLayout.LOG_OVERHEAD;

  /** The least scratch, whatever the limits are. */
  private static final int RESTING_BYTES = 1 << 10;

  private static final byte[] NOTHING = {};
  private static final long NO_TIMESTAMP = -1;

  private final CRC32 checksum = new CRC32();
  private final Scratch scratch = new Scratch(RESTING_BYTES);

  /** What lies in the scratch, as it was when it last grew. */
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

  /** Creates an iterator over nothing. */
  public LegacyMessageIterator() {}

  /**
   * Starts on the messages in a compressed one, or on a message that is not compressed.
   *
   * @param plain holds the messages with their prefixes: the decompressed value, or the message
   *     itself; kept until {@link #clear}
   * @param outer the compressed message, or the message itself; not kept
   * @param limits what a message may take, and how many there may be
   * @param whole true if messages are to be contiguous
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

  /** Lets go of the window, and of scratch memory that only rare messages needed. */
  public void clear() {
    letGo();
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
   * @return false behind the last one and after a fault; {@link #failure()} tells them apart
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

  /** Ends behind the last message that is all there. */
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

  /** Moves past what is behind the head, and keeps the size of the value on the way. */
  private boolean passFields(int head) {
    long valueSizeAt = hasKeySize() ? keySizeEnd() + Math.max(keySize(), 0L) : size;
    if (valueSizeAt + Integer.BYTES > size) {
      return pass(size - head);
    }
    int key = Math.max(0, (int) valueSizeAt - head);
    int behind = Math.max(0, (int) valueSizeAt + Integer.BYTES - head - key);
    if (!pass(key) || gather(head, behind) < behind) {
      return false;
    }
    array = gathered;
    sum(array, head, behind);
    passedValueSize = BigEndian.getInt(array, Math.min((int) valueSizeAt, head));
    return pass(size - head - key - behind);
  }

  /** Sums up bytes of the current message; of one that is not compressed nobody asks. */
  private void sum(byte[] bytes, int from, int count) {
    if (compressed) {
      checksum.update(bytes, from, count);
    }
  }

  /** Sums up bytes of the window and moves past them; false if there are not as many. */
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

  /** Moves bytes of the window into the scratch; returns how many there were. */
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
   * Checks what only all messages together tell, behind the last one.
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
   * {@return what to add to {@link #offset()} to get the absolute offset: in compressed messages of
   * magic 1 offsets are relative} Known behind the last message.
   */
  public long baseOffset() {
    boolean relative = compressed && outerMagic == LegacyLayout.MAGIC_V1 && outerOffset != 0;
    return relative ? outerOffset - offset : 0;
  }

  /** {@return true if the absolute offsets are 0, 1, 2, ...} Known behind the last message. */
  public boolean offsetsAreSequential() {
    return ascendsByOne && baseOffset() + firstOffset == 0;
  }

  /** {@return the bytes of all messages so far, prefixes included} */
  public long bytesRead() {
    return bytesRead;
  }

  /** {@return the bytes behind the last message, too few for another one} Known behind it. */
  public long droppedBytes() {
    return droppedBytes;
  }

  // ---- the current message

  /** {@return its offset as it is stored, which may be relative to {@link #baseOffset()}} */
  public long offset() {
    return offset;
  }

  /** {@return its size in bytes, prefix not included, at least 14} */
  public int size() {
    return size;
  }

  /** {@return the array that it lies in, valid until the next one; see the class} */
  public byte[] array() {
    return array;
  }

  /** {@return the index in {@link #array()} of its first byte, that of the CRC} */
  public int position() {
    return at;
  }

  /** {@return its magic, which may be any byte} */
  public byte magic() {
    return array[field(LegacyLayout.MAGIC_OFFSET)];
  }

  /** {@return all 8 attribute bits} */
  public byte attributes() {
    return array[field(LegacyLayout.ATTRIBUTES_OFFSET)];
  }

  /** {@return the codec's id, 0 to 7} */
  public int codecId() {
    return attributes() & BatchLayout.CODEC_MASK;
  }

  /** {@return the stored CRC-32} */
  public int crc() {
    return BigEndian.getInt(array, at);
  }

  /** {@return the CRC-32 of its bytes; computed in compressed messages only} */
  public int computedCrc() {
    return computedCrc;
  }

  /**
   * {@return its timestamp in milliseconds since the epoch, -1 if there is none; that of the outer
   * message if the broker set it}
   */
  public long timestamp() {
    if (magic() == LegacyLayout.MAGIC_V0) {
      return NO_TIMESTAMP;
    }
    return outerIsLogAppendTime
        ? outerTimestamp
        : BigEndian.getLong(array, field(LegacyLayout.TIMESTAMP_OFFSET));
  }

  /** {@return true if the size of its key lies in it; in short messages of magic 1 it does not} */
  public boolean hasKeySize() {
    return keySizeEnd() <= size;
  }

  /** {@return where it has to end, in bytes from its first one, for {@link #hasKeySize()}} */
  public int keySizeEnd() {
    return LegacyLayout.keySizeOffset(magic()) + Integer.BYTES - BatchLayout.LOG_OVERHEAD;
  }

  /** {@return the size of its key in bytes, negative if it has none} See {@link #hasKeySize()}. */
  public int keySize() {
    return BigEndian.getInt(array, field(LegacyLayout.keySizeOffset(magic())));
  }

  /** {@return the index in {@link #array()} of the first byte of its key} */
  public int keyPosition() {
    return at + keySizeEnd();
  }

  /**
   * {@return where it has to end, in bytes from its first one, for key and value to lie in it; the
   * sizes are believed as far as they lie in it themselves} A contiguous message whose fields end
   * at most at {@link #size()} can be asked for them.
   */
  public long fieldsEnd() {
    long end = keySizeEnd();
    if (end > size) {
      return end;
    }
    end += Math.max(keySize(), 0L) + Integer.BYTES;
    return end > size ? end : end + Math.max(valueSize(), 0L);
  }

  /** {@return the size of its value in bytes, negative if it has none} See {@link #fieldsEnd()}. */
  public int valueSize() {
    return inOnePiece ? BigEndian.getInt(array, valuePosition() - Integer.BYTES) : passedValueSize;
  }

  /** {@return the index in {@link #array()} of the first byte of its value} */
  public int valuePosition() {
    return keyPosition() + Math.max(keySize(), 0) + Integer.BYTES;
  }

  private int field(int fromPrefix) {
    return at + fromPrefix - BatchLayout.LOG_OVERHEAD;
  }
}
