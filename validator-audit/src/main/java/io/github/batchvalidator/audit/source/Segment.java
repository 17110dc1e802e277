// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.source;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of one segment. After {@link #open}, several threads may read at once.
 *
 * <p>The size is fixed when the segment is opened. Bytes that are appended later are not checked,
 * nor is a batch whose write was not complete then.
 *
 * <p>The users of a segment are the walk and each slice that is not checked yet. The last {@link
 * #release} closes the segment.
 */
public abstract class Segment implements Closeable {
  private final String name;
  private final String fileName;
  private final long baseOffset;
  private final boolean metadataSnapshot;
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
  public Segment(String name, String fileName) {
    this.name = name;
    this.fileName = fileName;
    baseOffset = SegmentNames.baseOffset(fileName);
    metadataSnapshot = SegmentNames.isMetadataSnapshot(fileName);
  }

  /** Opens the segment for reading. Must be called before other threads use the segment. */
  public final void open() throws IOException {
    openBytes();
    size = currentSize();
    opened = true;
  }

  /** Opens the underlying bytes for reading. */
  public abstract void openBytes() throws IOException;

  /** Returns the current size in bytes. */
  public abstract long currentSize() throws IOException;

  /**
   * Fails if the segment is now shorter than when it was opened. Callers check this before they
   * report a fault, because mapped bytes after the new end read as zeros.
   */
  public final void checkNotShorter() throws IOException {
    long now = currentSize();
    if (now < size) {
      throw shorter(now);
    }
  }

  /** Returns the error for a file that became shorter during the check. */
  public static EOFException shorter(long at) {
    return new EOFException("the file became shorter while it was read, at byte " + at);
  }

  /**
   * The result of a later look at a file. A broker appends to segments, replaces and deletes them.
   */
  public enum Look {
    /** The file is the one that was opened, and was not written to since. */
    SAME,
    /** The file is the one that was opened, and was written to since. */
    WRITTEN,
    /** The name leads to no file, or to another one. */
    REPLACED
  }

  /** Looks at the file again. A fault may come from a change that a broker made meanwhile. */
  public Look lookAgain() {
    return Look.SAME;
  }

  /** Returns true if the file was written to in the last seconds, so that a write may go on. */
  public boolean isFresh() {
    return false;
  }

  /** Returns true if a search found the file, so that a broker may delete it before it is read. */
  public boolean isSearched() {
    return false;
  }

  /** Adds the bytes that were appended since the segment was opened. */
  public final void grow() throws IOException {
    size = Math.max(size, latestSize());
  }

  /** Returns the size with the bytes that were appended since the segment was opened. */
  protected long latestSize() throws IOException {
    return currentSize();
  }

  /** Leaves the bytes from a position on unchecked, because they were appended later. */
  public final void cutTo(long end) {
    size = Math.min(size, end);
  }

  /** Returns true if {@link #open} succeeded. */
  public final boolean isOpened() {
    return opened;
  }

  /** Returns the name to show in reports. */
  public final String name() {
    return name;
  }

  /** Returns the name that the file has, or would have in the directory of a broker. */
  public final String fileName() {
    return fileName;
  }

  /** Returns the topic, or an empty text if the path does not name a partition. */
  public String topic() {
    return "";
  }

  /** Returns the partition if its segments are compared with each other, or null. */
  public @Nullable Partition partition() {
    return null;
  }

  /** Returns a file beside the segment, or null if it does not exist. */
  public @Nullable StoredFile companion(Companion kind) {
    return null;
  }

  /** Returns the name of a file beside the segment, or null if it is not named {@code *.log}. */
  protected final @Nullable String companionName(Companion kind) {
    if (!fileName.endsWith(SegmentNames.EXTENSION)) {
      return null;
    }
    int stem = fileName.length() - SegmentNames.EXTENSION.length();
    return fileName.substring(0, stem) + kind.suffix();
  }

  /** Returns what a tiered storage keeps of the segment, or null for other segments. */
  public @Nullable Upload upload() {
    return null;
  }

  /** Ends the use of the segment and of what belongs to it. */
  public void end() {}

  /** Returns true for a snapshot of KRaft, whose offsets start at 0. */
  public final boolean isMetadataSnapshot() {
    return metadataSnapshot;
  }

  /** Returns true if the batches of the segment are compared with each other. */
  public final boolean isAudited() {
    return metadataSnapshot || partition() != null;
  }

  /** Returns the size in bytes when the segment was opened, or 0 before. */
  public final long size() {
    return size;
  }

  /** Returns the smallest offset that the segment may contain. */
  public final long baseOffset() {
    return baseOffset;
  }

  /** Adds a user. The caller must be a user already. */
  public final void retain() {
    users.incrementAndGet();
  }

  /** Removes a user, which must not read afterward. Closes the segment after the last user. */
  public final void release() throws IOException {
    if (users.decrementAndGet() == 0) {
      close();
    }
  }

  /** Marks all slices after a failed slice as abandoned, so that they are not read. */
  public final void abandonAfter(long slice) {
    failedAt.accumulateAndGet(slice, Math::min);
  }

  /** Returns true if an earlier slice could not be read. */
  public final boolean isAbandoned(long slice) {
    return slice > failedAt.get();
  }

  /** Fills the buffer with the bytes from a position on. Fails if the segment has fewer bytes. */
  public abstract void read(ByteBuffer target, long position) throws IOException;

  /** Returns a view of a byte range without copying the bytes. */
  public abstract ByteBuffer map(long position, int bytes) throws IOException;
}
