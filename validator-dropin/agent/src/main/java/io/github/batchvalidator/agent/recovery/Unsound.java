// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.recovery;

/** A reason why a segment is left to Kafka's method. */
enum Unsound {
  /** A batch does not fit, has another magic than 2, or bytes are left after the last batch. */
  FRAME,
  /** The CRC of a batch is wrong. */
  CRC,
  /** An offset is not in the range of the segment, or not larger than the one before it. */
  OFFSET,
  /** Kafka would reject or warn about the state of a producer. */
  PRODUCER,
  /** The leader epochs or producers change too often for the memory of a scan. */
  TOO_MANY_CHANGES,
  /** The marker of a transaction cannot be read. */
  MARKER,
  /** The file or an index cannot be read or written, or something unexpected was thrown. */
  FAILED
}
