// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import io.github.batchvalidator.hostile.HostileLoad;
import io.github.batchvalidator.testkit.broker.Await;
import io.github.batchvalidator.testkit.broker.BrokerClients;
import io.github.batchvalidator.testkit.broker.BrokerProcess;
import io.github.batchvalidator.testkit.broker.SteadyProducer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/** Measures a well-behaved producer on a broker that a hostile client keeps busy. */
final class NeighborRun {
  private static final long WARM_UP_MS = 3000;

  /** Uncounted hostile requests, so that the broker has compiled what they need. */
  private static final long SETTLE_MS = 2000;

  private static final long SERVED_SECONDS = 30;

  private final BrokerProcess broker;
  private final long measureMs;

  NeighborRun(BrokerProcess broker, long measureMs) {
    this.broker = broker;
    this.measureMs = measureMs;
  }

  /** Returns what was seen beside a load, or alone if it is null. */
  NeighborFigures measure(@Nullable HostileLoad load) throws Exception {
    createTopics(load);
    try (SteadyProducer neighbor = new SteadyProducer(broker, HostileTopics.BESIDE)) {
      Thread.sleep(WARM_UP_MS);
      Histogram latencies = SteadyProducer.latencies();
      int failedBefore = neighbor.failures().size();
      Map<Errors, Long> answers;
      long logBytes;
      try (HostileFlood flood = new HostileFlood(broker, load)) {
        Thread.sleep(SETTLE_MS);
        Map<Errors, Long> answersBefore = flood.answers();
        long loggedBefore = broker.logBytes();
        neighbor.countIn(latencies);
        Thread.sleep(measureMs);
        answers = difference(answersBefore, flood.answers());
        logBytes = broker.logBytes() - loggedBefore;
      }
      boolean served = awaitNext(neighbor);
      return new NeighborFigures(
          latencies,
          neighbor.failures().size() - failedBefore,
          answers,
          TimeUnit.MILLISECONDS.toNanos(measureMs),
          logBytes,
          troubles(served));
    }
  }

  private List<String> troubles(boolean served) throws IOException {
    List<String> troubles = new ArrayList<>();
    String log = broker.log();
    if (!broker.isAlive()) {
      troubles.add("dead");
    } else if (!served) {
      troubles.add("does not serve");
    }
    if (log.contains("java.lang.OutOfMemoryError")) {
      troubles.add("out of memory");
    }
    if (log.contains("java.lang.StackOverflowError")) {
      troubles.add("stack overflow");
    }
    return troubles;
  }

  private void createTopics(@Nullable HostileLoad load)
      throws ExecutionException, InterruptedException {
    boolean compacted = load != null && load.compacted();
    Map<String, String> config = Map.of("cleanup.policy", compacted ? "compact" : "delete");
    broker
        .clients()
        .createTopics(
            List.of(
                BrokerClients.topic(HostileFlood.TOPIC).configs(config),
                BrokerClients.topic(HostileTopics.BESIDE)));
  }

  private static Map<Errors, Long> difference(Map<Errors, Long> before, Map<Errors, Long> after) {
    Map<Errors, Long> difference = new EnumMap<>(Errors.class);
    after.forEach(
        (error, count) -> {
          long more = count - before.getOrDefault(error, 0L);
          if (more > 0) {
            difference.put(error, more);
          }
        });
    return difference;
  }

  /** The record that is on its way counts too, however long it takes. */
  private static boolean awaitNext(SteadyProducer neighbor) throws InterruptedException {
    int sent = neighbor.sent();
    return Await.isMet(SERVED_SECONDS, () -> neighbor.sent() > sent);
  }
}
