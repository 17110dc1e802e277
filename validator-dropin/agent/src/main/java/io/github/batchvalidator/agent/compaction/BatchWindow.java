// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.compaction;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;

/**
 * A window over a segment file that moves forward.
 *
 * <p>A batch above {@link #MAX_BYTES} is mapped, so that a false length does not need heap. The
 * window is filled in small parts, because the JDK keeps a direct buffer as large as a part. Not
 * thread-safe.
 */
final class BatchWindow {
  static final int BYTES = 1 << 20;
  static final int MAX_BYTES = 1 << 24;

  private static final int PART_BYTES = 1 << 17;

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private ByteBuffer array = NOTHING;

  /**
   * Reads bytes of a file.
   *
   * @param file the file
   * @param from the position of the first byte
   * @param need how many bytes the caller needs; at least as many are read
   * @param end the position after the last byte that may be read, at least {@code from + need}
   * @return the bytes, valid until the next call
   * @throws EOFException if the file is shorter
   */
  ByteBuffer read(FileChannel file, long from, int need, long end) throws IOException {
    if (need > MAX_BYTES) {
      return file.map(MapMode.READ_ONLY, from, need);
    }
    if (need > array.capacity()) {
      int twice = Math.max(BYTES, 2 * array.capacity());
      array = ByteBuffer.allocate(Math.min(MAX_BYTES, Math.max(twice, need)));
    }
    int bytes = (int) Math.min(array.capacity(), end - from);
    array.clear();
    while (array.position() < bytes) {
      int at = array.position();
      array.limit(Math.min(bytes, at + PART_BYTES));
      if (file.read(array, from + at) < 0) {
        throw new EOFException("the file ends before byte " + (from + bytes));
      }
    }
    return array.flip();
  }

  /** Frees what a large batch needed. Allocates nothing, because memory may have run out. */
  void shrink() {
    if (array.capacity() > BYTES) {
      array = NOTHING;
    }
  }
}
