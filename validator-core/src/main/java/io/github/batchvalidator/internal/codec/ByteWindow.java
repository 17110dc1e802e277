// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import io.github.batchvalidator.internal.fault.Fault;
import io.github.batchvalidator.internal.format.RecordLayout;
import io.github.batchvalidator.internal.format.ShortVarint;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The plain bytes of a batch, a stretch at a time, and the only place that reads the
 * variable-length numbers of records.
 *
 * <p>A {@link Decoder} exposes a stretch of some array; when it is used up, {@link #refill} asks
 * for the next. The first fault stops everything: from then on reads answer 0, skips do nothing,
 * and {@link #failure()} says what it was. A caller can so read a whole record and look once.
 *
 * <p>Re-used for every batch. Never allocates, never throws. Confined to one thread.
 */
public final class ByteWindow {
  /** Bytes that must be readable for {@link #peek}. */
  public static final int PEEK_BYTES = Long.BYTES;

  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Its own: a reference within a region of the heap costs the collector no barrier. */
  private final byte[] nothing = {};

  private byte[] array = nothing;
  private int position;
  private int limit;
  private boolean shortest = true;

  /** Kept when it is let go of: it is nearly always the next one, too. */
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

  /** Creates an empty window. */
  public ByteWindow() {}

  /**
   * Empties the window and connects it to a stream of plain bytes.
   *
   * @param decoder supplies the bytes; it is already open
   * @param plainBytesLimit how many bytes may be read; the first one beyond is a fault
   */
  public void connect(Decoder decoder, long plainBytesLimit) {
    connect(decoder, plainBytesLimit, Long.MAX_VALUE);
  }

  /** As {@link #connect(Decoder, long)}, with what the ratio of the batch allows beside. */
  public void connect(Decoder decoder, long plainBytesLimit, long ratioBytesLimit) {
    start();
    if (source != decoder) { // a reference costs more to write than to compare
      source = decoder;
    }
    connected = true;
    maxPlainBytes = Math.min(plainBytesLimit, ratioBytesLimit);
    limitedByRatio = ratioBytesLimit < plainBytesLimit;
  }

  /**
   * Connects the window to bytes that are all there: one record, say. Behind them is the end.
   *
   * @param bytes holds them; stays untouched while the window is read
   * @param from index of the first
   * @param length how many, at least 0
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

  /** Empties the window and lets go of every array. */
  public void clear() {
    array = nothing;
    connected = false;
    start();
  }

  /** Empties the window for good: forgets the last decoder, too, and what that holds. */
  public void disconnect() {
    clear();
    source = null;
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
   * Makes a stretch of an array readable. For a decoder, from within {@link Decoder#refill}.
   *
   * @param bytes stays untouched until the next refill
   * @param from index of the first byte
   * @param length at least 1
   * @return true, so that a refill can end with it
   */
  public boolean expose(byte[] bytes, int from, int length) {
    array = bytes;
    position = from;
    limit = from + length;
    produced += length;
    return true;
  }

  /**
   * {@return how many bytes behind those supplied so far the reader is known to need, as told by
   * {@link #expect}; 0 if that is not known} For a decoder, from within {@link Decoder#refill}.
   */
  public long expected() {
    return Math.max(0, expectedEnd - produced);
  }

  /**
   * Notes a fault of the stream. For a decoder.
   *
   * @param why the reason
   * @param at bytes of input, from the start of the payload, that had been read
   * @return false, so that a refill can end with it
   */
  public boolean fail(Reason why, int at) {
    return fail(why, at, 0, 0);
  }

  /** As {@link #fail(Reason, int)}, with the operands of the reason's sentence. */
  public boolean fail(Reason why, int at, long first, long second) {
    return fail(why, at, first, second, null);
  }

  /** As {@link #fail(Reason, int)}, for an exception of the codec library. */
  public boolean fail(Throwable thrown, Reason otherwise, int at, Codec codec) {
    Reason why = CodecFailure.reason(thrown, otherwise);
    return fail(why, at, why == otherwise ? 0 : codec.id(), 0, thrown);
  }

  /** Takes over the failure of another window, if it has one. For a decoder. */
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
   * Tells that the reader is about to read or skip so many bytes in one go, as Kafka's full reader
   * takes the body of a record. The bytes are the same without; {@code KafkaDecoders} cut its
   * portions by it, and zstd tells whether a frame fits.
   *
   * @param count bytes from the current position on; it may be a lie of the wire
   */
  public void expect(int count) {
    expectedEnd = plainPosition() + count;
  }

  /**
   * Tells, behind {@link #connect}, that the reader passes by most of what there is: a decoder then
   * leaves it where it lies if it can.
   */
  public void skim() {
    skimmed = true;
  }

  /** {@return true after {@link #skim}} For a decoder. */
  public boolean isSkimmed() {
    return skimmed;
  }

  /**
   * Makes sure that at least one byte is readable.
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

  /** {@return who has more bytes, perhaps, or null} */
  private @Nullable Decoder supplier() {
    return connected && !ended && !cut && !fault.isSet() ? source : null;
  }

  /** Takes away what is beyond the limit; whoever reads up to there is told then. */
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

  /** {@return what went wrong first, or null} */
  public @Nullable Reason failure() {
    return fault.reason();
  }

  /** {@return what went wrong first, if anything did, with the exception of the codec library} */
  public Fault fault() {
    return fault;
  }

  /** {@return how many bytes of the payload were read so far or, after a fault, until then} */
  public int inputPosition() {
    Decoder decoder = source;
    return !connected || fault.isSet() || decoder == null ? inputPosition : decoder.inputPosition();
  }

  /** {@return how many plain bytes were read or skipped so far} */
  public long plainPosition() {
    return produced - (limit - position);
  }

  /** {@return how many bytes can be read without a refill} */
  public int available() {
    return limit - position;
  }

  /** {@return the array that the next readable bytes lie in} */
  public byte[] array() {
    return array;
  }

  /** {@return the index in {@link #array()} of the next byte} */
  public int position() {
    return position;
  }

  /** {@return the index in {@link #array()} behind the last readable byte} */
  public int limit() {
    return limit;
  }

  /**
   * Moves on to an index that lies between {@link #position()} and {@link #limit()}.
   *
   * @param value the index
   */
  public void position(int value) {
    position = value;
  }

  /** {@return the next byte; 0, and a fault, if there is none} */
  public byte readByte() {
    if (position == limit && !refill()) {
      failHere(Reason.RECORD_TRUNCATED);
      return 0;
    }
    return array[position++];
  }

  /** {@return a zig-zag varint of at most 5 bytes, the fifth's low 4 bits; 0 after a fault} */
  public int readVarint() {
    if (position < limit && array[position] >= 0) {
      return ShortVarint.zigZag(array[position++]);
    }
    return ShortVarint.zigZag((int) readUnsigned(RecordLayout.MAX_VARINT_BYTES));
  }

  /** {@return a zig-zag varint of at most 10 bytes, the tenth's low bit; 0 after a fault} */
  public long readVarlong() {
    long raw = readUnsigned(RecordLayout.MAX_VARLONG_BYTES);
    return raw >>> 1 ^ -(raw & 1);
  }

  /**
   * Returns whether every number that was read since the window was connected, or since {@link
   * #isShortest(boolean)}, was written in the one way in which Kafka writes it.
   *
   * @return false if one has more bytes than it needs, or bits that do not count
   */
  public boolean isShortest() {
    return shortest;
  }

  /**
   * Sets what {@link #isShortest()} is for the numbers read so far.
   *
   * @param value true to begin anew
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

  /** Of the last byte that a number may have not all bits count. */
  private static int lastByteEnd(int maxBytes) {
    int bits = maxBytes == RecordLayout.MAX_VARINT_BYTES ? Integer.SIZE : Long.SIZE;
    return 1 << (bits - 7 * (maxBytes - 1));
  }

  /**
   * Moves past plain bytes, refilling as needed.
   *
   * @param count bytes; nothing happens if it is not positive; more than what is left moves to the
   *     end and is a fault, whose first operand is the number of missing bytes
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
   * {@return the bytes behind the window's that can be read where they lie} While there are any,
   * those of the window that were not read yet lie there, too, right in front of them. What is read
   * there is left behind by {@link #passArrayless}.
   */
  public ArraylessBytes arrayless() {
    Decoder decoder = supplier();
    return decoder == null ? ArraylessBytes.NONE : decoder.arrayless();
  }

  /**
   * Moves past all bytes of the window and some behind them.
   *
   * @param arrayless has them, as told by {@link #arrayless()} just before
   * @param count how many of those, all of which are left
   * @return false, and nothing has moved, if a limit does not allow so many
   */
  public boolean passArrayless(ArraylessBytes arrayless, int count) {
    if (count > maxPlainBytes - produced) {
      return false;
    }
    position = limit;
    produced += arrayless.skip(count);
    return true;
  }

  /**
   * Reads eight bytes without moving; the first one is the lowest of the result.
   *
   * @param bytes holds them
   * @param at index of the first; all eight lie within the array
   * @return the word
   */
  public static long peek(byte[] bytes, int at) {
    return (long) WORD.get(bytes, at);
  }
}
