// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.repair;

import io.github.batchvalidator.audit.report.Messages;
import java.io.IOException;

/**
 * A receiver of the chosen batches. It writes them as long as nothing prevents the repair. After
 * that, batches are only compared, so that all problems are found.
 */
final class BatchSink {
  private final PartitionWriter writer;
  private final Problems problems;
  private final long start;
  private long next;
  private int epoch = EpochHistory.UNKNOWN;
  private long broken;

  /** The copy of the last batch, for messages. */
  private String source = "";

  /**
   * Creates a receiver.
   *
   * @param start the offset at which the log starts
   */
  BatchSink(PartitionWriter writer, Problems problems, long start) {
    this.writer = writer;
    this.problems = problems;
    this.start = start;
    next = start;
  }

  /** Returns the offset at which the log starts. */
  long start() {
    return start;
  }

  /** Takes the batch that a cursor is at. */
  void take(RunCursor cursor) throws IOException {
    if (!problems.isRefused()) {
      writer.append(cursor);
      cursor.copy().took(cursor.size());
      broken += cursor.copy().breaksRule(cursor.base(), cursor.last()) ? 1 : 0;
    }
    next = cursor.last() + 1;
    epoch = Math.max(epoch, cursor.epoch());
    source = cursor.copy().name();
  }

  /** Passes offsets that compaction has removed. */
  void removed(long base) {
    next = base;
  }

  /** Leaves out offsets that no copy has. */
  void missing(long last, String text) {
    problems.missing(next, last, text);
    writer
        .producers()
        .open()
        .forEach(
            (start, producer) ->
                problems.marker(
                    next,
                    last,
                    "producer "
                        + producer
                        + ": a marker at offsets "
                        + next
                        + " to "
                        + last
                        + " may be lost; whether the records from offset "
                        + start
                        + " on were rolled back is unknown"));
    next = last + 1;
  }

  /** Returns the offset that the next batch has to have. */
  long next() {
    return next;
  }

  /** Returns the largest leader epoch so far. */
  int epoch() {
    return epoch;
  }

  /** Returns the number of batches that break a rule. */
  long broken() {
    return broken;
  }

  String source() {
    return source;
  }

  /** Returns the place of a batch for messages. */
  static String place(RunCursor cursor) {
    String file = Messages.printable(cursor.run().segment().name());
    return file + " at byte " + cursor.position();
  }
}
