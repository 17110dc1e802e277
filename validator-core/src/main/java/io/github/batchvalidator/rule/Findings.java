// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rule;

/**
 * The reasons of {@link Level#STRICT} to refuse a batch. Each reason is listed once, in the order
 * of its first occurrence: header, records, end of the stream.
 *
 * <p>Part of a {@link Verdict}, with the same owner and thread rule. Allocates only when asked for
 * text.
 */
public interface Findings {
  /** {@return how many reasons were found} */
  int count();

  /**
   * {@return true if there are findings and level KAFKA accepts the batch}
   *
   * @param verdict the verdict that these findings are part of
   */
  boolean matterTo(Verdict verdict);

  /**
   * {@return true if a reason is among the findings}
   *
   * @param reason a reason of any level
   */
  boolean has(Reason reason);

  /**
   * {@return the i-th reason}
   *
   * @param i 0 to {@link #count()} - 1
   * @throws IndexOutOfBoundsException if i is out of this range
   */
  Reason reason(int i);

  /**
   * {@return the number of records with the i-th finding; 1 for a finding of the whole batch}
   *
   * @param i 0 to {@link #count()} - 1
   * @throws IndexOutOfBoundsException if i is out of this range
   */
  long total(int i);

  /**
   * {@return the first position of the i-th finding, as {@link Verdict#position()}}
   *
   * @param i 0 to {@link #count()} - 1
   * @throws IndexOutOfBoundsException if i is out of this range
   */
  int position(int i);

  /**
   * {@return the first position of the i-th finding, as {@link Verdict#plainPosition()}}
   *
   * @param i 0 to {@link #count()} - 1
   * @throws IndexOutOfBoundsException if i is out of this range
   */
  long plainPosition(int i);

  /**
   * {@return the first record with the i-th finding, or {@link Verdict#NO_RECORD}}
   *
   * @param i 0 to {@link #count()} - 1
   * @throws IndexOutOfBoundsException if i is out of this range
   */
  int recordIndex(int i);

  /**
   * Returns a sentence about the first occurrence of the i-th finding. Allocates.
   *
   * @param i 0 to {@link #count()} - 1
   * @return the sentence
   * @throws IndexOutOfBoundsException if i is out of this range
   */
  String describe(int i);

  /** {@return all findings with their sentences, or an empty text} Allocates. */
  String describe();
}
