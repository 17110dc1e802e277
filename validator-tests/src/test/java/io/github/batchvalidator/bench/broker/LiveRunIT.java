// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.batchvalidator.bench.broker.Options.Output;
import io.github.batchvalidator.bench.broker.Options.Slot;
import io.github.batchvalidator.dropin.Lines;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One round with real brokers; the figures are of brokers that are cold. */
@Tag("broker")
class LiveRunIT {
  @TempDir private Path folder;

  private Options options(boolean isResumed, Cell... cells) {
    Slot slot = new Slot(1, 2_000 * 1_024L);
    return new Options("4.3", List.of(cells), 1, slot, null, new Output(folder, "", isResumed));
  }

  private static SlotFile open(Options options) throws Exception {
    return SlotFile.open(options, Processors.available(), "commit");
  }

  /** The agent stamps nothing of the first cell, which is rebuilt. */
  @Test
  void allBrokersTakeTheSameLoad() throws Exception {
    Cell inPlace = Cell.of("lz4", 15, 1_024).at(60);
    Cell rebuilt = inPlace.to("zstd");
    Options options = options(false, rebuilt, inPlace);
    SlotFile slots = open(options);
    try (LiveRun run = new LiveRun(options, Lines.jars(), folder, slots)) {
      run.measure(() -> {});
    }
    SlotFile resumed = open(options(true, rebuilt, inPlace));
    for (Cell cell : options.cells()) {
      assertTrue(
          requireNonNull(slots.measured().maxima().get(cell.maximum())).recordsPerSecond() > 0);
      assertTrue(resumed.has(0, cell));
    }
    List<JsonNode> rows = slots.measured().rows(1, List.of());
    List<String> contenders = List.of("KAFKA", "DROP_IN", "DROP_IN_AGENT", "FORK");
    assertEquals(
        Stream.of(contenders, contenders).flatMap(List::stream).toList(),
        rows.stream().map(row -> row.at("/params/contender").asText()).toList());
    for (JsonNode row : rows) {
      assertTrue(row.at("/primaryMetric/score").asDouble() > 0, row::toString);
      // A broker that took nothing allocates as well, but no more than some requests do.
      assertTrue(row.at("/secondaryMetrics/allocated/score").asDouble() > 100, row::toString);
      assertTrue(row.at("/secondaryMetrics/rate/score").asDouble() > 0, row::toString);
      assertTrue(row.at("/secondaryMetrics/p99/score").asDouble() > 0, row::toString);
    }
    assertTrue(rows.get(1).at("/secondaryMetrics/cpuRatio/score").asDouble() > 0);
  }
}
