// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.partition;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.SegmentReason;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.source.Segment;
import java.io.Closeable;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * A check of the base offsets of a segment, which no checksum covers.
 *
 * <p>It sees each batch before all other checks. A sound batch with the offset that follows is
 * passed on at once, any other when the two batches after it are known. If a base offset
 * contradicts them, the check decides which field is wrong, reports that field once, and passes the
 * batch on with the right base offset. So one wrong field is no fault of the indexes, the producers
 * or the segments that follow. A batch whose right offset is unknown is not passed on. The other
 * checks then treat its bytes as unreadable.
 *
 * <p>The record count of a batch is under its checksum. A batch is wrong for certain if the next
 * one starts where this one would end with the offset that follows the previous batch.
 *
 * <p>Confined to one thread at a time. Closing it closes the offset index of the segment.
 */
public final class BaseOffsetCheck implements Closeable {
  /** The largest difference between two offsets of a segment. */
  private static final long MAX_RELATIVE_OFFSET = Integer.MAX_VALUE;

  private static final int LOOKAHEAD = 2;

  private static final String NEIGHBORS = "the batch before it and the batch after it show";

  /** A receiver of the decisions, in the order of the batches. */
  public interface Output {
    /** Takes a fault of the segment. */
    void fault(Fault fault);

    /**
     * Takes a batch with its true offsets.
     *
     * @param batch the batch
     * @param isSound false if the batch has a fault of its own
     */
    void batch(StoredBatch batch, boolean isSound);
  }

  /** A batch that is not decided yet. */
  private record Waiting(StoredBatch batch, boolean isSound) {}

  private final Segment segment;
  private final OffsetEvidence evidence;
  private final IndexedOffsets indexed;
  private final Output output;
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
  private boolean isFirst = true;

  /** The offset that follows the previous batch. */
  private long next;

  /** The position after the previous batch. */
  private long position;

  /** The base offset of the first batch. */
  private long origin;

  /**
   * Creates a check of a segment.
   *
   * @param evidence names of other files that state offsets of the segment
   * @param output receives the decisions
   */
  public BaseOffsetCheck(Segment segment, OffsetEvidence evidence, Output output) {
    this.segment = segment;
    this.evidence = evidence;
    indexed = new IndexedOffsets(segment);
    this.output = output;
    next = segment.baseOffset();
  }

  /**
   * Adds the next batch.
   *
   * @param isSound false if the batch has a fault of its own
   */
  public void add(StoredBatch batch, boolean isSound) {
    if (isSound && batch.baseOffset() == next && waiting.isEmpty()) {
      pass(batch, true); // right whatever follows, as nearly all are
      return;
    }
    waiting.add(new Waiting(batch, isSound));
    if (waiting.size() > LOOKAHEAD) {
      decideFirst();
      passUsual();
    }
  }

  private void passUsual() {
    for (Waiting each = waiting.peekFirst();
        each != null && each.isSound() && each.batch().baseOffset() == next;
        each = waiting.peekFirst()) {
      waiting.removeFirst();
      pass(each.batch(), true);
    }
  }

  /** Decides the last batches of the segment. */
  public void end() {
    while (!waiting.isEmpty()) {
      decideFirst();
    }
  }

  @Override
  public void close() {
    indexed.close();
  }

  private void decideFirst() {
    Waiting first = waiting.remove();
    Waiting second = waiting.peekFirst();
    Waiting third = waiting.size() < LOOKAHEAD ? null : waiting.peekLast();
    decide(first, second == null ? null : second.batch(), third == null ? null : third.batch());
  }

  private void decide(Waiting each, @Nullable StoredBatch after, @Nullable StoredBatch later) {
    StoredBatch batch = each.batch();
    if (batch.baseOffset() == next) {
      pass(batch, each.isSound());
      return;
    }
    String proof = proof(batch, after);
    if (proof != null) {
      report(batch, proof + " that it is " + next);
      pass(batch.withBaseOffset(next), false);
    } else if (contradicts(batch, after, later)) {
      report(batch, range(batch, after));
      position = batch.position() + batch.bytes();
    } else {
      checkOrder(batch);
      pass(batch, each.isSound());
    }
  }

