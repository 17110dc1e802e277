// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.batchvalidator.dropin.Lines;
import io.github.batchvalidator.testkit.broker.BrokerBuild;
import io.github.batchvalidator.testkit.broker.BrokerProcess;
import io.github.batchvalidator.testkit.broker.RawClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What stock brokers make of the same requests. A code that they answer to a damaged or forged one
 * is that which is expected of ours, unless it is that of a crash; nothing else is expected of
 * them. What is greedy meets a broker of its own, since it may not be much of a broker afterwards,
 * and limits of ours that stock brokers do not have; all others of a kind share one.
 */
@Tag("broker")
@Tag("slow")
class StockHostileIT {
  @TempDir private Path directory;

  private final List<String> unlikeOurs = new ArrayList<>();

  static List<String> lines() {
    return Lines.brokers();
  }

  @ParameterizedTest
  @MethodSource("lines")
  void answersOfStockAreRecorded(String line) throws Exception {
    List<HostileBatch> damaged = HostileBatch.damaged(line);
    List<HostileBatch> greedy = HostileBatch.greedy(line);
    List<String> report = new ArrayList<>();
    report.add("Kafka " + line + ": batch, topic, our answer, that of the stock broker");
    record(line, damaged, true, report);
    for (HostileBatch batch : greedy) {
      record(line, List.of(batch), false, report);
    }
    List<HostileBatch> forged = HostileBatch.forgedLikeStock(line);
    record(line, forged, true, report);
    assertEquals(1 + 2 * (damaged.size() + greedy.size() + forged.size()), report.size());
    Files.write(HostileTopics.report("stock-" + line), report);
    assertEquals(List.of(), unlikeOurs);
  }

  private void record(
      String line, List<HostileBatch> batches, boolean asserting, List<String> report)
      throws Exception {
    Path folder = Files.createTempDirectory(directory, "broker");
    try (BrokerProcess broker = Lines.jars().start(BrokerBuild.KAFKA, line, folder, List.of())) {
      HostileTopics.create(broker);
      for (HostileBatch batch : batches) {
        report.add(row(broker, batch, HostileTopics.KEPT, batch.kept(), asserting));
        report.add(row(broker, batch, HostileTopics.REBUILT, batch.rebuilt(), asserting));
      }
    }
  }

  private String row(
      BrokerProcess broker, HostileBatch batch, String topic, Errors ours, boolean asserting) {
    String theirs;
    try (RawClient client = new RawClient(broker)) {
      Errors code = Errors.forCode(client.produce(topic, batch.bytes()).errorCode());
      if (asserting && code != Errors.UNKNOWN_SERVER_ERROR && code != ours) {
        unlikeOurs.add(batch.name() + ", " + topic + ": " + code + ", not " + ours);
      }
      theirs = code.name();
    } catch (IOException e) {
      theirs = (broker.isAlive() ? "no answer: " : "dead: ") + e;
    }
    return batch.name() + ", " + topic + ", " + ours + ", " + theirs;
  }
}
