// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rule;

/**
 * The reasons of {@link Level#STRICT} that one batch gave although level KAFKA accepts it. Each
 * reason is listed once, in the order of its first occurrence: header, records, end of the stream.
 *
 * <p>Part of a {@link Verdict}, with the same owner and thread rule. Allocates only when asked for
 * text.
 */
public interface Findings {
  /** {@return how many reasons were found} */
  int count();

  /**
   * {@return true if there are any, and they are what makes the difference: level KAFKA accepts the
   * batch}
   *
   * @param verdict that these are part of
   */
  boolean matterTo(Verdict verdict);

  /**
   * {@return true if a reason is among them}
   *
   * @param reason of any level
   */
  boolean has(Reason reason);

  /**
   * {@return the i-th reason}
   *
   * @param i 0 to {@link #count()} - 1, as for the other methods
   */
  Reason reason(int i);

  /**
   * {@return how often it was found: in how many records, or 1}
   *
   * @param i of the finding
   */
  long total(int i);

  /**
   * {@return where it was found first, as {@link Verdict#position()}}
   *
   * @param i of the finding
   */
  int position(int i);

  /**
   * {@return where it was found first, as {@link Verdict#plainPosition()}}
   *
   * @param i of the finding
   */
  long plainPosition(int i);

  /**
   * {@return the record that it was found in first, or {@link Verdict#NO_RECORD}}
   *
   * @param i of the finding
   */
  int recordIndex(int i);

  /**
   * Says in a sentence what was found first. Allocates.
   *
   * @param i of the finding
   * @return the sentence
   */
  String describe(int i);

  /** {@return all of them with their sentences, or an empty text} Allocates. */
  String describe();
}
