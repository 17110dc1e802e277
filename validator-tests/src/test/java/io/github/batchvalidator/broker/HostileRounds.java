// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.batchvalidator.bench.broker.BrokerProcess;
import java.io.IOException;
import java.util.List;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.protocol.Errors;

/** Sends hostile requests, and tells how the producer beside them fared meanwhile and alone. */
final class HostileRounds {
  private final BrokerProcess broker;
  private final SteadyProducer producer;
  private final Latencies before = new Latencies();
  private final Latencies beside = new Latencies();
  private final Latencies after = new Latencies();
  private int requests;
  private long nanos;
  private int rejected;
  private long logBytes;
  private long mostLogBytes;

  HostileRounds(BrokerProcess broker, SteadyProducer producer) {
    this.broker = broker;
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
      send(client, HostileTopics.KEPT, batch, batch.kept());
      send(client, HostileTopics.REBUILT, batch, batch.rebuilt());
    }
    nanos += System.nanoTime() - started;
    // Between such calls the broker is made to collect its garbage, which is our doing.
    producer.countIn(new Latencies());
    beside.addAll(meanwhile);
    requests += 2 * batches.size();
  }

  private void send(RawClient client, String topic, HostileBatch batch, Errors expected)
      throws IOException {
    long logged = broker.logBytes();
    PartitionProduceResponse answer = client.produce(topic, batch.bytes());
    assertEquals(
        expected,
        Errors.forCode(answer.errorCode()),
        () -> batch.name() + ": " + answer.errorMessage());
    if (expected != Errors.NONE) {
      long more = broker.logBytes() - logged;
      logBytes += more;
      mostLogBytes = Math.max(mostLogBytes, more);
      rejected++;
    }
  }

  /** Returns what the broker logged per rejected batch, in bytes. */
  long logBytesPerRejected() {
    return logBytes / rejected;
  }

  /** Returns the most that the broker logged while it rejected one batch, in bytes. */
  long mostLogBytes() {
    return mostLogBytes;
  }

  HostileFigures figures(String name, List<Long> live) {
    return new HostileFigures(
        name, requests, nanos, before, beside, after, live, logBytesPerRejected(), mostLogBytes);
  }
}
