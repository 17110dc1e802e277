// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes of one segment, once opened read by several threads at once. Their number is that at
 * the time of opening: what is appended later is not looked at.
 *
 * <p>The walk and each slice that is not checked yet use the segment. The last {@link #release}
 * closes it.
 */
abstract class Segment implements Closeable {
  private static final int NAME_DIGITS = 20;
  private static final String EXTENSION = ".log";

  private final String name;
  private final long baseOffset;
  private long size;
  private boolean opened;

  /** 1 for the walk, and 1 per slice. */
  private final AtomicInteger users = new AtomicInteger(1);

  private final AtomicLong failedAt = new AtomicLong(Long.MAX_VALUE);

  /**
   * Creates a segment.
   *
   * @param name as it is told to people
   * @param fileName the last part of it, which may tell the base offset
   */
  Segment(String name, String fileName) {
    this.name = name;
    this.baseOffset = baseOffset(fileName);
  }

  /** Reads the base offset out of a name such as 00000000000000000042.log; 0 for other names. */
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

  /** Opens it for reading. Before it is handed to other threads. */
  final void open() throws IOException {
    openBytes();
    size = currentSize();
    opened = true;
  }

  /** Opens it for reading. */
  abstract void openBytes() throws IOException;

  /** Returns the size in bytes as it is now. */
  abstract long currentSize() throws IOException;

  /**
   * Fails if the segment is shorter than at the time of opening. Callers ask before they report a
   * fault, because mapped bytes after the new end read as zeros.
   */
  final void checkNotShorter() throws IOException {
    long now = currentSize();
    if (now < size) {
      throw shorter(now);
    }
  }

  /** Returns the error of a segment that ends earlier than it did. */
  static EOFException shorter(long at) {
    return new EOFException("the file became shorter while it was read, at byte " + at);
  }

  /** Returns true if it could be opened. */
  final boolean isOpened() {
    return opened;
  }

  /** Returns the name as it is told to people. */
  final String name() {
    return name;
  }

  /** Returns the size in bytes; 0 before it is opened. */
  final long size() {
    return size;
  }

  /** Returns the smallest offset that may occur. */
  final long baseOffset() {
    return baseOffset;
  }

  /** Adds a user. The caller is a user itself. */
  final void retain() {
    users.incrementAndGet();
  }

  /** Removes a user, which reads nothing afterward. The last one closes the segment. */
  final void release() throws IOException {
    if (users.decrementAndGet() == 0) {
      close();
    }
  }

  /** Notes that reading a slice failed, so that nobody reads what lies behind it. */
  final void abandonBehind(long slice) {
    failedAt.accumulateAndGet(slice, Math::min);
  }

  /** Returns true if a slice lies behind one that could not be read. */
  final boolean isAbandoned(long slice) {
    return slice > failedAt.get();
  }

  /** Fills the buffer from a position on; fails if there are fewer bytes. */
  abstract void read(ByteBuffer target, long position) throws IOException;

  /** Returns a stretch without reading it into memory of this process. */
  abstract ByteBuffer map(long position, int bytes) throws IOException;
}
