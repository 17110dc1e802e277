// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import org.apache.kafka.storage.internals.log.LogValidator.MetricsRecorder;
import org.jspecify.annotations.Nullable;

/** Counts what is marked of one append, and hands it on if there is somebody. For one thread. */
final class RecordedCalls implements MetricsRecorder {
  private final @Nullable MetricsRecorder next;

  /** How many marks there were, and a hash of which, in their order: there may be millions. */
  private long count;

  private long order;

  RecordedCalls(@Nullable MetricsRecorder next) {
    this.next = next;
  }

  @Override
  public void recordInvalidMagic() {
    mark(Metric.MAGIC);
  }

  @Override
  public void recordInvalidOffset() {
    mark(Metric.OFFSET);
  }

  @Override
  public void recordInvalidSequence() {
    mark(Metric.SEQUENCE);
  }

  @Override
  public void recordInvalidChecksums() {
    mark(Metric.CHECKSUM);
  }

  @Override
  public void recordNoKeyCompactedTopic() {
    mark(Metric.NO_KEY);
  }

  private void mark(Metric metric) {
    count++;
    order = order * 31 + metric.name().hashCode();
    if (next != null) {
      metric.record(next);
    }
  }

  boolean sameAs(RecordedCalls other) {
    return count == other.count && order == other.order;
  }
}
