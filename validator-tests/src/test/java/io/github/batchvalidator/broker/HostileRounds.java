// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.batchvalidator.testkit.broker.BrokerProcess;
import io.github.batchvalidator.testkit.broker.RawClient;
import java.io.IOException;
import java.util.List;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.protocol.Errors;

/** Sends hostile requests, and counts what the broker logs for those it rejects. */
final class HostileRounds {
  private final BrokerProcess broker;
  private int requests;
  private int rejected;
  private long logBytes;
  private long mostLogBytes;

  HostileRounds(BrokerProcess broker) {
    this.broker = broker;
  }

  /** Sends each to both topics, one after the other; each has to get its answer. */
  void send(RawClient client, List<HostileBatch> batches) throws Exception {
    for (HostileBatch batch : batches) {
      send(client, HostileTopics.KEPT, batch, batch.kept());
      send(client, HostileTopics.REBUILT, batch, batch.rebuilt());
    }
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

  @Override
  public String toString() {
    return "%d hostile requests; bytes of log per rejected batch: %d, most %d"
        .formatted(requests, logBytesPerRejected(), mostLogBytes);
  }
}
