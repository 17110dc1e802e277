// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.bench.report.LiveFigure;
import io.github.batchvalidator.testkit.broker.BrokerBuild;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class LiveReportTest {
  private static final Cell CELL = Cell.of("gzip", 125, 1_024).at(90);

  /** A round in which stock has 10 of everything. */
  private static void add(Measured measured, int round, LiveFigure figure, double ours) {
    add(measured, round, figure, 10, ours);
  }

  private static void add(
      Measured measured, int round, LiveFigure figure, double stock, double ours) {
    measured.add(
        round,
        CELL,
        Map.of(
            BrokerBuild.KAFKA, new SlotFigures(Map.of(figure, stock), latencies(stock)),
            BrokerBuild.FORK, new SlotFigures(Map.of(figure, ours), latencies(ours))));
  }

  private static Histogram latencies(double ms) {
    Histogram latencies = Latencies.empty();
    latencies.recordValue((long) (ms * 1e6));
    return latencies;
  }

  private static List<String> worse(LiveFigure figure, double... ours) {
    Measured measured = new Measured();
    for (int i = 0; i < ours.length; i++) {
      add(measured, i, figure, ours[i]);
    }
    return LiveReport.worse(measured);
  }

  @Test
  void whatIsWorseInEveryRoundIsListed() {
    assertEquals(
        List.of("gzip, 125x1KiB, 90 %, fork: CPU 12.0, stock 10.0 s/GB; 1.20 (1.10 to 1.50)"),
        worse(LiveFigure.CPU, 11, 12, 15));
    assertEquals(
        List.of(
            "gzip, 125x1KiB, 90 %, fork: throughput 8.00, stock 10.0 records/s; 0.80 (0.70 to"
                + " 0.90)"),
        worse(LiveFigure.RATE, 7, 8, 9));
  }

  @Test
  void whatIsBetterOnceIsNot() {
    assertEquals(List.of(), worse(LiveFigure.CPU, 15, 15, 9.9));
    assertEquals(List.of(), worse(LiveFigure.RATE, 7, 7, 10.1));
    assertEquals(List.of(), worse(LiveFigure.CPU, 7, 8, 9));
    assertEquals(List.of(), worse(LiveFigure.RATE, 11, 12, 13));
  }

  @Test
  void smallDifferencesAndFewRoundsAreNot() {
    assertEquals(List.of(), worse(LiveFigure.CPU, 10.4, 10.3, 10.2));
    assertEquals(List.of(), worse(LiveFigure.CPU, 15, 15));
    assertEquals(1, worse(LiveFigure.CPU, 15, 15, 15).size());
  }

  @Test
  void moreThanZeroIsWorseThanZero() {
    Measured measured = new Measured();
    add(measured, 0, LiveFigure.PAUSES, 0, 5);
    add(measured, 1, LiveFigure.PAUSES, 0, 5);
    add(measured, 2, LiveFigure.PAUSES, 10, 12);
    assertEquals(
        List.of("gzip, 125x1KiB, 90 %, fork: GC pauses 5.00, stock 0 1/GB; 1.20"),
        LiveReport.worse(measured));
    String text = LiveReport.of(measured);
    assertTrue(text.contains("\n| gzip, 125x1KiB, 90 % | 0 | 5.00, 1.20 |\n"), text);
  }

  @Test
  void zeroInAllRoundsHasNoRatio() {
    Measured measured = new Measured();
    for (int i = 0; i < 3; i++) {
      add(measured, i, LiveFigure.PAUSES, 0, 5);
      add(measured, i, LiveFigure.RATE, 0, 5);
    }
    assertEquals(
        List.of("gzip, 125x1KiB, 90 %, fork: GC pauses 5.00, stock 0 1/GB; no ratio"),
        LiveReport.worse(measured));
  }

  @Test
  void zeroIsNotWorseThanZero() {
    Measured measured = new Measured();
    add(measured, 0, LiveFigure.PAUSES, 0, 0);
    for (int i = 1; i < 4; i++) {
      add(measured, i, LiveFigure.PAUSES, 10, 12);
    }
    assertEquals(List.of(), LiveReport.worse(measured));
  }

  @Test
  void figuresThatOnlyExplainAreNotJudged() {
    assertEquals(List.of(), worse(LiveFigure.COMPILER_CPU, 20, 20, 20));
    assertEquals(List.of(), worse(LiveFigure.LONGEST, 20, 20, 20));
  }

  @Test
  void percentilesAreThoseOfAllSlotsTogether() {
    Measured measured = new Measured();
    for (int i = 0; i < 3; i++) {
      add(measured, i, LiveFigure.P99, 20 + i);
    }
    String text = LiveReport.of(measured);
    assertTrue(text.contains("- gzip, 125x1KiB, 90 %, fork: p99 22.0, stock 10.0 ms;"), text);
    assertTrue(
        text.contains("\n| gzip, 125x1KiB, 90 % | 10.0 | 22.0, 2.10 (2.00 to 2.20) |\n"), text);
  }

  @Test
  void nothingIsWorse() {
    Measured measured = new Measured();
    add(measured, 0, LiveFigure.CPU, 9);
    String text = LiveReport.of(measured);
    assertTrue(text.contains("outside of the interval\n\nNothing.\n"), text);
    assertTrue(text.contains("\n| gzip, 125x1KiB, 90 % | 10.0 | 9.00, 0.90 |\n"), text);
  }
}
