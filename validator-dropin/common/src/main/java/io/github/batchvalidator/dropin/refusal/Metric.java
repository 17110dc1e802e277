// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.refusal;

import org.apache.kafka.storage.internals.log.LogValidator.MetricsRecorder;

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
  NO_KEY;

  // Not a switch: its table would be another class, which the first refusal would initialize.

  /**
   * Marks this meter.
   *
   * @param recorder the broker's meters
   */
  public void record(MetricsRecorder recorder) {
    if (this == MAGIC) {
      recorder.recordInvalidMagic();
    } else if (this == OFFSET) {
      recorder.recordInvalidOffset();
    } else if (this == SEQUENCE) {
      recorder.recordInvalidSequence();
    } else if (this == CHECKSUM) {
      recorder.recordInvalidChecksums();
    } else if (this == NO_KEY) {
      recorder.recordNoKeyCompactedTopic();
    }
  }
}
