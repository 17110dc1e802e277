// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.codec;

import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Reason;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * RFC 1952 members, one behind the other, as {@code GZIPInputStream} reads them: the trailer of
 * each is verified, and what follows it is another member if it starts like one and garbage to be
 * ignored if it does not. Members are walked in a loop, however many and however empty.
 */
final class GzipDecoder extends PayloadDecoder {
  /** Holds most batches whole; larger windows gained nothing, smaller ones cost calls. */
  static final int WINDOW_BYTES = 64 * 1024;

  /** Input that is copied is fed in pieces of this size at the most. */
  private static final int COPIED_BYTES = 64 * 1024;

  /** What {@code GZIPInputStream} reads at a time, in Kafka. */
  private static final int KAFKA_PIECE_BYTES = 8 * 1024;

  /** What Kafka's readers read at a time. */
  private static final int KAFKA_WINDOW_BYTES = 16 * 1024;

  /** What zlib holds for one inflater: its 32 KiB window and its tables. */
  private static final int NATIVE_BYTES = 40 * 1024;

  private static final int TRAILER_BYTES = 2 * Integer.BYTES;

  /** Behind a trailer, fewer bytes than an empty member has are not looked at. */
  private static final int MIN_MEMBER_BYTES = GzipHeader.FIXED_BYTES + TRAILER_BYTES + 1;

  private static final byte[] NOTHING = {};

  private final Inflater inflater = new Inflater(true);
  private final CRC32 crc = new CRC32();
  private final GzipHeader header = new GzipHeader();
  private final Scratch input;
  private final int pieceBytes;
  private final byte[] window;
  private final Portions portions;
  private int fed;
  private boolean outputPending;
  private boolean memberEnded;

  GzipDecoder(int windowBytes) {
    this(windowBytes, Integer.MAX_VALUE);
  }

  private GzipDecoder(int windowBytes, int pieceBytes) {
    window = new byte[Math.min(WINDOW_BYTES, windowBytes)];
    portions = new Portions(window.length);
    this.pieceBytes = pieceBytes;
    input = new Scratch(Math.min(COPIED_BYTES, pieceBytes));
  }

  /** {@return a decoder that hands out plain bytes in the portions in which Kafka pulls them} */
  static GzipDecoder likeKafka() {
    return new GzipDecoder(KAFKA_WINDOW_BYTES, KAFKA_PIECE_BYTES);
  }

  @Override
  void start(Limits limits, ByteWindow target) {
    fed = 0;
    portions.start();
    if (!startMember()) {
      target.fail(Reason.CODEC_HEADER_INVALID, next);
    }
  }

  private boolean startMember() {
    int behind = header.skip(payload, next);
    if (behind < 0) {
      return false;
    }
    next = behind;
    memberEnded = false;
    outputPending = false;
    crc.reset();
    inflater.reset();
    return true;
  }

  @Override
  protected boolean refill(ByteWindow target) {
    while (true) {
      int most = portions.next(target);
      if (memberEnded && !nextMember(target)) {
        return false;
      }
      int bytes = inflate(target, most);
      if (bytes > 0) {
        crc.update(window, 0, bytes);
        return target.expose(window, 0, bytes);
      }
      if (bytes < 0) {
        return false;
      }
    }
  }

  /**
   * Inflates into the window. A portion ends where the output is not full, and with the member.
   *
   * @return bytes in the window; 0 if there is more to do for any; -1 after a fault
   */
  private int inflate(ByteWindow target, int most) {
    if (inflater.needsInput() && !outputPending && !feed()) {
      target.fail(Reason.CODEC_DATA_TRUNCATED, next);
      return -1;
    }
    int bytes;
    try {
      bytes = inflater.inflate(window, 0, most);
    } catch (DataFormatException | RuntimeException | Error e) {
      target.fail(Reason.CODEC_DATA_CORRUPT, fed - inflater.getRemaining());
      return -1;
    }
    next = fed - inflater.getRemaining();
    memberEnded = inflater.finished();
    outputPending = bytes == most && !memberEnded;
    portions.took(outputPending ? bytes : Portions.THE_LAST);
    return bytes;
  }

  /** Feeds the next piece, or what is left of the one in which the last member ended. */
  private boolean feed() {
    int bytes = Math.min(left(), next < fed ? fed - next : pieceBytes);
    if (!payload.isArray()) {
      bytes = Math.min(bytes, COPIED_BYTES);
    }
    if (bytes == 0) {
      return false;
    }
    payload.stretch(next, bytes, input);
    inflater.setInput(payload.array(), payload.arrayOffset(), bytes);
    fed = next + bytes;
    return true;
  }

  /** Verifies the trailer of the member that ended and starts the one behind it. */
  private boolean nextMember(ByteWindow target) {
    if (left() < TRAILER_BYTES) {
      return target.fail(Reason.CODEC_DATA_TRUNCATED, next);
    }
    int storedCrc = payload.getIntLittleEndian(next);
    int storedSize = payload.getIntLittleEndian(next + Integer.BYTES);
    if (storedCrc != (int) crc.getValue() || storedSize != (int) inflater.getBytesWritten()) {
      return target.fail(Reason.CODEC_CHECKSUM_MISMATCH, next);
    }
    next += TRAILER_BYTES;
    return left() >= MIN_MEMBER_BYTES && startMember();
  }

  @Override
  public void release() {
    inflater.setInput(NOTHING);
    input.release();
  }

  @Override
  public long heapBytes() {
    return (long) window.length + input.heapBytes();
  }

  @Override
  public long nativeBytes() {
    return NATIVE_BYTES;
  }

  @Override
  public void close() {
    inflater.end();
  }
}
