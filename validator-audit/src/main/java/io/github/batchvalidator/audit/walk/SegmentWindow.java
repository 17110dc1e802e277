// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.walk;

import io.github.batchvalidator.audit.source.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A window of a segment in memory that moves forward. Its array is reused from file to file.
 *
 * <p>Bytes are read rather than mapped, because truncating a mapped file may crash the process. The
 * window is an array, because the inspection is fastest over arrays. It is filled through a small
 * direct buffer, because the JDK would otherwise keep a direct buffer as large as the window.
 *
 * <p>A batch above the maximum size is mapped alone, so that its size does not determine the memory
 * use.
 *
 * <p>Confined to one thread.
 */
public final class SegmentWindow {
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
   * @param bytes the initial size
   * @param maxBytes the maximum size, at least {@code bytes}
   */
  public SegmentWindow(int bytes, int maxBytes) {
    this.maxBytes = Math.max(bytes, maxBytes);
    array = ByteBuffer.allocate(bytes);
    staging = ByteBuffer.allocateDirect(Math.min(bytes, STAGING_BYTES));
  }

  /** Discards the content. Must be called before another segment is loaded. */
  public void clear() {
    buffer = NOTHING;
    mapped = false;
    filled = 0;
  }

  /**
   * Makes at least {@code need} bytes readable.
   *
   * @param segment the segment to read, the same until {@link #clear}
   * @param from the position of the first byte
   * @param need the number of bytes; the segment must have them
   * @param end the position after the last byte that may be read
   */
  public void load(Segment segment, long from, int need, long end) throws IOException {
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

  /**
   * Moves the loaded bytes from a position on to the front of the array, and returns their number.
   * If {@code need} exceeds the array, a larger array replaces it.
   */
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

  /** Reads ahead. If that fails, reads only the needed bytes, which may precede a bad sector. */
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

  /** Returns the memory, valid until the next load. Its position and limit have no meaning. */
  public ByteBuffer buffer() {
    return buffer;
  }

  /** Returns the index in {@link #buffer} of a position in the segment. */
  public int indexOf(long position) {
    return (int) (position - start);
  }

  /** Returns the index in {@link #buffer} after the last loaded byte. */
  public int limit() {
    return filled;
  }
}
