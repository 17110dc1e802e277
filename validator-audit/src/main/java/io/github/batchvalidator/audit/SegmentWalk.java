// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.SegmentReason;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.format.BatchIterator;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.BigEndian;
import io.github.batchvalidator.rule.Reason;
import java.io.IOException;
import java.io.Serializable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A walk over a segment that splits it into slices of whole batches.
 *
 * <p>The walk reads only batch headers as long as it trusts the length fields. It trusts a length
 * if the batch fits the file, and a batch that fits the file, zeros or its end follow. If anything
 * else follows, the checksum shows whether the batch or its successor is damaged.
 *
 * <p>After damage, the walk continues at the next intact batch ({@link BatchSearch}). If there is
 * none, the file ends inside a batch, or the rest cannot be checked.
 *
 * <p>Confined to one thread at a time.
 */
public final class SegmentWalk {
  /**
   * The number of batches at which a slice ends. A slice with more would have to wait for its turn
   * in {@link SliceMerge} while it is read.
   */
  private static final int MAX_BATCHES = SliceResult.MAX_ENTRIES - 1;

  private static final int WINDOW_BYTES = 1 << 12;

  /** How often to look at a file that was written to, whose last batch may be complete soon. */
  private static final int MAX_LOOKS = 50;

  private static final int MAX_LOOKS_IF_FRESH = 10;

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /**
   * The number of bytes from the start of a batch of magic 2 to the end of its last offset delta.
   */
  private static final int OFFSET_FIELDS_BYTES =
      BatchLayout.LAST_OFFSET_DELTA_OFFSET + Integer.BYTES;

  private final Segment segment;
  private final long sliceBytes;
  private final SegmentWindow window = new SegmentWindow(WINDOW_BYTES, WINDOW_BYTES);
  private final BatchIterator batches = new BatchIterator();
  private @Nullable BatchSearch search;
  private final long searchedBefore;
  private long at;
  private long previousOffset;

  /**
   * The state of a walk between two slices. A walk that continues there finds the same slices.
   *
   * @param at the position of the next batch
   * @param previousOffset the last offset before it
   * @param searched the cost of the searches so far
   */
  public record State(long at, long previousOffset, long searched) implements Serializable {
    /** Returns the state before the first batch. */
    public static State start(Segment segment) {
      return new State(0, segment.baseOffset() - 1, 0);
    }
  }

  /**
   * Creates a walk that starts at the first batch.
   *
   * @param sliceBytes the target size of a slice, in bytes; the batch that reaches it ends the
   *     slice, unless it has too many batches before
   */
  public SegmentWalk(Segment segment, long sliceBytes) {
    this(segment, sliceBytes, State.start(segment));
  }

  /**
   * Creates a walk that continues another.
   *
   * @param sliceBytes the target size of a slice, in bytes; the batch that reaches it ends the
   *     slice
   * @param state the state of the other walk
   */
  public SegmentWalk(Segment segment, long sliceBytes, State state) {
    this.segment = segment;
    this.sliceBytes = sliceBytes;
    at = state.at();
    previousOffset = state.previousOffset();
    searchedBefore = state.searched();
  }

  public Segment segment() {
    return segment;
  }

  /** Returns the state after the last slice. */
  public State state() {
    BatchSearch used = search;
    return new State(at, previousOffset, used == null ? searchedBefore : used.searched());
  }

  /** Returns false if a search reached its cost limit, so that the last slice proves nothing. */
  public boolean isSearchComplete() {
    return search == null || search.isComplete();
  }

  /** Returns the next slice, which may be empty. Must not be called after the last slice. */
  public Slice next(long index) throws IOException {
    return next(index, segment.size());
  }

  /**
   * Returns the next slice, which may be empty. Must not be called after the last slice.
   *
   * @param end the position that ends the slice; the last batch may exceed it
   */
  public Slice next(long index, long end) throws IOException {
    long from = at;
    long bound = Math.min(end, segment.size());
    int count = 0;
    try {
      while (at < bound && at - from < sliceBytes && count < MAX_BATCHES) {
        long to = at;
        Fault fault = step();
        count++;
        if (fault != null) {
          return new Slice(index, segment, from, to, fault, at == segment.size());
        }
        bound = Math.min(bound, segment.size());
      }
    } catch (IOException e) {
      if (at == from) {
        throw e;
      }
      // The batches before the error can be checked. The next call runs into the error again.
    }
    return new Slice(index, segment, from, at, null, at == segment.size());
  }

