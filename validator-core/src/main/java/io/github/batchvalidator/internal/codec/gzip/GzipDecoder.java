// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.gzip;

import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.codec.PayloadDecoder;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.GzipInflater;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Reason;
import java.util.zip.CRC32;

/**
 * A decoder for one or more gzip members (RFC 1952), as {@code GZIPInputStream} reads them.
 *
 * <p>The trailer of each member is verified. The bytes after it are another member if they start
 * like one and are as many as the running JDK asks for, and are otherwise ignored. A loop reads the
 * members, so any number of empty members is safe. Some other readers stop after the first member.
 */
public class GzipDecoder extends PayloadDecoder {
  /** Enough for the rest of most batches, after the first piece. Larger windows gained nothing. */
  public static final int WINDOW_BYTES = 64 * 1024;

  /** Inflated before the first record is checked, so that a fault in it costs no full window. */
  private static final int FIRST_BYTES = 4 * 1024;

  private static final int TRAILER_BYTES = 2 * Integer.BYTES;

  private final MemberInflater inflater;
  private final CRC32 crc = new CRC32();
  private final GzipHeader header = new GzipHeader();
  private final int windowBytes;
  private final int leastMemberBytes = JdkMembers.leastBytes();
  private int memberBytes;

  /**
   * Creates a decoder.
   *
   * @param windowBytes the maximum number of bytes to expose at a time
   * @param which the inflater
   */
  public GzipDecoder(int windowBytes, GzipInflater which) {
    this.windowBytes = Math.min(WINDOW_BYTES, windowBytes);
    inflater =
        JavaInflater.isMeantBy(which)
            ? new JavaInflater(this.windowBytes)
            : new JdkInflater(new byte[this.windowBytes], Integer.MAX_VALUE);
  }

  /**
   * Creates a decoder that reads its input in pieces, with the JDK's inflater.
   *
   * @param windowBytes the maximum number of bytes to expose at a time
   * @param inputBytes the size of a piece
   */
  protected GzipDecoder(int windowBytes, int inputBytes) {
    this.windowBytes = windowBytes;
    inflater = new JdkInflater(new byte[windowBytes], inputBytes);
  }

  @Override
  protected void start(Limits limits, ByteWindow target) {
    inflater.open(payload, limits.codecMemoryBytes());
    if (!startMember()) {
      target.fail(Reason.CODEC_HEADER_INVALID, next);
    }
  }

  private boolean startMember() {
    int end = header.skip(payload, next);
    if (end < 0) {
      return false;
    }
    ambiguous |= next > 0 || GzipHeader.hasReservedFlags(payload, next);
    next = end;
    memberBytes = 0;
    crc.reset();
    inflater.start(end);
    return true;
  }

  @Override
  protected boolean refill(ByteWindow target) {
    while (true) {
      int max = portion(target);
      if (inflater.ended() && !nextMember(target)) {
        return false;
      }
      int bytes = inflater.inflate(max);
      next = inflater.position();
      if (bytes < 0) {
        return fail(bytes, target);
      }
      produced(bytes, bytes == max && !inflater.ended());
      if (bytes > 0) {
        memberBytes += bytes;
        crc.update(inflater.array(), inflater.from(), bytes);
        return target.expose(inflater.array(), inflater.from(), bytes);
      }
    }
  }

  /**
   * {@return the maximum number of bytes to inflate next, from 1 to the size of the window}
   *
   * @param target the window, without readable bytes
   */
  protected int portion(ByteWindow target) {
    return memberBytes == 0 ? Math.min(FIRST_BYTES, windowBytes) : windowBytes;
  }

  /**
   * Called when bytes were inflated.
   *
   * @param bytes the number of bytes, at most the result of {@link #portion}
   * @param isWhole false if there are fewer, or if the member has ended
   */
  protected void produced(int bytes, boolean isWhole) {}

  private boolean fail(int status, ByteWindow target) {
    if (status == MemberInflater.CUT) {
      return target.fail(Reason.CODEC_DATA_TRUNCATED, next);
    }
    Throwable cause = inflater.cause();
    return cause == null
        ? target.fail(Reason.CODEC_DATA_CORRUPT, next)
        : target.fail(cause, Reason.CODEC_DATA_CORRUPT, next, Codec.GZIP);
  }

  /** Verifies the trailer of the member that ended, and starts the next member if there is one. */
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
    return left() >= leastMemberBytes && startMember();
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
