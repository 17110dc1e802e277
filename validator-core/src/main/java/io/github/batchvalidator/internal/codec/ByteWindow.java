// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import io.github.batchvalidator.format.RecordLayout;
import io.github.batchvalidator.format.ShortVarint;
import io.github.batchvalidator.internal.fault.Fault;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * A window over the plain bytes of a batch, and the only reader of the varints of records.
 *
 * <p>A {@link Decoder} exposes a range of an array. At the end of the range, {@link #refill} asks
 * for the next one. After the first fault, reads return 0, skips do nothing, and {@link #failure()}
 * returns the reason. A caller can therefore read a whole record and check for a fault once.
 *
 * <p>Reused for every batch. Never allocates, never throws. Confined to one thread.
 */
public final class ByteWindow {
  /** Number of bytes that {@link #peek} reads. */
  public static final int PEEK_BYTES = Long.BYTES;

  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Per instance, not static: a reference within one heap region needs no GC write barrier. */
  private final byte[] nothing = {};

  private byte[] array = nothing;
  private int position;
  private int limit;
  private boolean shortest = true;

  /** Kept after a batch, because the next batch nearly always has the same decoder. */
  private @Nullable Decoder source;

  private boolean connected;
  private boolean skimmed;
  private boolean ended;
  private boolean cut;
  private long maxPlainBytes;
  private boolean limitedByRatio;
  private long produced;
  private long expectedEnd;
  private final Fault fault = new Fault();
  private int inputPosition;

  public ByteWindow() {}

  /**
   * Empties the window and connects it to a stream of plain bytes.
   *
   * @param decoder the open decoder that supplies the bytes
   * @param plainBytesLimit the maximum number of plain bytes; the first byte beyond it is a fault
   */
  public void connect(Decoder decoder, long plainBytesLimit) {
    connect(decoder, plainBytesLimit, Long.MAX_VALUE);
  }

  /**
   * Connects as {@link #connect(Decoder, long)} does, with a second limit for the compression
   * ratio.
   */
  public void connect(Decoder decoder, long plainBytesLimit, long ratioBytesLimit) {
    start();
    if (source != decoder) { // writing a reference costs more than comparing it
      source = decoder;
    }
    connected = true;
    maxPlainBytes = Math.min(plainBytesLimit, ratioBytesLimit);
    limitedByRatio = ratioBytesLimit < plainBytesLimit;
  }

  /**
   * Connects the window to a complete stream in an array, for example one record.
   *
   * @param bytes the array; must not change while the window is read
   * @param from index of the first byte
   * @param length number of bytes, at least 0
   */
  public void wrap(byte[] bytes, int from, int length) {
    array = bytes;
    position = from;
    limit = from + length;
    produced = length;
    shortest = true;
    cut = false;
    fault.clear();
    connected = false;
  }

  /** Connects as {@link #wrap(byte[], int, int)} does, with a limit on the plain bytes. */
  public void wrap(byte[] bytes, int from, int length, long plainBytesLimit) {
    wrap(bytes, from, length);
    inputPosition = length;
    if (length > plainBytesLimit) {
      maxPlainBytes = plainBytesLimit;
      limitedByRatio = false;
      cut();
    }
  }

  /** Empties the window and drops its array. */
  public void clear() {
    array = nothing;
    connected = false;
    start();
  }

  private void start() {
    position = 0;
    limit = 0;
    shortest = true;
    skimmed = false;
    ended = false;
    cut = false;
    produced = 0;
    expectedEnd = 0;
    fault.clear();
    inputPosition = 0;
  }

  // ---- for the decoder

  /**
   * Makes a range of an array readable. Decoders call this within {@link Decoder#refill}.
   *
   * @param bytes the array; must not change until the next refill
   * @param from index of the first byte
   * @param length number of bytes, at least 1
   * @return always true, so a refill can return the result
   */
  public boolean expose(byte[] bytes, int from, int length) {
    array = bytes;
    position = from;
    limit = from + length;
    produced += length;
    return true;
  }

  /**
   * {@return the number of bytes after those supplied so far that the reader announced by {@link
   * #expect}, or 0} Decoders call this within {@link Decoder#refill}.
   */
  public long expected() {
    return Math.max(0, expectedEnd - produced);
  }

  /**
   * Records a fault of the stream, unless there is an earlier one. For decoders.
   *
   * @param why the reason
   * @param at the number of payload bytes that were read before the fault
   * @return always false, so a refill can return the result
   */
  public boolean fail(Reason why, int at) {
    return fail(why, at, 0, 0);
  }

  /**
   * Records a fault as {@link #fail(Reason, int)} does, with the operands of the reason's sentence.
   */
  public boolean fail(Reason why, int at, long first, long second) {
    return fail(why, at, first, second, null);
  }

  /** Records a fault as {@link #fail(Reason, int)} does, for an exception of the codec library. */
  public boolean fail(Throwable thrown, Reason otherwise, int at, Codec codec) {
    Reason why = CodecFailure.reason(thrown, otherwise);
    return fail(why, at, why == otherwise ? 0 : codec.id(), 0, thrown);
  }

  /** Copies the fault of another window, if it has one. For decoders. */
  public void failAs(ByteWindow other) {
    Reason why = other.failure();
    if (why != null) {
      Fault found = other.fault;
      fail(why, other.inputPosition, found.first(), found.second(), found.cause());
    }
  }

  private boolean fail(Reason why, int at, long first, long second, @Nullable Throwable thrown) {
    if (!fault.isSet()) {
      fault.set(why, first, second, thrown);
      inputPosition = at;
    }
    produced = plainPosition();
    limit = position;
    return false;
  }

  // ---- for the scan

  /**
   * Announces that the reader will read or skip {@code count} bytes at once, as Kafka's full reader
   * reads the body of a record.
   *
   * <p>The plain bytes do not depend on the announcement. {@code KafkaDecoders} size their portions
   * by it. The zstd decoder uses it to tell whether Kafka has room for a frame.
   *
   * @param count number of bytes from the current position; a wrong number from the wire is
   *     harmless
   */
  public void expect(int count) {
    expectedEnd = plainPosition() + count;
  }

  /**
   * Announces, after {@link #connect}, that the reader will skip most bytes. A decoder then leaves
   * the bytes in place if it can.
   */
  public void skim() {
    skimmed = true;
  }

  /** {@return true after {@link #skim}} For decoders. */
  public boolean isSkimmed() {
    return skimmed;
  }

  /**
   * Ensures that at least one byte is readable.
   *
   * @return false at the end of the stream and after a fault; {@link #failure()} tells them apart
   */
  public boolean refill() {
    if (position < limit) {
      return true;
    }
    Decoder decoder = supplier();
    if (decoder == null) {
      return cut && !fault.isSet() && failBeyondLimit();
    }
    if (!decoder.refill(this)) {
      ended = true;
      return false;
    }
    return produced <= maxPlainBytes || cut();
  }

  /** {@return the decoder that may have more bytes, or null} */
  private @Nullable Decoder supplier() {
    return connected && !ended && !cut && !fault.isSet() ? source : null;
  }

  /** Removes the bytes beyond the limit. A reader that gets there records the fault. */
  private boolean cut() {
    cut = true;
    limit -= (int) Math.min(limit - position, produced - maxPlainBytes);
    produced = maxPlainBytes;
    return position < limit || failBeyondLimit();
  }

  private boolean failBeyondLimit() {
    Reason why = limitedByRatio ? Reason.LIMIT_RATIO : Reason.LIMIT_PLAIN_BYTES;
    return fail(why, inputPosition(), maxPlainBytes + 1, maxPlainBytes);
  }

  /** {@return the reason of the first fault, or null} */
  public @Nullable Reason failure() {
    return fault.reason();
  }

  /** {@return the first fault, if any, with the exception of the codec library} */
  public Fault fault() {
    return fault;
  }

  /** {@return the number of payload bytes read so far or, after a fault, before the fault} */
  public int inputPosition() {
    Decoder decoder = source;
    return !connected || fault.isSet() || decoder == null ? inputPosition : decoder.inputPosition();
  }

  /** {@return the number of plain bytes read or skipped so far} */
  public long plainPosition() {
    return produced - (limit - position);
  }

  /** {@return the number of bytes that are readable without a refill} */
  public int available() {
    return limit - position;
  }

  /** {@return the array with the next readable bytes} */
  public byte[] array() {
    return array;
  }

  /** {@return the index in {@link #array()} of the next byte} */
  public int position() {
    return position;
  }

  /** {@return the index in {@link #array()} after the last readable byte} */
  public int limit() {
    return limit;
  }

  /**
   * Moves to an index from {@link #position()} to {@link #limit()}.
   *
   * @param value the index
   */
  public void position(int value) {
    position = value;
  }

  /** {@return the next byte, or 0 with a fault at the end of the stream} */
  public byte readByte() {
    if (position == limit && !refill()) {
      failHere(Reason.RECORD_TRUNCATED);
      return 0;
    }
    return array[position++];
  }

  /**
   * {@return a zig-zag varint of at most 5 bytes, or 0 after a fault} Only 4 bits of the fifth
   * count.
   */
  public int readVarint() {
    if (position < limit && array[position] >= 0) {
      return ShortVarint.zigZag(array[position++]);
    }
    return ShortVarint.zigZag((int) readUnsigned(RecordLayout.MAX_VARINT_BYTES));
  }

  /**
   * {@return a zig-zag varint of at most 10 bytes, or 0 after a fault} Only 1 bit of the tenth
   * counts.
   */
  public long readVarlong() {
    long raw = readUnsigned(RecordLayout.MAX_VARLONG_BYTES);
    return raw >>> 1 ^ -(raw & 1);
  }

  /**
   * Returns whether every number read since {@link #connect} or {@link #isShortest(boolean)} is in
   * the shortest encoding, which is the one that Kafka writes.
   *
   * @return false if a number has more bytes than needed, or bits that do not count
   */
  public boolean isShortest() {
    return shortest;
  }

  /**
   * Sets the result of {@link #isShortest()} for the numbers read so far.
   *
   * @param value true to start over
   */
  public void isShortest(boolean value) {
    shortest = value;
  }

  private void failHere(Reason why) {
    fail(why, inputPosition(), 0, 0);
  }

  private long readUnsigned(int maxBytes) {
    long value = 0;
    int end = maxBytes * 7;
    for (int shift = 0; shift < end; shift += 7) {
      byte next = readByte();
      value |= (long) (next & 0x7F) << shift;
      if (next >= 0) {
        if (shift > 0) {
          shortest &= next != 0 && (shift + 7 < end || next < lastByteEnd(maxBytes));
        }
        return fault.isSet() ? 0 : value;
      }
    }
    failHere(Reason.RECORD_VARINT_TOO_LONG);
    return 0;
  }

  /** {@return the smallest last byte with bits that do not count} */
  private static int lastByteEnd(int maxBytes) {
    int bits = maxBytes == RecordLayout.MAX_VARINT_BYTES ? Integer.SIZE : Long.SIZE;
    return 1 << (bits - 7 * (maxBytes - 1));
  }

  /**
   * Skips plain bytes, refilling as needed. If too few are left, skips them all and records a
   * fault, whose first operand is the number of missing bytes.
   *
   * @param count number of bytes; if it is not positive, nothing happens
   */
  public void skip(int count) {
    int rest = count;
    while (rest > 0) {
      int step = Math.min(rest, limit - position);
      position += step;
      rest -= step;
      Decoder decoder = rest > 0 ? supplier() : null;
      if (decoder != null) {
        int passed = decoder.arrayless().pass((int) Math.min(rest, maxPlainBytes - produced));
        produced += passed;
        rest -= passed;
      }
      if (rest > 0 && !refill()) {
        fail(Reason.RECORD_TRUNCATED, inputPosition(), rest, 0);
        return;
      }
    }
  }

  /**
   * {@return the bytes after the window that can be read in place} While any are left, the unread
   * bytes of the window directly precede them in the same buffer. {@link #passArrayless} skips
   * bytes read in place. The result stays valid until the next {@link #connect}.
   */
  public ArraylessBytes arrayless() {
    Decoder decoder = supplier();
    return decoder == null ? ArraylessBytes.NONE : decoder.arrayless();
  }

  /**
   * Skips the rest of the window and {@code count} bytes after it.
   *
   * @param arrayless the result of {@link #arrayless()} for this stream
   * @param count number of bytes after the window, all of which are left
   * @return false, without a skip, if a limit forbids so many bytes and after a fault
   */
  public boolean passArrayless(ArraylessBytes arrayless, int count) {
    if (count > maxPlainBytes - produced || fault.isSet()) {
      return false;
    }
    position = limit;
    produced += arrayless.skip(count);
    return true;
  }

  /**
   * Reads eight bytes without moving.
   *
   * @param bytes the array
   * @param at index of the first byte; all eight are within the array
   * @return the word, whose lowest byte is the first
   */
  public static long peek(byte[] bytes, int at) {
    return (long) WORD.get(bytes, at);
  }
}
