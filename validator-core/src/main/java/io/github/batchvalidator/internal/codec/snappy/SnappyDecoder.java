// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.snappy;

import io.github.batchvalidator.format.RecordLayout;
import io.github.batchvalidator.internal.codec.BlockDecoder;
import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.codec.Payload;
import io.github.batchvalidator.internal.codec.SparseWindow;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Reason;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.xerial.snappy.Snappy;

/**
 * A decoder for Snappy in the framing of the xerial library (its {@code SnappyInputStream}), and
 * for the single raw block that some clients send instead.
 *
 * <pre>
 *  82 'S' 'N' 'A' 'P' 'P' 'Y' 00 | version 4 | compatible version 4
 *  { chunk length 4 | one raw block, which starts with its plain length as a varint } ...
 * </pre>
 *
 * <p>There is no end mark and no checksum. Another header may follow a chunk. A remainder of 1 to 3
 * bytes is the end of the stream.
 *
 * <p>The library reads a block's plain length again, and would write beyond the end of a short
 * array. The length is therefore checked in a copy of the block, which the library gets. A host
 * that changes its buffer meanwhile does not change the copy.
 */
public final class SnappyDecoder extends BlockDecoder {
  private static final long MAGIC = 0x82534E4150505900L;
  private static final int MAGIC_HEAD = (int) (MAGIC >>> Integer.SIZE);
  private static final int VERSION_AT = Long.BYTES;
  static final int HEADER_BYTES = Long.BYTES + 2 * Integer.BYTES;
  private static final int MIN_VERSION = 1;

  /** A copy element of 3 bytes produces at most 64 bytes, so the largest ratio is 64/3. */
  private static final long RATIO_NUMERATOR = 64;

  private static final long RATIO_DENOMINATOR = 3;

  /** The block size of the xerial writer, and therefore the size kept between batches. */
  private static final int RESTING_BLOCK_BYTES = 32 * 1024;

  /** Snappy compresses n bytes to at most n + n/6 + 32 bytes. */
  private static final int LARGEST_GROWTH_BYTES = 32;

  private static final int LARGEST_GROWTH_PART = 6;

  private static final int RESTING_STORED_BYTES =
      LARGEST_GROWTH_BYTES + RESTING_BLOCK_BYTES + RESTING_BLOCK_BYTES / LARGEST_GROWTH_PART;

  private final boolean stopsAtDamagedHeader;
  private final @Nullable SnappyWalk walk;
  private int memoryLimit;
  private boolean headerDamaged;

  public SnappyDecoder(int windowBytes) {
    this(windowBytes, false);
  }

  /**
   * Creates the decoder.
   *
   * @param windowBytes the maximum number of bytes to expose at a time
   * @param stopsAtDamagedHeader true if {@link #nextBlock} returns false after a header of which
   *     only the first four bytes are right; the call after that continues
   */
  public SnappyDecoder(int windowBytes, boolean stopsAtDamagedHeader) {
    super(windowBytes, RESTING_STORED_BYTES, RESTING_BLOCK_BYTES);
    this.stopsAtDamagedHeader = stopsAtDamagedHeader;
    boolean walks = windowBytes >= RESTING_BLOCK_BYTES && !stopsAtDamagedHeader;
    walk = walks ? new SnappyWalk(WalkGate.SHARED) : null;
    Snappy.maxCompressedLength(0); // loads the native library, to fail here and not in a batch
  }

  @Override
  protected void startBlocks(Limits limits, ByteWindow window) {
    memoryLimit = limits.codecMemoryBytes();
    if (isFramed(payload)) {
      next = HEADER_BYTES;
    } else if (payload.length() == 0) {
      window.fail(Reason.CODEC_HEADER_INVALID, 0);
    } else {
      decode(payload.length(), Reason.CODEC_HEADER_INVALID, window);
    }
  }

  /** {@return true if a payload starts with the header of xerial's framing} */
  static boolean isFramed(Payload payload) {
    return payload.length() >= HEADER_BYTES && payload.getLongBigEndian(0) == MAGIC;
  }

  @Override
  public @Nullable SparseWindow sparse() {
    return walk;
  }

  @Override
  public void release() {
    super.release();
    if (walk != null) {
      walk.release();
    }
  }

  @Override
  public long heapBytes() {
    return super.heapBytes() + (walk == null ? 0 : walk.heapBytes());
  }