  /**
   * Moves past one batch and returns null. After damage, moves to where the walk can continue and
   * returns the fault.
   */
  private @Nullable Fault step() throws IOException {
    long start = at;
    long left = segment.size() - start;
    long bytes = declaredBytes(start);
    Reason failure = batches.failure();
    long operand = batches.operand();
    boolean fits = bytes > 0 && bytes <= left;
    boolean isOdd = start == 0 && !new SegmentStart(segment, window).isPlausible();
    // Read before isFollowed() moves the window forward, which saves moving it back.
    long lastOffset = fits ? lastOffset(start, bytes) : Fault.UNKNOWN;
    if (fits && ((!isOdd && isFollowed(start + bytes)) || isIntact(start, bytes))) {
      return isTorn(start, bytes) ? tail(start, bytes, false) : advance(start + bytes, lastOffset);
    }
    if (!fits && !isOdd) {
      boolean zero = search().isZero(start, segment.size());
      if (zero || left < BatchLayout.PREFIX_BYTES) {
        return isBeingWritten(start) ? cut(start) : tail(start, bytes, zero);
      }
    }
    long resume = findAfter(start);
    if (isOdd && resume == BatchSearch.NOT_FOUND && search().isComplete()) {
      return notRecognized();
    }
    if (fits && isLengthLikely(start + bytes, resume)) {
      return advance(start + bytes, lastOffset);
    }
    String why = "no batch starts where the length field points";
    if (!fits && failure != null) {
      why = failure.describe(operand, left);
    }
    if (resume != BatchSearch.NOT_FOUND) {
      return corrupt(start, resume, why);
    }
    if (bytes > 0 && !fits && isBeingWritten(start)) {
      return cut(start);
    }
    return bytes > 0 && isSearchable(start) ? tail(start, bytes, false) : stopped(start, why);
  }

  /**
   * Returns true if a damaged batch is more likely to end where its length field points than where
   * the next intact batch starts.
   */
  private boolean isLengthLikely(long end, long resume) throws IOException {
    if (resume == BatchSearch.NOT_FOUND) { // a few bytes at the end are the rest of the batch
      return end == segment.size() || segment.size() - end >= BatchLayout.PREFIX_BYTES;
    }
    boolean isRoom = resume - end >= BatchLayout.HEADER_BYTES;
    return resume == end || (isRoom && declaredBytes(end) > 0); // another damaged batch
  }

  /**
   * Returns true if the incomplete batch at the end of the file is complete by now, because a
   * broker was writing it. Waits a moment for that if the file is new or has changed.
   */
  private boolean isBeingWritten(long start) throws IOException {
    long end = segment.size();
    int looks = 0;
    boolean isComplete = false;
    while (!isComplete && looks < looksFor()) {
      segment.grow();
      window.clear();
      long bytes = declaredBytes(start);
      isComplete =
          bytes > 0
              && start + bytes <= segment.size()
              && isIntact(start, bytes, new BatchSearch(segment));
      segment.cutTo(end);
      looks++;
      LockSupport.parkNanos(isComplete ? 0 : PAUSE_NANOS);
    }
    window.clear();
    return isComplete;
  }

  private int looksFor() {
    if (segment.lookAgain() == Segment.Look.WRITTEN) {
      return MAX_LOOKS;
    }
    return segment.isFresh() ? MAX_LOOKS_IF_FRESH : 0;
  }

  /** Ends the walk before a batch that was not complete when the segment was opened. */
  private @Nullable Fault cut(long start) {
    segment.cutTo(start);
    return null;
  }

  /**
   * Finds the next intact batch with a base offset above the last offset so far. If there is none,
   * finds the next intact batch with any valid base offset.
   *
   * <p>The last offset is not verified. If it is too large, the first search finds nothing.
   */
  private long findAfter(long start) throws IOException {
    long least = segment.baseOffset() - 1;
    long resume = search().find(start + 1, previousOffset);
    return resume == BatchSearch.NOT_FOUND && previousOffset > least
        ? search().find(start + 1, least)
        : resume;
  }

  /**
   * Returns true if the search would have found a following batch. The search must be complete, and
   * the batch at {@code start} must have magic 2, because the search finds no other magic.
   */
  private boolean isSearchable(long start) throws IOException {
    load(start, BatchLayout.PREFIX_BYTES);
    return search().isComplete()
        && BatchLayout.magicAt(window.buffer(), window.indexOf(start)) == BatchLayout.MAGIC_V2;
  }

  private @Nullable Fault advance(long end, long lastOffset) {
    previousOffset = lastOffset;
    at = end;
    return null;
  }

  private long lastOffset(long start, long bytes) throws IOException {
    load(start, OFFSET_FIELDS_BYTES);
    int index = window.indexOf(start);
    long offset = BatchLayout.baseOffsetAt(window.buffer(), index);
    long delta = 0;
    if (BatchLayout.magicAt(window.buffer(), index) == BatchLayout.MAGIC_V2
        && bytes >= BatchLayout.HEADER_BYTES) {
      delta = BigEndian.getInt(window.buffer(), index + BatchLayout.LAST_OFFSET_DELTA_OFFSET);
    }
    return Math.max(offset, offset + delta);
  }