  /** Returns what shows that a batch starts at the next offset, or null. */
  private @Nullable String proof(StoredBatch batch, @Nullable StoredBatch after) {
    long end = next + size(batch);
    if (after != null) {
      return after.baseOffset() == end && isAdjacent(batch, after) ? NEIGHBORS : index(batch, end);
    }
    boolean isLast = batch.position() + batch.bytes() == segment.size();
    boolean isBehind = position == batch.position();
    if (isLast && isBehind && evidence.isEnd(segment, end, batch.lastOffset() + 1)) {
      return "the batch before it and the name of the next file show";
    }
    return index(batch, end);
  }

  private @Nullable String index(StoredBatch batch, long end) {
    // The name of the segment is the base of the index, too, so the index proves nothing about it.
    // If compaction has removed records of the batch, its entry may be below its last offset.
    if (isFirst || position != batch.position() || batch.recordCount() != size(batch)) {
      return null;
    }
    return indexed.lastOffset(batch) == end - 1
        ? "the batch before it and the entry of the offset index show"
        : null;
  }

  private static long size(StoredBatch batch) {
    return batch.lastOffset() - batch.baseOffset() + 1;
  }

  private static boolean isAdjacent(StoredBatch batch, StoredBatch after) {
    return batch.position() + batch.bytes() == after.position();
  }

  /** Returns true if the batch, rather than one after it, has the wrong offset. */
  private boolean contradicts(
      StoredBatch batch, @Nullable StoredBatch after, @Nullable StoredBatch later) {
    long base = batch.baseOffset();
    if (!isFirst && batch.lastOffset() - origin > MAX_RELATIVE_OFFSET) {
      return true;
    }
    if (after == null) {
      return base > next && batch.lastOffset() >= evidence.nextSegment(segment);
    }
    boolean hasRoom = after.baseOffset() >= next + size(batch);
    if (base < next) { // a copy of an earlier batch is followed by its successor, or has no room
      return hasRoom && after.baseOffset() != batch.lastOffset() + 1;
    }
    boolean isExchanged = after.lastOffset() + 1 == base;
    boolean fitsLater = later != null && later.baseOffset() > batch.lastOffset();
    return after.baseOffset() <= batch.lastOffset() && hasRoom && !isExchanged && !fitsLater;
  }

  private String range(StoredBatch batch, @Nullable StoredBatch after) {
    long end = after == null ? evidence.nextSegment(segment) : after.baseOffset();
    return end == OffsetEvidence.NO_SEGMENT || end < next + size(batch)
        ? "the batch before it shows that it is at least " + next
        : NEIGHBORS + " that it is " + next + " to " + (end - size(batch));
  }

  private void report(StoredBatch batch, String what) {
    SegmentReason reason = SegmentReason.SEGMENT_BASE_OFFSET_WRONG;
    output.fault(Fault.of(reason, batch, batch.baseOffset(), what));
  }

  private void checkOrder(StoredBatch batch) {
    if (batch.baseOffset() >= next) {
      return;
    }
    SegmentReason reason = SegmentReason.SEGMENT_OFFSETS_OUT_OF_ORDER;
    long other = next - 1;
    if (isFirst) {
      reason = SegmentReason.SEGMENT_OFFSET_BELOW_BASE;
      other = next;
    }
    output.fault(Fault.of(reason, batch.position(), batch.baseOffset(), batch.baseOffset(), other));
  }

  private void pass(StoredBatch batch, boolean isSound) {
    origin = isFirst ? batch.baseOffset() : origin;
    isFirst = false;
    next = batch.lastOffset() + 1;
    position = batch.position() + batch.bytes();
    output.batch(batch, isSound);
  }
}
