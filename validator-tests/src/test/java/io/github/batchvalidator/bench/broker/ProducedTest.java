// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class ProducedTest {
  private static final String LATENCY =
      " (9.77 MB/sec), 12.5 ms avg latency, 300.00 ms max latency, 7 ms 50th, 40 ms 95th, %d ms"
          + " 99th, 299 ms 99.9th.\n";
  private static final String WINDOW =
      "40000 records sent, 8000.0 records/sec (7.81 MB/sec), 1.0 ms avg latency, 3.0 ms max"
          + " latency.\n";
  private static final String ALL =
      "131072 records sent, 10000.500000 records/sec" + LATENCY.formatted(120);
  private static final String STEADY =
      "104858 steady state records sent, 11000.250000 records/sec" + LATENCY.formatted(80);

  private static final String METRICS =
      """
      Metric Name                                                              Value
      producer-metrics:batch-size-avg:{client-id=perf-producer-client}       : 9123.500
      producer-metrics:batch-size-max:{client-id=perf-producer-client}       : 16384.000
      """;

  @Test
  void speedAndLatencyAreThoseOfTheSteadyState() {
    assertEquals(
        new Produced(131_072, 11_000.25, 80, 9_123.5),
        Produced.parse(WINDOW + ALL + STEADY + METRICS));
  }

  @Test
  void aProducerThatDidNotEndIsNoResult() {
    assertThrows(IllegalArgumentException.class, () -> Produced.parse(WINDOW + "Exception"));
    assertThrows(IllegalArgumentException.class, () -> Produced.parse(ALL + METRICS));
    assertThrows(IllegalArgumentException.class, () -> Produced.parse(ALL + STEADY));
  }

  @Test
  void theSlowestProducerDecidesTheLatency() {
    Produced one = new Produced(10, 5, 3, 100);
    Produced other = new Produced(20, 7, 9, 300);
    assertEquals(new Produced(30, 12, 9, 200), Produced.sum(List.of(one, other)));
  }
}
