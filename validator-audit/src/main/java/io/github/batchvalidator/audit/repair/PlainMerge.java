// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.repair;

import io.github.batchvalidator.audit.report.RepairSummary;
import io.github.batchvalidator.format.BatchLayout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A merge of copies of a partition that is not compacted. All copies have the same batches, so each
 * offset may come from any copy that has it.
 *
 * <p>All copies that have a sound batch at an offset are compared, byte by byte. The cursors of all
 * these copies move together.
 */
final class PlainMerge {
  private static final Comparator<RunCursor> BY_COPY =
      Comparator.comparingInt(cursor -> cursor.copy().order());

  private final RepairOptions options;
  private final Problems problems;
  private final BatchSink sink;
  private final OpenRuns open;
  private final EpochVotes votes;
  private final List<Run> runs;
  private final List<RunCursor> active = new ArrayList<>();
  private final List<RunCursor> candidates = new ArrayList<>();
  private int upcoming;

  PlainMerge(
      List<Copy> copies, RepairOptions options, Problems problems, BatchSink sink, OpenRuns open) {
    this.options = options;
    this.problems = problems;
    this.sink = sink;
    this.open = open;
    votes = new EpochVotes(copies, problems);
    runs = new ArrayList<>();
    copies.forEach(copy -> runs.addAll(copy.runs()));
    runs.sort(Comparator.comparingLong(Run::first)); // stable, so the order of copies stays
  }

  /** Merges the runs. Offsets up to the end of the last sound batch are in the log, or missing. */
  void run() throws IOException {
    while (true) {
      openRuns();
      collect();
      if (!candidates.isEmpty()) {
        choose();
      } else {
        long first = firstAfter();
        if (first == RepairSummary.END) {
          return;
        }
        missing(first - 1);
      }
    }
  }

  private void openRuns() throws IOException {
    while (upcoming < runs.size() && runs.get(upcoming).first() <= sink.next()) {
      Run run = runs.get(upcoming++);
      if (run.last() >= sink.next()) {
        RunCursor cursor = open.open(run);
        active.add(cursor);
        move(cursor);
      }
    }
  }

  /** Moves a cursor to its next batch, or closes it. */
  private void move(RunCursor cursor) throws IOException {
    if (!cursor.next()) {
      active.remove(cursor);
      open.close(cursor);
    }
  }

  /** Collects the cursors whose batch starts at the next offset, in the order of the copies. */
  private void collect() throws IOException {
    candidates.clear();
    for (int i = active.size() - 1; i >= 0; i--) {
      RunCursor cursor = active.get(i);
      boolean isOpen = true;
      while (isOpen && cursor.base() < sink.next()) {
        passed(cursor);
        move(cursor);
        isOpen = active.contains(cursor);
      }
      if (isOpen && cursor.base() == sink.next() && !isStale(cursor)) {
        candidates.add(cursor);
      }
    }
    if (candidates.size() > 1) {
      candidates.sort(BY_COPY);
    }
  }

  /** Reports a batch that has offsets in common with a batch of another copy, but is another. */
  private void passed(RunCursor cursor) {
    boolean isSkipped = cursor.last() < sink.start();
    if (!isSkipped) {
      problems.different(
          cursor.base(),
          cursor.last(),
          BatchSink.place(cursor) + " has other batches than " + sink.source(),
          options.preferred() != null && !options.prefers(cursor.copy()));
    }
  }

  /** Returns true if a batch is from before a leader change that the log has passed already. */
  private boolean isStale(RunCursor cursor) {
    int epoch = cursor.epoch();
    if (epoch < 0 || epoch >= sink.epoch()) {
      return false;
    }
    problems.different(
        cursor.base(),
        cursor.last(),
        BatchSink.place(cursor)
            + " has leader epoch "
            + epoch
            + ", an earlier offset of "
            + sink.source()
            + " has "
            + sink.epoch(),
        options.preferred() != null && !options.prefers(cursor.copy()));
    return true;
  }

  private void choose() throws IOException {
    RunCursor chosen = candidates.size() == 1 ? candidates.get(0) : agreed();
    if (votes.isRefuted(chosen, candidates)) {
      String text = votes.refutation();
      boolean isDecided = options.preferred() != null;
      problems.different(chosen.base(), chosen.last(), text, isDecided);
      RunCursor preferred = preferred();
      if (isDecided && preferred == null) {
        moveAll(); // the preferred copy does not have it
        return;
      }
      chosen = preferred == null ? chosen : preferred;
    }
    sink.take(chosen);
    moveAll();
  }

  /** Returns the candidate of the preferred copy, or null. */
  private @Nullable RunCursor preferred() {
    for (RunCursor each : candidates) {
      if (options.prefers(each.copy())) {
        return each;
      }
    }
    return null;
  }

  private void moveAll() throws IOException {
    for (RunCursor cursor : candidates) {
      move(cursor);
    }
  }

  /** Returns the batch that all candidates agree on. Reports it if they do not. */
  private RunCursor agreed() {
    RunCursor first = candidates.get(0);
    boolean isEpoch = false;
    for (int i = 1; i < candidates.size(); i++) {
      RunCursor other = candidates.get(i);
      int at = difference(first, other);
      if (at < 0) {
        continue;
      }
      isEpoch = at >= BatchLayout.PARTITION_LEADER_EPOCH_OFFSET && at < BatchLayout.MAGIC_OFFSET;
      int rest = isEpoch ? first.mismatch(other, BatchLayout.MAGIC_OFFSET) : at;
      if (!isEpoch || rest >= 0) {
        return differing(first, other, rest);
      }
    }
    if (!isEpoch) {
      return first;
    }
    RunCursor elected = votes.elect(candidates);
    return elected == null ? differing(first, votes.rival(), -1) : elected;
  }

  private static int difference(RunCursor one, RunCursor other) {
    int at = one.mismatch(other, 0);
    return at < 0 && one.size() != other.size() ? BatchLayout.LENGTH_OFFSET : at;
  }

  private RunCursor differing(RunCursor one, RunCursor other, int at) {
    RunCursor preferred = preferred();
    String what =
        at < 0
            ? " differ in their leader epochs, " + one.epoch() + " and " + other.epoch()
            : " differ from byte " + at + " of the batch on";
    problems.different(
        one.base(),
        Math.max(one.last(), other.last()),
        BatchSink.place(one) + " and " + BatchSink.place(other) + what,
        preferred != null);
    return preferred == null ? one : preferred;
  }

  private long firstAfter() {
    long first = upcoming < runs.size() ? runs.get(upcoming).first() : RepairSummary.END;
    for (RunCursor cursor : active) {
      if (cursor.base() > sink.next()) {
        first = Math.min(first, cursor.base());
      }
    }
    return first;
  }

  private void missing(long last) {
    sink.missing(last, "no copy has a sound batch for them");
  }
}
