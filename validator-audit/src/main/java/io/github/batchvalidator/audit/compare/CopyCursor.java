// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.compare;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.walk.SegmentWalk;
import io.github.batchvalidator.audit.walk.SegmentWindow;
import io.github.batchvalidator.audit.walk.Slice;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.BigEndian;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over the batches of a copy, in the order of its files.
 *
 * <p>{@link SegmentWalk} decides where batches start, as in {@code ./check}. What it finds between
 * two batches is the trouble of the second one: damaged bytes, files that a broker has deleted, and
 * files that cannot be read.
 *
 * <p>Confined to one thread. Allocates per slice and per trouble, not per batch.
 */
final class CopyCursor implements Closeable {
  /** The offset of a batch that does not exist. */
  static final long NO_OFFSET = Long.MAX_VALUE;

  private static final long SLICE_BYTES = 1L << 23;
  private static final int LAST_DELTA_END = BatchLayout.LAST_OFFSET_DELTA_OFFSET + Integer.BYTES;

  private final CopyFiles files;
  private final SegmentWindow window;
  private final LongConsumer progress;
  private final Trouble trouble = new Trouble();

  private @Nullable Segment segment;
  private @Nullable SegmentWalk walk;
  private @Nullable Slice slice;
  private long nextBase;

  /** The position of the next batch. */
  private long next;

  private boolean ended;
  private long position;
  private int bytes;
  private long baseOffset = NO_OFFSET;
  private long lastOffset = NO_OFFSET;

  /**
   * Creates a cursor before the first batch.
   *
   * @param window is used by this cursor only
   * @param progress receives the number of bytes done
   */
  CopyCursor(CopyFiles files, SegmentWindow window, LongConsumer progress) {
    this.files = files;
    this.window = window;
    this.progress = progress;
    nextBase = files.bases().isEmpty() ? NO_OFFSET : files.bases().first();
  }

  /** Moves to the first batch that starts at an offset or later. */
  void seek(long offset) {
    Long base = files.bases().floor(offset);
    nextBase = base == null ? nextBase : base;
    advance();
    while (!ended && baseOffset < offset) {
      advance();
    }
    if (baseOffset == offset) {
      trouble.clear(); // it is before the offset
    }
  }

  /** Moves to the next batch, whose trouble is what was found on the way. */
  void advance() {
    trouble.clear();
    step();
  }

  /**
   * Moves past a batch that is no part of the log, which becomes trouble of the next one.
   *
   * @param fault says why
   */
  void skip(Fault fault) {
    trouble.fault(name(), fault);
    step();
  }

  /** Moves past a batch that is no part of the log, which is no fault. */
  void skip() {
    step();
  }

  private void step() {
    while (!ended) {
      try {
        if (isAtBatch()) {
          read();
          return;
        }
        endSlice();
      } catch (NoSuchFileException gone) {
        trouble.gone();
        close();
      } catch (IOException | InternalError e) { // reads of truncated mappings throw InternalError
        trouble.error(name(), e);
        close();
      }
    }
    baseOffset = NO_OFFSET;
    lastOffset = NO_OFFSET;
    bytes = 0;
  }

  private boolean isAtBatch() {
    Slice current = slice;
    return current != null && next < current.to();
  }

  /** Moves to the next slice, which may be in the next segment. */
  private void endSlice() throws IOException {
    Slice before = slice;
    if (before != null && before.fault() != null) {
      progress.accept(before.fault().skippedBytes());
      trouble.fault(name(), before.fault());
    }
    if (before != null && before.last()) {
      close();
    }
    SegmentWalk current = walk;
    if (current == null) {
      current = open();
    }
    if (current != null) {
      Slice following = current.next(0);
      slice = following;
      next = following.from();
    }
  }

  private @Nullable SegmentWalk open() throws IOException {
    ended = nextBase == NO_OFFSET;
    if (ended) {
      return null;
    }
    Segment opened = files.segment(nextBase);
    segment = opened;
    Long higher = files.bases().higher(nextBase);
    nextBase = higher == null ? NO_OFFSET : higher;
    window.clear();
    opened.open();
    SegmentWalk started = new SegmentWalk(opened, SLICE_BYTES);
    walk = started;
    return started;
  }

