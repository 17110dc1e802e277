// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.repair;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decisions about leader epochs, which no checksum covers.
 *
 * <p>Each copy with a sound batch at an offset has a vote, and so has each checkpoint of leader
 * epochs that can be read. A checkpoint that contradicts batches of its own copy is no witness for
 * other copies.
 */
final class EpochVotes {
  private final List<Copy> copies;
  private final Problems problems;
  private String refutation = "";
  private @Nullable RunCursor rival;

  EpochVotes(List<Copy> copies, Problems problems) {
    this.copies = copies;
    this.problems = problems;
  }

  /** Returns the candidate whose epoch has most votes, or null if there is no such epoch. */
  @Nullable RunCursor elect(List<RunCursor> candidates) {
    Map<Integer, Integer> votes = new HashMap<>();
    for (RunCursor each : candidates) {
      votes.merge(each.epoch(), 1, Integer::sum);
    }
    long offset = candidates.get(0).base();
    for (Copy copy : copies) {
      if (copy.epochs().isClean()) {
        votes.merge(copy.epochs().at(offset), 1, Integer::sum);
      }
    }
    RunCursor best = candidates.get(0);
    for (RunCursor each : candidates) {
      best =
          votes.getOrDefault(each.epoch(), 0) > votes.getOrDefault(best.epoch(), 0) ? each : best;
    }
    int most = votes.getOrDefault(best.epoch(), 0);
    rival = null;
    for (RunCursor each : candidates) {
      if (each.epoch() != best.epoch()) {
        rival = each;
      }
    }
    for (Map.Entry<Integer, Integer> each : votes.entrySet()) {
      if (each.getKey() != best.epoch() && each.getValue() >= most) {
        return null;
      }
    }
    problems.note(
        BatchSink.place(best)
            + ": leader epoch "
            + best.epoch()
            + " of offset "
            + offset
            + " was taken, because "
            + most
            + " of the copies and their checkpoints have it");
    return best;
  }

  /** Returns a candidate of the last election that lost. */
  RunCursor rival() {
    RunCursor found = rival;
    if (found == null) {
      throw new IllegalStateException("no election");
    }
    return found;
  }

  /**
   * Returns true if a checkpoint contradicts a batch, and nothing else supports the batch.
   *
   * @param candidates all sound batches at the offset
   */
  boolean isRefuted(RunCursor chosen, List<RunCursor> candidates) {
    int epoch = chosen.epoch();
    if (epoch < 0) {
      return false;
    }
    EpochHistory own = chosen.copy().epochs();
    for (Copy copy : copies) {
      EpochHistory history = copy.epochs();
      int stated = history.at(chosen.base());
      boolean isOwn = history == own;
      boolean contradicts =
          isOwn
              ? stated >= 0 && stated != epoch && !isSupported(chosen, candidates, own)
              : history.isClean() && stated > epoch; // the batch was replaced by a new leader
      if (contradicts) {
        refutation =
            BatchSink.place(chosen)
                + " has leader epoch "
                + epoch
                + " at offset "
                + chosen.base()
                + ", "
                + history.file()
                + " has "
                + stated;
        return true;
      }
    }
    return false;
  }

  /** Returns true if another copy has the same epoch at the offset, in its batch or checkpoint. */
  private boolean isSupported(RunCursor chosen, List<RunCursor> candidates, EpochHistory own) {
    for (RunCursor each : candidates) {
      if (each.copy() != chosen.copy() && each.epoch() == chosen.epoch()) {
        return true;
      }
    }
    for (Copy copy : copies) {
      EpochHistory history = copy.epochs();
      if (history != own && history.isClean() && history.at(chosen.base()) == chosen.epoch()) {
        return true;
      }
    }
    return false;
  }

  String refutation() {
    return refutation;
  }
}
