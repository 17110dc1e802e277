// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.verdict;

import io.github.batchvalidator.internal.fault.Fault;
import io.github.batchvalidator.rule.Reason;

/**
 * The violations of a topic's own rules by the records that a walk has read so far: the first one,
 * and all records. Part of a {@link WalkResult}. They decide the verdict only if nothing else
 * refuses the batch.
 */
public final class TopicViolations {
  private final Fault fault = new Fault();
  private int index;
  private long plainPosition;
  private FailedRecords records;

  TopicViolations(int mostRecords) {
    records = new FailedRecords(mostRecords);
  }

  void reset() {
    fault.clear();
    records.reset();
  }

  long heapBytes() {
    return records.heapBytes();
  }

  /** {@return the first violation} */
  Fault fault() {
    return fault;
  }

  /** {@return the record of the first violation, if there is one} */
  int index() {
    return index;
  }

  long plainPosition() {
    return plainPosition;
  }

  /** Takes another list in exchange for that of the records. */
  FailedRecords exchange(FailedRecords other) {
    FailedRecords own = records;
    records = other;
    return own;
  }

  /** {@return the remembered records} */
  public FailedRecords records() {
    return records;
  }

  /**
   * Adds a violation by a record, if it is the first of that record.
   *
   * @param why the reason
   * @param at index of the record in the batch
   * @param plainAt start of the record, in plain bytes
   * @param a first operand
   * @param b second operand
   * @return false, so that a rule can end with it
   */
  public boolean add(Reason why, int at, long plainAt, long a, long b) {
    if (!fault.isSet()) {
      fault.set(why, a, b);
      index = at;
      plainPosition = plainAt;
    }
    if (!records.isLast(at)) {
      records.add(why, at, plainAt, a, b);
    }
    return false;
  }
}
