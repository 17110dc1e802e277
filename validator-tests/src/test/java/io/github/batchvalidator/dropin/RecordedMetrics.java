// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import io.github.batchvalidator.dropin.refusal.Meters;
import io.github.batchvalidator.dropin.refusal.Metric;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.storage.internals.log.LogValidator.MetricsRecorder;

/** Remembers what was called, in order. */
public final class RecordedMetrics implements MetricsRecorder, Meters {
  private final List<Metric> called = new ArrayList<>();

  /** {@return the marked meters} */
  public List<Metric> called() {
    return called;
  }

  @Override
  public void mark(Metric metric) {
    called.add(metric);
  }

  @Override
  public void recordInvalidMagic() {
    called.add(Metric.MAGIC);
  }

  @Override
  public void recordInvalidOffset() {
    called.add(Metric.OFFSET);
  }

  @Override
  public void recordInvalidSequence() {
    called.add(Metric.SEQUENCE);
  }

  @Override
  public void recordInvalidChecksums() {
    called.add(Metric.CHECKSUM);
  }

  @Override
  public void recordNoKeyCompactedTopic() {
    called.add(Metric.NO_KEY);
  }
}
