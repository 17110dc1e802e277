// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.shadow;

import io.github.batchvalidator.dropin.refusal.Metric;
import org.apache.kafka.storage.internals.log.LogValidator.MetricsRecorder;
import org.jspecify.annotations.Nullable;

/**
 * A recorder of the meters that one append marks, which forwards each mark to another recorder if
 * there is one. Confined to one thread.
 */
final class RecordedCalls implements MetricsRecorder {
  private final @Nullable MetricsRecorder next;

  private long count;

  /** A hash of the marks in their order. There may be millions of marks, so none is stored. */
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
