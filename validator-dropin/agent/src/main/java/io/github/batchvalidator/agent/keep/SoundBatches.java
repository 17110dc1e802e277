// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.keep;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/**
 * A search for a sound batch at any byte of a range.
 *
 * <p>A false length in the middle of a segment looks like a torn last batch. Only the search tells
 * the two apart. A batch is sound if its CRC is right. Bytes that look like many overlapping
 * batches cost a CRC each, so the search gives up after a multiple of the range and answers that
 * there is a sound batch, because keeping too much is harmless.
 */
final class SoundBatches {
  private static final int LENGTH = 8;
  private static final int OVERHEAD = 12;
  private static final int MAGIC = 16;
  private static final int LEGACY_CRC = 12;
  private static final int CRC = 17;
  private static final int BODY = 21;
  private static final int HEADER = 61;
  private static final int LEGACY_HEADER = 26;
  private static final int MOST_TIMES = 8;

  private final ByteBuffer bytes;
  private long budget;

  private SoundBatches(ByteBuffer bytes) {
    this.bytes = bytes;
    this.budget = (long) MOST_TIMES * bytes.capacity() + (1 << 20);
  }

  /**
   * {@return true if a sound batch starts and ends in the range, or the search gave up}
   *
   * @param file the segment
   * @param from the first byte
   * @param to the byte after the last one
   */
  static boolean isIn(FileChannel file, long from, long to) throws IOException {
    ByteBuffer map = file.map(FileChannel.MapMode.READ_ONLY, from, to - from);
    return new SoundBatches(map).search();
  }

  /** {@return true if a sound batch is in the buffer, or the search gave up} */
  static boolean isIn(ByteBuffer buffer) {
    return new SoundBatches(buffer).search();
  }

  private boolean search() {
    int last = bytes.limit() - LEGACY_HEADER;
    for (int at = 0; at <= last; at++) {
      int magic = bytes.get(at + MAGIC);
      if (magic >= 0 && magic <= 2 && isSound(at, magic)) {
        return true;
      }
    }
    return false;
  }

  private boolean isSound(int at, int magic) {
    int length = bytes.getInt(at + LENGTH);
    int least = (magic == 2 ? HEADER : LEGACY_HEADER) - OVERHEAD;
    if (length < least || length > bytes.limit() - at - OVERHEAD) {
      return false;
    }
    int end = at + OVERHEAD + length;
    int start = magic == 2 ? at + BODY : at + MAGIC;
    budget -= end - start;
    if (budget < 0) {
      return true;
    }
    Checksum crc = magic == 2 ? new CRC32C() : new CRC32();
    crc.update(bytes.duplicate().limit(end).position(start));
    return (int) crc.getValue() == bytes.getInt(at + (magic == 2 ? CRC : LEGACY_CRC));
  }
}
