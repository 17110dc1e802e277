// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.verdict;

import io.github.batchvalidator.internal.fault.Fault;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * A fault that refuses a batch, and its position. The position has its defaults unless a fault is
 * set.
 *
 * <p>Reused for every batch. Never allocates. Confined to one thread.
 */
final class Refusal {
  private static final long NO_POSITION = -1;

  private final Fault fault = new Fault();
  private int position;
  private long plainPosition = NO_POSITION;
  private int recordIndex = Verdict.NO_RECORD;
  private boolean atEnd;
  private boolean byRecords;

  Refusal() {}

  void clear() {
    if (fault.isSet()) {
      fault.clear();
      place(0);
    }
  }

  private void place(int at) {
    position = at;
    plainPosition = NO_POSITION;
    recordIndex = Verdict.NO_RECORD;
    atEnd = false;
    byRecords = false;
  }

  boolean isSet() {
    return fault.isSet();
  }

  /** {@return the fault, which only the methods of this class change} */
  Fault fault() {
    return fault;
  }

  int position() {
    return position;
  }

  long plainPosition() {
    return plainPosition;
  }

  int recordIndex() {
    return recordIndex;
  }

  /** {@return true if the fault was found after the last declared record} */
  boolean atEnd() {
    return atEnd;
  }

  /** {@return true if a failing record refuses the batch} */
  boolean byRecords() {
    return byRecords;
  }

  /** Sets the fault, and its position in bytes from the start of the batch. Always false. */
  boolean set(Reason why, int at, long first, long second) {
    return set(why, at, first, second, null);
  }

  /** As above, with the exception that led to the fault. */
  boolean set(Reason why, int at, long first, long second, @Nullable Throwable cause) {
    place(at);
    return fault.set(why, first, second, cause);
  }

  /** Copies a fault, and sets its position in bytes from the start of the batch. Always false. */
  boolean set(Fault found, int at) {
    place(at);
    return fault.copy(found);
  }

  /** Sets the fault of a single record, which leaves the position in the batch unknown. */
  void byRecord(Reason why, int index, long plainAt, long first, long second) {
    fault.set(why, first, second);
    locate(index, plainAt);
    byRecords = true;
  }

  void locate(int index, long plainAt) {
    recordIndex = index;
    plainPosition = plainAt;
  }

  void position(int at) {
    position = at;
  }

  void atEnd(boolean isAtEnd) {
    atEnd = isAtEnd;
  }
}