  /**
   * Returns the size in bytes that the batch at a position declares, or 0 if its prefix is invalid.
   *
   * <p>If the size is 0 or exceeds the rest of the segment, {@code batches.failure()} is the cause.
   */
  private long declaredBytes(long position) throws IOException {
    load(position, BatchLayout.PREFIX_BYTES);
    int index = window.indexOf(position);
    batches.wrap(window.buffer(), index, window.limit());
    if (batches.next()) {
      return batches.sizeInBytes();
    }
    boolean whole = batches.left() >= BatchLayout.PREFIX_BYTES;
    return whole && batches.failure() == Reason.FRAMING_INCOMPLETE ? batches.operand() : 0;
  }

  /**
   * Returns true if the bytes at the end position of a batch do not contradict its length: nothing,
   * a batch that fits the file, or zeros.
   */
  private boolean isFollowed(long position) throws IOException {
    long left = segment.size() - position;
    if (left < BatchLayout.PREFIX_BYTES) {
      return left == 0 || search().isZero(position, segment.size());
    }
    long bytes = declaredBytes(position);
    return bytes > 0
        ? bytes <= left
        : search().isZero(position, position + BatchLayout.PREFIX_BYTES);
  }

  /**
   * Returns true if the batch is damaged and only zeros follow. The write of the batch was not
   * completed, and a broker truncates the batch when it starts.
   */
  private boolean isTorn(long start, long bytes) throws IOException {
    long end = start + bytes;
    return end < segment.size()
        && declaredBytes(end) == 0
        && search().isZero(end, Math.min(end + BatchLayout.PREFIX_BYTES, segment.size()))
        && !isIntact(start, bytes)
        && search().isZero(end, segment.size());
  }

  private boolean isIntact(long start, long bytes) throws IOException {
    return isIntact(start, bytes, search());
  }

  private boolean isIntact(long start, long bytes, BatchSearch with) throws IOException {
    load(start, BatchLayout.PREFIX_BYTES);
    byte magic = BatchLayout.magicAt(window.buffer(), window.indexOf(start));
    boolean hasHeader = magic != BatchLayout.MAGIC_V2 || bytes >= BatchLayout.HEADER_BYTES;
    return hasHeader && with.isIntact(start, bytes, magic);
  }

  private void load(long position, int bytes) throws IOException {
    int need = (int) Math.min(bytes, segment.size() - position);
    window.load(segment, position, need, segment.size());
  }

  private BatchSearch search() {
    BatchSearch current = search;
    if (current == null) {
      current = new BatchSearch(segment, searchedBefore);
      search = current;
    }
    return current;
  }

  private Fault tail(long start, long bytes, boolean zero) throws IOException {
    long left = segment.size() - start;
    String what = "the file ends inside a batch";
    if (zero) {
      what = "only zeros follow";
    } else if (bytes > 0 && bytes < left) {
      what = "only zeros follow a damaged batch of " + bytes + " bytes";
    } else if (bytes > 0) {
      what += " of " + bytes + " bytes";
    }
    long offset = zero ? Fault.UNKNOWN : offsetAt(start);
    SegmentReason reason = SegmentReason.SEGMENT_TRUNCATED_TAIL;
    return skip(Fault.skipping(reason, what, start, offset, Fault.UNKNOWN, left), segment.size());
  }

  private Fault corrupt(long start, long resume, String why) throws IOException {
    SegmentReason reason = SegmentReason.SEGMENT_FRAMING_CORRUPT;
    return skip(
        Fault.skipping(reason, why, start, offsetAt(start), resume, resume - start), resume);
  }

  private Fault stopped(long start, String why) throws IOException {
    long left = segment.size() - start;
    SegmentReason reason = SegmentReason.SEGMENT_SCAN_STOPPED;
    return skip(
        Fault.skipping(reason, why, start, offsetAt(start), Fault.UNKNOWN, left), segment.size());
  }

  private Fault notRecognized() throws IOException {
    SegmentReason reason = SegmentReason.SEGMENT_NOT_RECOGNIZED;
    String why = new SegmentStart(segment, window).describe();
    long unknown = Fault.UNKNOWN;
    return skip(Fault.skipping(reason, why, 0, unknown, unknown, segment.size()), segment.size());
  }

  /** Moves the walk and returns the fault. A failed check leaves the walk where it was. */
  private Fault skip(Fault fault, long to) throws IOException {
    segment.checkNotShorter();
    at = to;
    return fault;
  }

  private long offsetAt(long start) throws IOException {
    if (segment.size() - start < Long.BYTES) {
      return Fault.UNKNOWN;
    }
    load(start, Long.BYTES);
    return BatchLayout.baseOffsetAt(window.buffer(), window.indexOf(start));
  }
}
