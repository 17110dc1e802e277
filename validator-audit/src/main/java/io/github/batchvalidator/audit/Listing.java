// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

/** The items that a run lists in addition to faults. Each constant includes those before it. */
public enum Listing {
  /** Nothing. */
  NONE,
  /** The headers of batches. */
  BATCHES,
  /** The metadata of records. */
  RECORDS,
  /** The first bytes of keys and values. */
  PAYLOAD;

  boolean includes(Listing other) {
    return compareTo(other) >= 0;
  }
}
