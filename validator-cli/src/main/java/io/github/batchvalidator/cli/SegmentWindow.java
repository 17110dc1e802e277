// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A stretch of a segment in memory, moved forward over it. Its array is kept from file to file.
 *
 * <p>Bytes are read, not mapped: a file that is cut while it is mapped would cost the process. The
 * inspection is fastest over arrays, so the window is one; it is filled through a small direct
 * buffer of its own, because the JDK would keep one as large as the window. Only a batch beyond the
 * largest size is mapped, alone, so that its size does not decide how much memory is needed.
 *
 * <p>Confined to one thread.
 */
final class SegmentWindow {
  private static final int STAGING_BYTES = 1 << 17;
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final int maxBytes;
  private final ByteBuffer staging;
  private ByteBuffer array;

  private ByteBuffer buffer = NOTHING;
  private boolean mapped;
  private long start;
  private int filled;

  /**
   * Creates a window.
   *
   * @param bytes its size
   * @param maxBytes how far it grows, at least {@code bytes}
   */
  SegmentWindow(int bytes, int maxBytes) {
    this.maxBytes = Math.max(bytes, maxBytes);
    array = ByteBuffer.allocate(bytes);
    staging = ByteBuffer.allocateDirect(Math.min(bytes, STAGING_BYTES));
  }

  /** Forgets what was read: another segment is next. */
  void clear() {
    buffer = NOTHING;
    mapped = false;
    filled = 0;
  }

  /**
   * Makes at least {@code need} bytes readable.
   *
   * @param segment holds them; the same one until {@link #clear}
   * @param from position of the first byte
   * @param need how many; all of them exist
   * @param end position behind the last byte that may be read
   */
  void load(Segment segment, long from, int need, long end) throws IOException {
    if (holds(from, need)) {
      return;
    }
    if (need > maxBytes) {
      buffer = segment.map(from, need);
      mapped = true;
      start = from;
      filled = need;
      return;
    }
    int kept = keep(from, need);
    buffer = array;
    mapped = false;
    start = from;
    filled = kept;
    fill(segment, need, (int) Math.min(array.capacity(), end - from));
  }

  private boolean holds(long from, int need) {
    return from >= start && from + need <= start + filled;
  }

  /** Moves what is there of the bytes from a position on to the front of a large enough array. */
  private int keep(long from, int need) {
    int kept = !mapped && holds(from, 0) ? (int) (start + filled - from) : 0;
    int at = (int) (from - start);
    ByteBuffer target = array;
    if (need > array.capacity()) {
      target = ByteBuffer.allocate((int) Math.min(maxBytes, 2L * need));
    }
    if (kept > 0) {
      System.arraycopy(array.array(), at, target.array(), 0, kept);
    }
    array = target;
    return kept;
  }

  /** What is not needed yet is read if it can be: it may lie behind a place that cannot be. */
  private void fill(Segment segment, int need, int bytes) throws IOException {
    try {
      read(segment, bytes);
    } catch (IOException e) {
      read(segment, need);
    }
  }

  private void read(Segment segment, int bytes) throws IOException {
    while (filled < bytes) {
      staging.clear().limit(Math.min(staging.capacity(), bytes - filled));
      segment.read(staging, start + filled);
      int length = staging.position();
      staging.get(0, array.array(), filled, length);
      filled += length;
    }
  }

  /** Returns the memory; valid until the next load. Its position and limit mean nothing. */
  ByteBuffer buffer() {
    return buffer;
  }

  /** Returns the index in {@link #buffer} of a position in the segment. */
  int indexOf(long position) {
    return (int) (position - start);
  }

  /** Returns the index in {@link #buffer} behind the last byte that is there. */
  int limit() {
    return filled;
  }
}
