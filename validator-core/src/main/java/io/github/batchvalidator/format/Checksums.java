// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.format;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/**
 * A calculator of CRC-32C and CRC-32 checksums over a range of any buffer. It neither allocates nor
 * changes the buffer's position, limit or mark.
 *
 * <p>Direct and read-only buffers are copied through an array of 8 KiB, the only memory held.
 * Otherwise {@code CRC32C} would move the buffer's position, and copy a read-only buffer into a new
 * array at every call.
 *
 * <p>Confined to one thread.
 */
public final class Checksums {
  private static final int PIECE_BYTES = 8 * 1024;

  private final CRC32C crc32c = new CRC32C();
  private final CRC32 crc32 = new CRC32();
  private final byte[] piece = new byte[PIECE_BYTES];

  /** Creates checksums with their piece of heap. */
  public Checksums() {}

  /** {@return the heap bytes that each object holds} */
  public static long heapBytes() {
    return PIECE_BYTES;
  }

  /**
   * Computes the CRC-32C.
   *
   * @param buffer any buffer
   * @param from index of the first byte
   * @param length number of bytes, all within the buffer's limit
   * @return the checksum, comparable with {@link BatchHeader#crc()}
   */
  public int crc32c(ByteBuffer buffer, int from, int length) {
    return compute(crc32c, buffer, from, length);
  }

  /**
   * Computes the CRC-32.
   *
   * @param buffer any buffer
   * @param from index of the first byte
   * @param length number of bytes, all within the buffer's limit
   * @return the checksum, comparable with {@link LegacyHeader#crc()}
   */
  public int crc32(ByteBuffer buffer, int from, int length) {
    return compute(crc32, buffer, from, length);
  }

  private int compute(Checksum crc, ByteBuffer buffer, int from, int length) {
    crc.reset();
    if (buffer.hasArray()) {
      crc.update(buffer.array(), buffer.arrayOffset() + from, length);
    } else {
      updateByPieces(crc, buffer, from, length);
    }
    return (int) crc.getValue();
  }

  private void updateByPieces(Checksum crc, ByteBuffer buffer, int from, int length) {
    for (int done = 0; done < length; ) {
      int bytes = Math.min(PIECE_BYTES, length - done);
      buffer.get(from + done, piece, 0, bytes);
      crc.update(piece, 0, bytes);
      done += bytes;
    }
  }
}
