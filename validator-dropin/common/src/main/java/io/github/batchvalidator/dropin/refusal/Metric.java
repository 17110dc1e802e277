// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.refusal;

/** The meter of the broker that a fault marks. */
public enum Metric {
  /** No meter. */
  NONE,
  /** A batch or record has an unexpected magic. */
  MAGIC,
  /** The offsets do not match the record count, or a client sent a control batch. */
  OFFSET,
  /** A batch with a producer id has no sequence number. */
  SEQUENCE,
  /** The checksum of a record is wrong. */
  CHECKSUM,
  /** A record for a compacted topic has no key. */
  NO_KEY
}
