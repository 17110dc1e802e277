// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.batchvalidator.bench.report.LiveFigure;
import io.github.batchvalidator.testkit.broker.BrokerBuild;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MeasuredTest {
  private static final Cell CELL = Cell.of("lz4", 15, 1_024);

  private static Map<LiveFigure, Double> figures(double cpu, double javaCpu, double allocated) {
    return Map.of(
        LiveFigure.CPU, cpu, LiveFigure.JAVA_CPU, javaCpu, LiveFigure.ALLOCATED, allocated);
  }

  private static Map<BrokerBuild, SlotFigures> turn(
      Map<LiveFigure, Double> kafka, Map<LiveFigure, Double> ours) {
    return Map.of(BrokerBuild.KAFKA, slot(kafka), BrokerBuild.DROP_IN, slot(ours));
  }

  private static SlotFigures slot(Map<LiveFigure, Double> figures) {
    return new SlotFigures(figures, Latencies.empty());
  }

  private static Map<BrokerBuild, SlotFigures> profile(double kafka, double ours) {
    LiveFigure figure = LiveFigure.VALIDATOR_CPU;
    return turn(Map.of(figure, kafka), Map.of(figure, ours));
  }

  /** In the second round the machine is half as fast: of medians, ours would look slower. */
  @Test
  void ratiosAreThoseOfATurn() {
    Measured measured = new Measured();
    measured.add(0, CELL, turn(figures(10, 8, 4), figures(9, 6, 1)));
    measured.add(1, CELL, turn(figures(20, 16, 4), figures(18, 12, 1)));
    measured.add(1, CELL, turn(figures(10, 8, 4), figures(9.5, 6, 1)));
    JsonNode ours = row(measured, "DROP_IN");
    assertEquals(List.of(0.9, 0.9, 0.95), summary(ours.path("secondaryMetrics"), "cpuRatio"));
    assertEquals(List.of(0.75, 0.75, 0.75), summary(ours.path("secondaryMetrics"), "javaCpuRatio"));
    assertEquals(
        List.of(0.25, 0.25, 0.25), summary(ours.path("secondaryMetrics"), "allocatedRatio"));
    assertEquals("[[9.0],[18.0,9.5]]", ours.at("/primaryMetric/rawData").toString());
    assertEquals("s/GB", ours.at("/primaryMetric/scoreUnit").asText());
    assertEquals(1.0, ours.at("/secondaryMetrics/allocated/score").asDouble());
    assertEquals("MB/GB", ours.at("/secondaryMetrics/allocated/scoreUnit").asText());
  }

  @Test
  void theStockBrokerHasNoRatioAndRowsNameTheirCell() {
    Measured measured = new Measured();
    measured.add(0, CELL, turn(figures(10, 8, 1), figures(9, 6, 1)));
    measured.add(0, CELL, Map.of(BrokerBuild.KAFKA, slot(Map.of(LiveFigure.CPU_SHARE, 12.5))));
    JsonNode kafka = row(measured, "KAFKA");
    assertFalse(kafka.path("secondaryMetrics").has("cpuRatio"));
    assertEquals(12.5, kafka.at("/secondaryMetrics/cpuShare/score").asDouble());
    assertEquals("lz4", kafka.at("/params/codec").asText());
    assertEquals("15x1KiB", kafka.at("/params/batch").asText());
    assertEquals("[\"-Xmx1g\"]", kafka.path("jvmArgs").toString());
  }

  @Test
  void aProfileThatSawNothingOfTheStockValidatorHasNoRatio() {
    Measured measured = new Measured();
    measured.add(0, CELL, turn(figures(10, 8, 1), figures(9, 6, 1)));
    measured.add(0, CELL, profile(0, 0.01));
    assertFalse(row(measured, "DROP_IN").path("secondaryMetrics").has("validatorCpuRatio"));
    measured.add(0, CELL, profile(2, 1.5));
    JsonNode ours = row(measured, "DROP_IN").path("secondaryMetrics");
    assertEquals(List.of(0.75, 0.75, 0.75), summary(ours, "validatorCpuRatio"));
    assertEquals("[[0.01,1.5]]", ours.at("/validatorCpu/rawData").toString());
  }

  private static JsonNode row(Measured measured, String contender) {
    return measured.rows(2, List.of("-Xmx1g")).stream()
        .filter(row -> row.at("/params/contender").asText().equals(contender))
        .findFirst()
        .orElseThrow();
  }

  private static List<Double> summary(JsonNode metrics, String name) {
    JsonNode percentiles = metrics.path(name).path("scorePercentiles");
    return List.of(
        percentiles.path("50.0").asDouble(),
        percentiles.path("0.0").asDouble(),
        percentiles.path("100.0").asDouble());
  }
}
