// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.repair;

import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.walk.SegmentWindow;
import io.github.batchvalidator.format.BatchHeader;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.LegacyHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over the batches of a run. It is at one batch, or at the end.
 *
 * <p>The batches were checked before. A size that does not fit the run anymore means that the file
 * has changed since.
 */
final class RunCursor {
  private final Run run;
  private final SegmentWindow window;
  private final BatchHeader header = new BatchHeader();
  private final LegacyHeader message = new LegacyHeader();
  private long at;
  private int size;
  private long base;
  private long last;
  private boolean isCurrent;

  RunCursor(Run run, SegmentWindow window) {
    this.run = run;
    this.window = window;
    at = run.from();
    last = run.first() - 1;
  }

  Run run() {
    return run;
  }

  Copy copy() {
    return run.copy();
  }

  SegmentWindow window() {
    return window;
  }

  /** Moves to the next batch. Returns false at the end. */
  boolean next() throws IOException {
    at += size;
    size = 0;
    if (at >= run.to()) {
      return false;
    }
    Segment segment = run.segment();
    load(segment, BatchLayout.PREFIX_BYTES);
    long bytes =
        (long) BatchLayout.LOG_OVERHEAD + BatchLayout.lengthAt(window.buffer(), window.indexOf(at));
    isCurrent = magic() == BatchLayout.MAGIC_V2;
    int least = isCurrent ? BatchLayout.HEADER_BYTES : LEAST_BYTES;
    if (bytes < least || bytes > run.to() - at) {
      throw changed();
    }
    load(segment, (int) bytes);
    size = (int) bytes;
    offsets();
    return last <= run.last();
  }

  private static final int LEAST_BYTES = BatchLayout.LOG_OVERHEAD + BatchLayout.MIN_LENGTH;

  private void load(Segment segment, int need) throws IOException {
    if (need > run.to() - at) {
      throw changed();
    }
    window.load(segment, at, need, run.to());
  }

  private void offsets() throws IOException {
    long before = last;
    if (isCurrent) {
      header.read(window.buffer(), index(), size);
      base = header.baseOffset();
      last = header.lastOffset();
    } else { // the offset of a message with inner messages is that of the last one
      message.read(window.buffer(), index());
      last = message.offset();
      base = message.codecId() == 0 ? last : before + 1;
    }
    if (base <= before || last < base) {
      throw changed();
    }
  }

  private IOException changed() {
    return new IOException(run.segment().name() + " changed while it was read, at byte " + at);
  }

  private byte magic() {
    return BatchLayout.magicAt(window.buffer(), window.indexOf(at));
  }

  long position() {
    return at;
  }

  int size() {
    return size;
  }

  long base() {
    return base;
  }

  long last() {
    return last;
  }

  /** Returns the header, or null for a message of magic 0 or 1. */
  @Nullable BatchHeader header() {
    return isCurrent ? header : null;
  }

  /** Returns the largest timestamp, or a number below 0. */
  long maxTimestamp() {
    return isCurrent ? header.maxTimestamp() : message.magic() == 0 ? -1 : message.timestamp();
  }

  /** Returns the leader epoch, or {@link EpochHistory#UNKNOWN}. */
  int epoch() {
    return isCurrent ? header.partitionLeaderEpoch() : EpochHistory.UNKNOWN;
  }

  ByteBuffer buffer() {
    return window.buffer();
  }

  /** Returns the index of the batch in the buffer. */
  int index() {
    return window.indexOf(at);
  }

  /**
   * Returns true if all offsets of the batch have a record, so that nothing was removed. Returns
   * false for a message with inner messages: its header does not say how many there are.
   */
  boolean isFull() {
    return isCurrent ? header.recordCount() == last - base + 1 : message.codecId() == 0;
  }

  /**
   * Returns the index of the first byte that differs from the batch of another cursor, or -1.
   *
   * @param from the index to start at
   */
  int mismatch(RunCursor other, int from) {
    int bytes = Math.min(size, other.size) - from;
    ByteBuffer mine = buffer().duplicate().clear();
    ByteBuffer theirs = other.buffer().duplicate().clear();
    mine.position(index() + from).limit(index() + from + bytes);
    theirs.position(other.index() + from).limit(other.index() + from + bytes);
    int at = mine.mismatch(theirs);
    return at < 0 ? -1 : from + at;
  }
}
