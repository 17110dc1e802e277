// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.batchvalidator.bench.broker.Cell.Batching;
import io.github.batchvalidator.bench.broker.Options.Slot;
import io.github.batchvalidator.dropin.Lines;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One turn of one cell with real brokers; the figures are of brokers that are cold. */
@Tag("broker")
class LiveRunIT {
  private static final int RECORDS = 2_000;

  @TempDir private Path folder;

  @Test
  void bothBrokersTakeTheSameLoad() throws Exception {
    Cell cell = Cell.of("lz4", Batching.LARGE, 1_024);
    Slot slot = new Slot(1, RECORDS * 1_024L);
    Options options = new Options("4.3", List.of(cell), 1, 1, slot, null, folder);
    Measured measured = new LiveRun(options, Lines.jars(), folder).measure((soFar, rounds) -> {});
    List<JsonNode> rows = measured.rows(1, List.of());
    assertEquals(
        List.of("KAFKA", "DROP_IN"),
        rows.stream().map(row -> row.at("/params/contender").asText()).toList());
    for (JsonNode row : rows) {
      assertTrue(row.at("/primaryMetric/score").asDouble() > 0, row::toString);
      // A broker that took nothing allocates as well, but no more than some requests do.
      assertTrue(row.at("/secondaryMetrics/allocated/score").asDouble() > 100, row::toString);
      assertTrue(row.at("/secondaryMetrics/rate/score").asDouble() > 0, row::toString);
    }
    assertTrue(rows.get(1).at("/secondaryMetrics/cpuRatio/score").asDouble() > 0);
  }
}
