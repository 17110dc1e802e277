// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes of one segment. After {@link #open}, several threads may read at once.
 *
 * <p>The size is fixed when the segment is opened. Bytes that are appended later are not checked.
 *
 * <p>The users of a segment are the walk and each slice that is not checked yet. The last {@link
 * #release} closes the segment.
 */
abstract class Segment implements Closeable {
  private static final int NAME_DIGITS = 20;
  private static final String EXTENSION = ".log";

  private final String name;
  private final long baseOffset;
  private long size;
  private boolean opened;

  /** The number of users: 1 for the walk, and 1 per slice that is not checked yet. */
  private final AtomicInteger users = new AtomicInteger(1);

  private final AtomicLong failedAt = new AtomicLong(Long.MAX_VALUE);

  /**
   * Creates a segment.
   *
   * @param name the name to show in reports
   * @param fileName the last element of the path, which may contain the base offset
   */
  Segment(String name, String fileName) {
    this.name = name;
    this.baseOffset = baseOffset(fileName);
  }

  /** Parses the base offset of a name such as 00000000000000000042.log; 0 for other names. */
  private static long baseOffset(String fileName) {
    int digits = fileName.length() - EXTENSION.length();
    if (digits != NAME_DIGITS || !fileName.endsWith(EXTENSION)) {
      return 0;
    }
    for (int i = 0; i < digits; i++) {
      if (fileName.charAt(i) < '0' || fileName.charAt(i) > '9') {
        return 0;
      }
    }
    try {
      return Long.parseLong(fileName.substring(0, digits));
    } catch (NumberFormatException tooLarge) {
      return 0;
    }
  }

  /** Opens the segment for reading. Must be called before other threads use the segment. */
  final void open() throws IOException {
    openBytes();
    size = currentSize();
    opened = true;
  }

  /** Opens the underlying bytes for reading. */
  abstract void openBytes() throws IOException;

  /** Returns the current size in bytes. */
  abstract long currentSize() throws IOException;

  /**
   * Fails if the segment is now shorter than when it was opened. Callers check this before they
   * report a fault, because mapped bytes after the new end read as zeros.
   */
  final void checkNotShorter() throws IOException {
    long now = currentSize();
    if (now < size) {
      throw shorter(now);
    }
  }

  /** Returns the error for a file that became shorter during the check. */
  static EOFException shorter(long at) {
    return new EOFException("the file became shorter while it was read, at byte " + at);
  }

  /** Returns true if {@link #open} succeeded. */
  final boolean isOpened() {
    return opened;
  }

  /** Returns the name to show in reports. */
  final String name() {
    return name;
  }

  /** Returns the topic, or an empty text if the path does not name a partition. */
  String topic() {
    return "";
  }

  /** Returns the size in bytes when the segment was opened, or 0 before. */
  final long size() {
    return size;
  }

  /** Returns the smallest offset that the segment may contain. */
  final long baseOffset() {
    return baseOffset;
  }

  /** Adds a user. The caller must be a user already. */
  final void retain() {
    users.incrementAndGet();
  }

  /** Removes a user, which must not read afterward. Closes the segment after the last user. */
  final void release() throws IOException {
    if (users.decrementAndGet() == 0) {
      close();
    }
  }

  /** Marks all slices after a failed slice as abandoned, so that they are not read. */
  final void abandonAfter(long slice) {
    failedAt.accumulateAndGet(slice, Math::min);
  }

  /** Returns true if an earlier slice could not be read. */
  final boolean isAbandoned(long slice) {
    return slice > failedAt.get();
  }

  /** Fills the buffer with the bytes from a position on. Fails if the segment has fewer bytes. */
  abstract void read(ByteBuffer target, long position) throws IOException;

  /** Returns a view of a byte range without copying the bytes. */
  abstract ByteBuffer map(long position, int bytes) throws IOException;
}
