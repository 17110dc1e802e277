// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.tiered;

import org.jspecify.annotations.Nullable;

/** The chunks of a log object. Each chunk but the last has the same size before compression. */
final class ChunkIndex {
  private final int chunkBytes;
  private final int logBytes;
  private final int count;

  /** The size in the object of each chunk but the last, if that is the same. */
  private final int storedBytes;

  private final int lastStoredBytes;

  /** The position after each chunk in the object, or null if the sizes are the same. */
  private final long @Nullable [] ends;

  private ChunkIndex(
      int chunkBytes, int logBytes, int storedBytes, int lastStoredBytes, long @Nullable [] ends) {
    this.chunkBytes = chunkBytes;
    this.logBytes = logBytes;
    this.count = count(chunkBytes, logBytes);
    this.storedBytes = storedBytes;
    this.lastStoredBytes = lastStoredBytes;
    this.ends = ends;
  }

  /**
   * Returns an index of chunks that have the same size in the object.
   *
   * @param chunkBytes the size of a chunk before compression, at least 1
   * @param logBytes the size of the log before compression
   * @param storedBytes the size of a chunk in the object
   * @param lastStoredBytes the size of the last chunk in the object
   */
  static ChunkIndex fixed(int chunkBytes, int logBytes, int storedBytes, int lastStoredBytes) {
    return new ChunkIndex(chunkBytes, logBytes, storedBytes, lastStoredBytes, null);
  }

  /**
   * Returns an index of chunks of different sizes.
   *
   * @param ends the position after each chunk in the object, {@link #count} of them
   */
  static ChunkIndex variable(int chunkBytes, int logBytes, long[] ends) {
    return new ChunkIndex(chunkBytes, logBytes, 0, 0, ends);
  }

  /** Returns the number of chunks of a log. */
  static int count(int chunkBytes, int logBytes) {
    return (int) (((long) logBytes + chunkBytes - 1) / chunkBytes);
  }

  int count() {
    return count;
  }

  int chunkBytes() {
    return chunkBytes;
  }

  /** Returns the size of the log before compression. */
  int logBytes() {
    return logBytes;
  }

  /** Returns the number of bytes of the object. */
  long objectBytes() {
    return objectStart(count);
  }

  /** Returns the chunk that has a byte of the log. */
  int chunkOf(long position) {
    return (int) (position / chunkBytes);
  }

  /** Returns the position in the log of the first byte of a chunk. */
  long logStart(int chunk) {
    return (long) chunk * chunkBytes;
  }

  /** Returns the size of a chunk before compression. */
  long logBytes(int chunk) {
    return Math.min(chunkBytes, logBytes - logStart(chunk));
  }

  /** Returns the position of a chunk in the object. With {@link #count}, the end of the object. */
  long objectStart(int chunk) {
    if (ends != null) {
      return chunk == 0 ? 0 : ends[chunk - 1];
    }
    if (chunk == count && count > 0) {
      return (long) (count - 1) * storedBytes + lastStoredBytes;
    }
    return (long) chunk * storedBytes;
  }

  /** Returns the size of a chunk in the object. */
  long objectBytes(int chunk) {
    return objectStart(chunk + 1) - objectStart(chunk);
  }
}