  @Override
  public boolean nextBlock(ByteWindow window) {
    while (left() >= Integer.BYTES) {
      int size = payload.getIntBigEndian(next);
      if (size != MAGIC_HEAD) {
        return nextChunk(size, window);
      }
      if (!skipHeader(window) || (headerDamaged && stopsAtDamagedHeader)) {
        return false;
      }
    }
    headerDamaged = false;
    return false;
  }

  /** {@return true if the last call of {@link #nextBlock} stopped after a damaged header} */
  public boolean isHeaderDamaged() {
    return headerDamaged;
  }

  private boolean nextChunk(int size, ByteWindow window) {
    next += Integer.BYTES;
    if (size < 0) {
      return window.fail(Reason.CODEC_DATA_CORRUPT, next);
    }
    if (size > left()) {
      return window.fail(Reason.CODEC_DATA_TRUNCATED, next);
    }
    return decode(size, Reason.CODEC_DATA_CORRUPT, window);
  }

  /** Skips a header after the first one. The version is checked only if the magic is right. */
  private boolean skipHeader(ByteWindow window) {
    if (left() < HEADER_BYTES) {
      return window.fail(Reason.CODEC_DATA_TRUNCATED, next);
    }
    headerDamaged = payload.getLongBigEndian(next) != MAGIC;
    ambiguous = true; // right or not: readers other than xerial's read it as a chunk length
    if (!headerDamaged && payload.getIntBigEndian(next + VERSION_AT) < MIN_VERSION) {
      return window.fail(Reason.CODEC_DATA_CORRUPT, next);
    }
    next += HEADER_BYTES;
    return true;
  }

  /**
   * Decodes a block. {@code ifDamaged} is the reason if it fails: a lone block may be a damaged
   * header.
   */
  private boolean decode(int size, Reason ifDamaged, ByteWindow window) {
    long plainBytes = plainLength(size);
    if (plainBytes < 0 || plainBytes * RATIO_DENOMINATOR > size * RATIO_NUMERATOR) {
      return window.fail(ifDamaged, next);
    }
    long held = Math.max(plainBytes, minPlainBytes(size));
    if (held > memoryLimit) {
      return window.fail(Reason.LIMIT_CODEC_MEMORY, next, held, memoryLimit);
    }
    payload.copy(next, size, input);
    if (unsignedVarint(payload.array(), 0, size) != plainBytes) {
      return window.fail(ifDamaged, next); // the host has changed the length
    }
    byte[] target = output.atLeast((int) plainBytes, memoryLimit);
    try {
      if (Snappy.uncompress(payload.array(), 0, size, target, 0) != plainBytes) {
        return window.fail(ifDamaged, next);
      }
    } catch (IOException | RuntimeException | Error e) {
      return window.fail(e, ifDamaged, next, Codec.SNAPPY);
    }
    next += size;
    return block(target, 0, (int) plainBytes);
  }

  /** Reads only the first bytes, because a limit may forbid copying them all. */
  private long plainLength(int size) {
    int bytes = Math.min(size, RecordLayout.MAX_VARINT_BYTES);
    payload.stretch(next, bytes, input);
    int from = payload.arrayOffset();
    return unsignedVarint(payload.array(), from, from + bytes);
  }

  /** {@return the minimum number of plain bytes that a writer compresses to {@code size} bytes} */
  private static long minPlainBytes(int size) {
    return (size - LARGEST_GROWTH_BYTES) * (long) LARGEST_GROWTH_PART / (LARGEST_GROWTH_PART + 1);
  }

  /**
   * Decodes the unsigned 32-bit varint at the start of a Snappy block.
   *
   * @param bytes the array with the varint
   * @param from index of its first byte
   * @param end index after the last readable byte
   * @return the value, or -1 if the varint does not end before {@code end} or exceeds 32 bits
   */
  public static long unsignedVarint(byte[] bytes, int from, int end) {
    long value = 0;
    int last = Math.min(end, from + RecordLayout.MAX_VARINT_BYTES);
    for (int at = from; at < last; at++) {
      value |= (long) (bytes[at] & 0x7F) << (7 * (at - from));
      if (bytes[at] >= 0) {
        return value >>> Integer.SIZE == 0 ? value : -1;
      }
    }
    return -1;
  }
}
