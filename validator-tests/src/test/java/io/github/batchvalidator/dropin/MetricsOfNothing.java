// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import org.apache.kafka.storage.internals.log.LogValidator;

/** A recorder that forgets every fault, and allocates nothing. */
final class MetricsOfNothing implements LogValidator.MetricsRecorder {
  @Override
  public void recordInvalidMagic() {}

  @Override
  public void recordInvalidOffset() {}

  @Override
  public void recordInvalidSequence() {}

  @Override
  public void recordInvalidChecksums() {}

  @Override
  public void recordNoKeyCompactedTopic() {}
}
