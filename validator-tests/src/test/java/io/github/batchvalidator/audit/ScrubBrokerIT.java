// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.batchvalidator.dropin.Lines;
import io.github.batchvalidator.testkit.broker.BrokerBuild;
import io.github.batchvalidator.testkit.broker.BrokerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Scrubs of a live broker under load, which appends, rolls, compacts and deletes: no fault and no
 * error.
 */
@Tag("broker")
class ScrubBrokerIT {
  private static final int RUNS = 6;

  /** The topics that stay small under load. */
  private static final List<String> TOPICS =
      List.of(BrokerTraffic.COMPACTED, BrokerTraffic.ROLLED, BrokerTraffic.TRANSACTIONS);

  private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  @TempDir private Path folder;

  @ParameterizedTest
  @MethodSource("io.github.batchvalidator.dropin.Lines#brokersOfLongTests")
  void nothingIsFoundUnderLoad(String line) throws Exception {
    try (BrokerProcess broker =
        Lines.jars().start(BrokerBuild.KAFKA, line, folder, List.of(), BrokerTraffic.SETTINGS)) {
      BrokerTraffic traffic = new BrokerTraffic(broker);
      traffic.createTopics();
      traffic.compacted();
      traffic.transactions();
      scrubUnderLoad(broker, traffic);
    }
  }

  private static void scrubUnderLoad(BrokerProcess broker, BrokerTraffic traffic) throws Exception {
    List<Thread> clients = traffic.load();
    try {
      for (int run = 0; run < RUNS; run++) {
        for (String topic : TOPICS) {
          scrub(broker.partition(topic), run);
        }
      }
    } finally {
      broker.close();
      for (Thread each : clients) {
        each.join();
      }
    }
  }

  /** Scrubs past the page cache, or through it. */
  private static void scrub(Path partition, int run) {
    Scrubbed scrubbed = new Scrubbed(partition, Duration.ofHours(run % 2)).large();
    scrubbed.rate("50MB/s").watched(scrub -> LockSupport.parkNanos(PAUSE_NANOS)).once();
    assertEquals(List.of(), scrubbed.faults(), () -> "run " + run);
    assertEquals(List.of(), scrubbed.errors(), () -> "run " + run);
    assertEquals(1, scrubbed.partitions().size(), () -> "run " + run);
  }
}
