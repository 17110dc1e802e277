// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.chaos;

/** The answer that a writer got for a record. */
enum Fate {
  /** No answer, or one that leaves open whether the record is stored. */
  UNKNOWN,

  /** Stored, and committed if it belongs to a transaction. */
  ACKNOWLEDGED,

  /** Rejected by the validator of a broker. */
  REJECTED,

  /** Part of an aborted transaction. */
  ABORTED
}
