// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.verdict;

import io.github.batchvalidator.rule.Findings;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.TopicRules;
import io.github.batchvalidator.rule.Verdict;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The findings that an inspection fills, part of a {@link MutableVerdict}. */
public final class MutableFindings implements Findings {
  private static final int MOST = countReasons();
  private static final int NONE = -1;

  private final @Nullable Reason[] reasons = new @Nullable Reason[MOST];
  private final int[] positions = new int[MOST];
  private final long[] plainPositions = new long[MOST];
  private final int[] recordIndexes = new int[MOST];
  private final long[] firsts = new long[MOST];
  private final long[] seconds = new long[MOST];
  private final long[] totals = new long[MOST];
  private int count;
  private TopicRules topicRules = TopicRules.NONE;

  MutableFindings() {}

  private static int countReasons() {
    int found = 0;
    for (Reason reason : Reason.values()) {
      found += reason.isFinding() ? 1 : 0;
    }
    return found;
  }

  void reset() {
    count = 0;
  }

  void topicRules(TopicRules rules) {
    topicRules = rules;
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public boolean matterTo(Verdict verdict) {
    Reason reason = verdict.reason();
    return count > 0 && (reason == null || reason.level() == Level.STRICT);
  }

  @Override
  public boolean has(Reason reason) {
    return indexOf(reason) != NONE;
  }

  private int indexOf(Reason reason) {
    for (int i = 0; i < count; i++) {
      if (reasons[i] == reason) {
        return i;
      }
    }
    return NONE;
  }

  @Override
  public Reason reason(int i) {
    return Objects.requireNonNull(reasons[Objects.checkIndex(i, count)]);
  }

  @Override
  public long total(int i) {
    return totals[Objects.checkIndex(i, count)];
  }

  @Override
  public int position(int i) {
    return positions[Objects.checkIndex(i, count)];
  }

  @Override
  public long plainPosition(int i) {
    return plainPositions[Objects.checkIndex(i, count)];
  }

  @Override
  public int recordIndex(int i) {
    return recordIndexes[Objects.checkIndex(i, count)];
  }

  @Override
  public String describe(int i) {
    return ReasonText.of(reason(i), firsts[i], seconds[i], topicRules);
  }

  @Override
  public String describe() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append(i == 0 ? "" : "; ").append(reason(i)).append(": ").append(describe(i));
    }
    return text.toString();
  }

  @Override
  public String toString() {
    return describe();
  }

  // The methods below are for inspections, not for readers.

  /**
   * Adds a finding about the batch as a whole.
   *
   * @param why a reason that {@linkplain Reason#isFinding() can be a finding}
   * @param at position in bytes from the start of the batch
   * @param a first operand
   * @param b second operand
   * @return false, so that a rule can end with it
   */
  public boolean add(Reason why, int at, long a, long b) {
    return add(why, at, Verdict.NO_RECORD, -1, a, b);
  }

  /**
   * Adds a finding about a record.
   *
   * @param why a reason that {@linkplain Reason#isFinding() can be a finding}
   * @param at position in bytes from the start of the batch
   * @param index of the record in the batch
   * @param plainAt start of the record, in plain bytes
   * @param a first operand
   * @param b second operand
   * @return false, so that a rule can end with it
   */
  public boolean add(Reason why, int at, int index, long plainAt, long a, long b) {
    int known = indexOf(why);
    if (known != NONE) {
      totals[known]++;
      return false;
    }
    int slot = count++;
    reasons[slot] = why;
    totals[slot] = 1;
    positions[slot] = at;
    recordIndexes[slot] = index;
    plainPositions[slot] = plainAt;
    firsts[slot] = a;
    seconds[slot] = b;
    return false;
  }

  /**
   * Ends an inspection at level STRICT: the first finding refuses a batch that passed all other
   * rules.
   *
   * @param verdict contains these findings
   * @return true if the batch stays accepted
   */
  public boolean enforce(MutableVerdict verdict) {
    if (verdict.reason() == null && count > 0) {
      verdict.refuse(reason(0), positions[0], firsts[0], seconds[0]);
      verdict.locate(recordIndexes[0], plainPositions[0]);
    }
    return verdict.reason() == null;
  }
}
