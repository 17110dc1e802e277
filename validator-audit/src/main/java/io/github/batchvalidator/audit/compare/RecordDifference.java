// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.compare;

/** What differs between the records of two batches with the same offsets. */
final class RecordDifference {
  private long first = -1;
  private long count;
  private String what = "";
  private long onlyInOne;
  private boolean incomparable;

  /** Takes a record, or a header if the offset is below 0, that differs. */
  void found(long offset, String field) {
    if (what.isEmpty()) {
      first = offset;
      what = field;
    }
    count++;
  }

  /** Takes a record that only one of the batches has. */
  void onlyInOne() {
    onlyInOne++;
  }

  /** Says that the records of a batch cannot be read. */
  void incomparable() {
    incomparable = true;
  }

  boolean isFound() {
    return count > 0;
  }

  /** Returns the number of records that only one of the batches has. */
  long numberInOne() {
    return onlyInOne;
  }

  boolean isIncomparable() {
    return incomparable;
  }

  /** Returns a sentence about what differs. */
  String text() {
    return first < 0
        ? "the batches have different headers: " + what
        : "the record at offset " + first + " differs in: " + what;
  }
}
