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

  void record(MetricsRecorder recorder) {
    switch (this) {
      case NONE -> {}
      case MAGIC -> recorder.recordInvalidMagic();
      case OFFSET -> recorder.recordInvalidOffset();
      case SEQUENCE -> recorder.recordInvalidSequence();
      case CHECKSUM -> recorder.recordInvalidChecksums();
      case NO_KEY -> recorder.recordNoKeyCompactedTopic();
    }
  }
}
