// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.codec;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Reason;
import java.util.zip.CRC32;

/**
 * RFC 1952 members, one behind the other, as {@code GZIPInputStream} reads them: the trailer of
 * each is verified, and what follows it is another member if it starts like one and garbage to be
 * ignored if it does not. Members are walked in a loop, however many and however empty. Some other
 * readers stop behind the first one.
 */
final class GzipDecoder extends PayloadDecoder {
  /** Holds most batches whole; larger windows gained nothing, smaller ones cost calls. */
  static final int WINDOW_BYTES = 64 * 1024;

  /** What {@code GZIPInputStream} reads at a time, in Kafka. */
  private static final int KAFKA_PIECE_BYTES = 8 * 1024;

  /** What Kafka's readers read at a time. */
  private static final int KAFKA_WINDOW_BYTES = 16 * 1024;

  private static final int TRAILER_BYTES = 2 * Integer.BYTES;

  /** Behind a trailer, fewer bytes than an empty member has are not looked at. */
  private static final int MIN_MEMBER_BYTES = GzipHeader.FIXED_BYTES + TRAILER_BYTES + 1;

  private final MemberInflater inflater;
  private final CRC32 crc = new CRC32();
  private final GzipHeader header = new GzipHeader();
  private final Portions portions;
  private int memberBytes;

  GzipDecoder(int windowBytes, GzipInflater which) {
    this(Math.min(WINDOW_BYTES, windowBytes), which, Integer.MAX_VALUE);
  }

  private GzipDecoder(int windowBytes, GzipInflater which, int pieceBytes) {
    portions = new Portions(windowBytes);
    inflater =
        which.leastBytes() == Integer.MAX_VALUE
            ? new JdkInflater(new byte[windowBytes], pieceBytes)
            : new JavaInflater(windowBytes, which.leastBytes());
  }

  /** {@return a decoder that hands out plain bytes in the portions in which Kafka pulls them} */
  static GzipDecoder likeKafka() {
    return new GzipDecoder(KAFKA_WINDOW_BYTES, GzipInflater.JDK, KAFKA_PIECE_BYTES);
  }

  @Override
  void start(Limits limits, ByteWindow target) {
    inflater.open(payload, limits.codecMemoryBytes());
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
    ambiguous |= next > 0 || GzipHeader.hasReservedFlags(payload, next);
    next = behind;
    memberBytes = 0;
    crc.reset();
    inflater.start(behind);
    return true;
  }

  @Override
  protected boolean refill(ByteWindow target) {
    while (true) {
      int most = portions.next(target);
      if (inflater.ended() && !nextMember(target)) {
        return false;
      }
      int bytes = inflater.inflate(most);
      next = inflater.position();
      if (bytes < 0) {
        return fail(bytes, target);
      }
      // A portion ends where it is not full, and with the member.
      portions.took(bytes == most && !inflater.ended() ? bytes : Portions.THE_LAST);
      if (bytes > 0) {
        memberBytes += bytes;
        crc.update(inflater.array(), inflater.from(), bytes);
        return target.expose(inflater.array(), inflater.from(), bytes);
      }
    }
  }

  private boolean fail(int status, ByteWindow target) {
    if (status == MemberInflater.CUT) {
      return target.fail(Reason.CODEC_DATA_TRUNCATED, next);
    }
    Throwable cause = inflater.cause();
    return cause == null
        ? target.fail(Reason.CODEC_DATA_CORRUPT, next)
        : target.fail(cause, Reason.CODEC_DATA_CORRUPT, next, Codec.GZIP);
  }

  /** Verifies the trailer of the member that ended and starts the one behind it. */
  private boolean nextMember(ByteWindow target) {
    if (left() < TRAILER_BYTES) {
      return target.fail(Reason.CODEC_DATA_TRUNCATED, next);
    }
    int storedCrc = payload.getIntLittleEndian(next);
    int storedSize = payload.getIntLittleEndian(next + Integer.BYTES);
    if (storedCrc != (int) crc.getValue() || storedSize != memberBytes) {
      return target.fail(Reason.CODEC_CHECKSUM_MISMATCH, next);
    }
    next += TRAILER_BYTES;
    return left() >= MIN_MEMBER_BYTES && startMember();
  }

  @Override
  public void release() {
    inflater.release();
  }

  @Override
  public long heapBytes() {
    return inflater.heapBytes();
  }

  @Override
  public long nativeBytes() {
    return inflater.nativeBytes();
  }

  @Override
  public void close() {
    inflater.close();
  }
}
