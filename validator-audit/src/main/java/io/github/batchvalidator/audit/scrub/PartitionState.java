// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.scrub;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The state of a partition: the result of its last complete check, and the progress of the current
 * one.
 */
final class PartitionState {
  /** The number of faults of each reason, and of files that could not be read. */
  static final class Result {
    /** The key of files that could not be read. No reason has this name. */
    static final String UNREAD = "unread";

    private final Map<String, Long> counts;

    Result() {
      this(Map.of());
    }

    Result(Map<String, Long> counts) {
      this.counts = new TreeMap<>(counts);
    }

    void add(String reason) {
      counts.merge(reason, 1L, Long::sum);
    }

    /** Raises each number to that of another result. */
    void include(Result other) {
      other.counts.forEach((reason, count) -> counts.merge(reason, count, Math::max));
    }

    Map<String, Long> counts() {
      return counts;
    }

    Result copy() {
      return new Result(counts);
    }

    boolean isClean() {
      return counts.isEmpty();
    }
  }

  /** When a scrub first saw the partition, in milliseconds since 1970. */
  private final long seenMs;

  /** When the last complete check started, or 0. */
  private long checkedMs;

  private Result last = new Result();

  /** The first segment when the segments showed a compaction, or an empty text if they did not. */
  private String compactedFrom = "";

  /** A hash of the rules of the current check, or of the last one, or an empty text. */
  private String rules = "";

  /** When the current check started, or 0 if none has. */
  private long startedMs;

  /** The last segment that the current check has ended, or an empty text. */
  private String reached = "";

  /** The faults that the current check had found at the end of that segment. */
  private Result before = new Result();

  /** The faults that the current check found so far. */
  private Result found = new Result();

  /** The faults of the segment that a continued check reads again, or null after it. */
  private @Nullable Result again;

  PartitionState(long seenMs) {
    this.seenMs = seenMs;
  }

  /** Restores the state of an interrupted check. */
  static PartitionState restored(long seenMs, long checkedMs, Result last, String rules) {
    PartitionState state = new PartitionState(seenMs);
    state.checkedMs = checkedMs;
    state.last = last;
    state.rules = rules;
    return state;
  }

  /** Restores how far a check had come. */
  PartitionState interruptedAt(long sinceMs, String segment, Result result) {
    startedMs = sinceMs;
    reached = segment;
    before = result;
    found = result.copy();
    again = segment.isEmpty() ? null : new Result();
    return this;
  }

  /**
   * Starts a check, or continues an interrupted one, and returns the name of its first segment. A
   * check by other rules starts again.
   *
   * @param by a hash of the rules
   */
  String start(long nowMs, String by) {
    if (isStarted() && !by.equals(rules)) {
      restart();
    }
    rules = by;
    startedMs = startedMs == 0 ? nowMs : startedMs;
    return reached;
  }

  void found(String reason) {
    Result repeated = again;
    if (repeated == null) {
      found.add(reason);
    } else {
      repeated.add(reason);
      found.include(repeated);
    }
  }

  /**
   * Notes that a segment is checked. A check that is interrupted continues with this segment, so
   * that its offsets are compared with those of the next one. It does not find what this segment
   * contradicts in the segments before, so that counts from now on.
   */
  void reached(String segment) {
    reached = segment;
    before = found.copy();
    again = null;
  }

  /** Notes that a check that is interrupted starts with the first segment. */
  void startsOver() {
    last.include(found);
    reached = "";
    before = new Result();
    again = null;
  }

  /** Starts an interrupted check from the first segment on. What it has found stays known. */
  void restart() {
    startsOver();
    found = new Result();
  }

  /**
   * Sets what a check that starts with a later segment needs to know of the ones before.
   *
   * @param segment the first segment if they show a compaction, or an empty text
   */
  void compactedFrom(String segment) {
    compactedFrom = segment;
  }

  /** Ends the check. */
  void end() {
    checkedMs = startedMs;
    last = found;
    startedMs = 0;
    reached = "";
    before = new Result();
    found = new Result();
    again = null;
  }

  /** Forgets a check in the future: the clock was set back, and what has changed is unknown. */
  void notAfter(long nowMs) {
    if (checkedMs > nowMs) {
      checkedMs = 0;
    }
  }

  boolean isStarted() {
    return startedMs > 0;
  }

  /** Returns true if a complete check by these rules has ended, and no check has started since. */
  boolean isCheckedBy(String hash) {
    return checkedMs > 0 && !isStarted() && rules.equals(hash);
  }

  /** Returns the hash of the rules, or an empty text if they are unknown. */
  String rules() {
    return rules;
  }

  long seenMs() {
    return seenMs;
  }

  long checkedMs() {
    return checkedMs;
  }

  long startedMs() {
    return startedMs;
  }

  String reached() {
    return reached;
  }

  String compactedFrom() {
    return compactedFrom;
  }

  Result last() {
    return last;
  }

  Result before() {
    return before;
  }

  Result soFar() {
    return found;
  }

  /** Returns the time since which the partition waits for a check. */
  long oldestMs() {
    return checkedMs == 0 ? seenMs : checkedMs;
  }

  /** Returns what is known: the last result, and what the current check has found beyond it. */
  Map<String, Long> known() {
    Result all = last.copy();
    all.include(found);
    return all.counts();
  }
}
