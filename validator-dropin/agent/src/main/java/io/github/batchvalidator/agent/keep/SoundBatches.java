// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.keep;

import java.io.EOFException;
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

  /** Small, because the JDK keeps a direct buffer as large as a read. */
  private static final int WINDOW_BYTES = 1 << 16;

  private final FileChannel file;
  private final long from;
  private final long to;
  private final ByteBuffer window = ByteBuffer.allocate(WINDOW_BYTES);
  private final ByteBuffer part = ByteBuffer.allocate(WINDOW_BYTES);
  private long budget;

  private SoundBatches(FileChannel file, long from, long to) {
    this.file = file;
    this.from = from;
    this.to = to;
    this.budget = MOST_TIMES * (to - from) + (1 << 20);
  }

  /**
   * {@return true if a sound batch starts and ends in the range, or the search gave up}
   *
   * <p>The file is read and not mapped, because Kafka does not read these bytes: a bad sector is an
   * exception of a read, and would end the load of the log in a mapped file.
   *
   * @param file the segment
   * @param from the first byte
   * @param to the byte after the last one
   */
  static boolean isIn(FileChannel file, long from, long to) throws IOException {
    return new SoundBatches(file, from, to).search();
  }

  private boolean search() throws IOException {
    long base = from;
    while (to - base >= LEGACY_HEADER) {
      read(window, base, to);
      int count = window.limit() - LEGACY_HEADER + 1;
      for (int at = 0; at < count; at++) {
        int magic = window.get(at + MAGIC);
        if (magic >= 0 && magic <= 2 && isSound(base, at, magic)) {
          return true;
        }
      }
      base += count;
    }
    return false;
  }

  private boolean isSound(long base, int at, int magic) throws IOException {
    long left = to - base - at;
    int length = window.getInt(at + LENGTH);
    int least = (magic == 2 ? HEADER : LEGACY_HEADER) - OVERHEAD;
    if (length < least || length > left - OVERHEAD) {
      return false;
    }
    long start = base + at + (magic == 2 ? BODY : MAGIC);
    long end = base + at + OVERHEAD + length;
    budget -= end - start;
    if (budget < 0) {
      return true;
    }
    Checksum crc = magic == 2 ? new CRC32C() : new CRC32();
    for (long next = start; next < end; next += part.limit()) {
      read(part, next, end);
      crc.update(part);
    }
    return (int) crc.getValue() == window.getInt(at + (magic == 2 ? CRC : LEGACY_CRC));
  }

  /** Fills a buffer from a position on, at most to the end. */
  private void read(ByteBuffer buffer, long position, long end) throws IOException {
    buffer.clear().limit((int) Math.min(buffer.capacity(), end - position));
    while (buffer.hasRemaining()) {
      if (file.read(buffer, position + buffer.position()) < 0) {
        throw new EOFException("the segment ends before byte " + end);
      }
    }
    buffer.flip();
  }
}
