// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.protocol.Errors;

/** Sends hostile requests, and tells how the producer beside them fared meanwhile and alone. */
final class HostileRounds {
  private final SteadyProducer producer;
  private final Latencies before = new Latencies();
  private final Latencies beside = new Latencies();
  private final Latencies after = new Latencies();
  private int requests;
  private long nanos;

  HostileRounds(SteadyProducer producer) {
    this.producer = producer;
  }

  Latencies before() {
    return before;
  }

  Latencies after() {
    return after;
  }

  /** Sends each to both topics, one after the other; each has to get its answer. */
  void send(RawClient client, List<HostileBatch> batches) throws Exception {
    Latencies meanwhile = new Latencies();
    producer.countIn(meanwhile);
    long started = System.nanoTime();
    for (HostileBatch batch : batches) {
      check(batch.name(), batch.kept(), client.produce(HostileTopics.KEPT, batch.bytes()));
      check(batch.name(), batch.rebuilt(), client.produce(HostileTopics.REBUILT, batch.bytes()));
    }
    nanos += System.nanoTime() - started;
    // Between such calls the broker is made to collect its garbage, which is our doing.
    producer.countIn(new Latencies());
    beside.addAll(meanwhile);
    requests += 2 * batches.size();
  }

  private static void check(String name, Errors expected, PartitionProduceResponse answer) {
    assertEquals(
        expected, Errors.forCode(answer.errorCode()), () -> name + ": " + answer.errorMessage());
  }

  HostileFigures figures(String broker, List<Long> live) {
    return new HostileFigures(broker, requests, nanos, before, beside, after, live);
  }
}