  private void read() throws IOException {
    Segment from = segment;
    Slice current = slice;
    if (from == null || current == null) {
      throw new IllegalStateException("no slice");
    }
    long end = current.to();
    window.load(from, next, (int) Math.min(LAST_DELTA_END, end - next), end);
    int at = window.indexOf(next);
    long size = BatchLayout.LOG_OVERHEAD + (long) BatchLayout.lengthAt(window.buffer(), at);
    if (size < BatchLayout.PREFIX_BYTES || size > end - next) {
      throw new IOException("the file changed while it was read, at byte " + next);
    }
    window.load(from, next, (int) size, end);
    position = next;
    bytes = (int) size;
    next += size;
    progress.accept(size);
    readOffsets(window.buffer(), window.indexOf(position));
  }

  private void readOffsets(ByteBuffer buffer, int at) {
    baseOffset = BatchLayout.baseOffsetAt(buffer, at);
    int delta = 0;
    if (BatchLayout.magicAt(buffer, at) == BatchLayout.MAGIC_V2 && bytes >= LAST_DELTA_END) {
      delta = BigEndian.getInt(buffer, at + BatchLayout.LAST_OFFSET_DELTA_OFFSET);
    }
    lastOffset = Math.max(baseOffset, baseOffset + delta);
  }

  /** Returns true after the last batch. */
  boolean isEnded() {
    return ended;
  }

  /** Returns what was found between the batch before this one and this one. */
  Trouble trouble() {
    return trouble;
  }

  /** Returns the path of the current file. */
  String name() {
    Segment current = segment;
    return current == null ? files.name() : current.name();
  }

  /** Returns the memory with the batch, until the cursor moves. */
  ByteBuffer buffer() {
    return window.buffer();
  }

  /** Returns the index of the batch in {@link #buffer}. */
  int index() {
    return window.indexOf(position);
  }

  long position() {
    return position;
  }

  int bytes() {
    return bytes;
  }

  byte magic() {
    return BatchLayout.magicAt(buffer(), index());
  }

  /** Returns the base offset, or {@link #NO_OFFSET} after the last batch. */
  long baseOffset() {
    return baseOffset;
  }

  /** Returns the last offset, which is not verified, or {@link #NO_OFFSET}. */
  long lastOffset() {
    return lastOffset;
  }

  /** Returns the leader epoch, or -1 for magic 0 and 1. */
  int leaderEpoch() {
    return magic() == BatchLayout.MAGIC_V2
        ? BigEndian.getInt(buffer(), index() + BatchLayout.PARTITION_LEADER_EPOCH_OFFSET)
        : -1;
  }

  /**
   * Returns the base offset of the batch after this one, or {@link #NO_OFFSET} if it is unknown.
   */
  long followingOffset() {
    Segment current = segment;
    try {
      if (current == null || current.size() - next < BatchLayout.PREFIX_BYTES) {
        return nextBase;
      }
      ByteBuffer prefix = ByteBuffer.allocate(BatchLayout.PREFIX_BYTES);
      current.read(prefix, next);
      byte magic = BatchLayout.magicAt(prefix, 0);
      boolean isBatch = magic >= 0 && magic <= BatchLayout.MAGIC_V2;
      return isBatch ? BatchLayout.baseOffsetAt(prefix, 0) : NO_OFFSET;
    } catch (IOException unknown) {
      return NO_OFFSET;
    }
  }

  /** Returns true if the batches of both cursors have the same bytes from an index on. */
  boolean hasBytesOf(CopyCursor other, int from) {
    if (bytes != other.bytes) {
      return false;
    }
    ByteBuffer mine = buffer();
    ByteBuffer others = other.buffer();
    int at = index();
    int otherAt = other.index();
    if (mine.hasArray() && others.hasArray()) {
      int start = mine.arrayOffset() + at;
      int otherStart = others.arrayOffset() + otherAt;
      return Arrays.equals(
          mine.array(),
          start + from,
          start + bytes,
          others.array(),
          otherStart + from,
          otherStart + bytes);
    }
    int size = bytes - from;
    return slice(mine, at + from, size).equals(slice(others, otherAt + from, size));
  }

  private static ByteBuffer slice(ByteBuffer buffer, int from, int size) {
    return buffer.duplicate().clear().slice(from, size);
  }

  /** Closes the current file. */
  @Override
  public void close() {
    Segment current = segment;
    walk = null;
    slice = null;
    if (current != null) {
      try {
        current.close();
      } catch (IOException ignored) {
        // The file was opened for reading only.
      }
    }
  }
}
