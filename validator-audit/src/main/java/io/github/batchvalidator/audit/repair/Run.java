// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.repair;

import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.source.Segment;

/** Sound batches of a segment that follow each other without other bytes between them. */
final class Run {
  private final Copy copy;
  private final Segment segment;
  private final long from;
  private final long first;
  private long to;
  private long last;

  /** The first offset that is missing between two batches, or -1. Compaction leaves such gaps. */
  private long gap = -1;

  Run(Copy copy, Segment segment, StoredBatch batch) {
    this(copy, segment, batch.position(), batch.baseOffset());
    add(batch);
  }

  private Run(Copy copy, Segment segment, long from, long first) {
    this.copy = copy;
    this.segment = segment;
    this.from = from;
    this.first = first;
    to = from;
    last = first - 1;
  }

  /** Returns a part of a segment whose batches are known. */
  static Run of(Copy copy, Segment segment, long from, long to, long first, long last) {
    Run run = new Run(copy, segment, from, first);
    run.to = to;
    run.last = last;
    return run;
  }

  Copy copy() {
    return copy;
  }

  Segment segment() {
    return segment;
  }

  /** Returns the position of the first batch. */
  long from() {
    return from;
  }

  /** Returns the position after the last batch. */
  long to() {
    return to;
  }

  long first() {
    return first;
  }

  /** Returns the last offset that is sound. Later batches of the run are not. */
  long last() {
    return last;
  }

  /** Returns the first offset that is missing between two batches, or -1. */
  long gap() {
    return gap;
  }

  /** Returns true if a batch follows without other bytes between. */
  boolean isFollowedBy(Segment other, StoredBatch batch) {
    return segment == other && to == batch.position() && batch.baseOffset() > last;
  }

  void add(StoredBatch batch) {
    if (gap < 0 && batch.baseOffset() != last + 1) {
      gap = last + 1;
    }
    to = batch.position() + batch.bytes();
    last = batch.lastOffset();
  }

  /** Leaves out the batches from an offset on. */
  void cut(long offset) {
    last = Math.min(last, offset - 1);
  }

  /** Returns the part before a batch. It may be empty. */
  Run before(StoredBatch batch) {
    long before = Math.min(last, batch.baseOffset() - 1); // the run may be cut
    Run part = of(copy, segment, from, batch.position(), first, before);
    part.gap = gap < batch.baseOffset() ? gap : -1;
    return part;
  }

  /** Returns the part after a batch. It may be empty. */
  Run after(StoredBatch batch) {
    long position = batch.position() + batch.bytes();
    Run part = of(copy, segment, position, to, batch.lastOffset() + 1, last);
    part.gap = gap > batch.lastOffset() ? gap : -1;
    return part;
  }

  boolean isEmpty() {
    return from >= to || first > last;
  }

  @Override
  public String toString() {
    return segment.name() + ": bytes " + from + " to " + to + ", offsets " + first + " to " + last;
  }
}
