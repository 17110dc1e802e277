// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rule;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one batch holds that Kafka lets pass: each reason of {@link Level#STRICT} once, in the order
 * in which it was found first, which is header, records, end of the stream. Part of a {@link
 * Verdict}, and as that owned by the caller and confined to one thread. Allocates only when created
 * and when asked for text.
 */
public final class Findings {
  private static final int MOST = countStrict();
  private static final int NONE = -1;

  private final @Nullable Reason[] reasons = new @Nullable Reason[MOST];
  private final int[] positions = new int[MOST];
  private final long[] plainPositions = new long[MOST];
  private final int[] recordIndexes = new int[MOST];
  private final long[] firsts = new long[MOST];
  private final long[] seconds = new long[MOST];
  private final long[] totals = new long[MOST];
  private int count;

  Findings() {}

  private static int countStrict() {
    int strict = 0;
    for (Reason reason : Reason.values()) {
      strict += reason.level() == Level.STRICT ? 1 : 0;
    }
    return strict;
  }

  void reset() {
    count = 0;
  }

  /** {@return how many reasons were found} */
  public int count() {
    return count;
  }

  /**
   * {@return true if there are any, and they are what makes the difference: level KAFKA accepts the
   * batch}
   *
   * @param verdict that these are part of
   */
  public boolean matterTo(Verdict verdict) {
    Reason reason = verdict.reason();
    return count > 0 && (reason == null || reason.level() == Level.STRICT);
  }

  /**
   * {@return true if a reason is among them}
   *
   * @param reason of any level
   */
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

  /**
   * {@return the i-th reason}
   *
   * @param i 0 to {@link #count()} - 1, as for the other methods
   */
  public Reason reason(int i) {
    return Objects.requireNonNull(reasons[Objects.checkIndex(i, count)]);
  }

  /**
   * {@return how often it was found: in how many records, or 1}
   *
   * @param i of the finding
   */
  public long total(int i) {
    return totals[Objects.checkIndex(i, count)];
  }

  /**
   * {@return where it was found first, as {@link Verdict#position()}}
   *
   * @param i of the finding
   */
  public int position(int i) {
    return positions[Objects.checkIndex(i, count)];
  }

  /**
   * {@return where it was found first, as {@link Verdict#plainPosition()}}
   *
   * @param i of the finding
   */
  public long plainPosition(int i) {
    return plainPositions[Objects.checkIndex(i, count)];
  }

  /**
   * {@return the record that it was found in first, or {@link Verdict#NO_RECORD}}
   *
   * @param i of the finding
   */
  public int recordIndex(int i) {
    return recordIndexes[Objects.checkIndex(i, count)];
  }

  /**
   * Says in a sentence what was found first. Allocates.
   *
   * @param i of the finding
   * @return the sentence
   */
  public String describe(int i) {
    return reason(i).describe(firsts[i], seconds[i]);
  }

  /** {@return all of them with their sentences, or an empty text} Allocates. */
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

  // What follows is for the inspection, not for the reader.

  /**
   * Notes something about the batch as a whole.
   *
   * @param why of level STRICT
   * @param at bytes from the start of the batch
   * @param a first operand
   * @param b second operand
   * @return false, so that a rule can end with it
   */
  public boolean add(Reason why, int at, long a, long b) {
    return add(why, at, Verdict.NO_RECORD, -1, a, b);
  }

  /**
   * Notes something about a record.
   *
   * @param why of level STRICT
   * @param at bytes from the start of the batch
   * @param index of the record in the batch
   * @param plainAt where the record starts, in plain bytes
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
   * Ends an inspection at level STRICT: the first finding refuses a batch that nothing else does.
   *
   * @param verdict that these are part of
   * @return true if the batch stays accepted
   */
  public boolean enforce(Verdict verdict) {
    if (verdict.reason() == null && count > 0) {
      verdict.refuse(reason(0), positions[0], firsts[0], seconds[0]);
      verdict.locate(recordIndexes[0], plainPositions[0]);
    }
    return verdict.reason() == null;
  }
}
