// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.yammer.metrics.core.Gauge;
import io.github.batchvalidator.agent.keep.CutMXBean;
import io.github.batchvalidator.docs.OperatorsKit;
import io.github.batchvalidator.dropin.BrokerJvm;
import io.github.batchvalidator.dropin.Lines;
import io.github.batchvalidator.tiered.TieredMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The exporter's rules for stored batches fit the beans and Kafka's own count. */
class StoredMetricsIT {
  @Test
  void everyMetricOfStoredBatchesMoves() throws Exception {
    Exporter exporter = Exporter.onFreePort();
    List<Path> path = new ArrayList<>(BrokerJvm.tests());
    path.addAll(Lines.kafka("4.3.1"));
    for (Class<?> type : List.of(CutMXBean.class, TieredMXBean.class, Gauge.class)) {
      path.add(Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()));
    }
    String output =
        BrokerJvm.run(
            path,
            List.of(exporter.option()),
            List.of(StoredMetrics.class.getName(), Integer.toString(exporter.port())));
    assertEquals(OperatorsKit.storedMetrics(), new TreeSet<>(output.lines().toList()), output);
  }
}
