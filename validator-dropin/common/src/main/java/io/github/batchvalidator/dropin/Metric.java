// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import org.apache.kafka.storage.internals.log.LogValidator.MetricsRecorder;

/** Which of the broker's meters a fault marks. */
enum Metric {
  NONE,
  MAGIC,
  OFFSET,
  SEQUENCE,
  CHECKSUM,
  NO_KEY;

  /** Without a switch, whose table would be a class that the first refusal initialises. */
  void record(MetricsRecorder recorder) {
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
