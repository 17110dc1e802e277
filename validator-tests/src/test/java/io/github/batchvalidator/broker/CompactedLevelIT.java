// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.dropin.Lines;
import io.github.batchvalidator.dropin.management.DropInMXBean;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testkit.broker.BrokerBeans;
import io.github.batchvalidator.testkit.broker.BrokerBuild;
import io.github.batchvalidator.testkit.broker.BrokerClients;
import io.github.batchvalidator.testkit.broker.BrokerProcess;
import io.github.batchvalidator.testkit.broker.RawClient;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A live broker whose compacted topics have level strict, by one line of the policy file. */
@Tag("broker")
class CompactedLevelIT {
  private static final String HEADER = "some-header";
  private static final Map<String, String> COMPACT = Map.of("cleanup.policy", "compact");

  @TempDir private Path folder;

  private BrokerProcess start() throws Exception {
    Path policy = folder.resolve("policy.properties");
    Files.writeString(policy, "default.compacted.level=strict\n");
    List<String> options = List.of("-Dbatchvalidator.policy=" + policy);
    return Lines.jars().start(BrokerBuild.DROP_IN, "4.3", folder.resolve("broker"), options);
  }

  /** Returns the scenario in a compacted topic, without the batches that have no key. */
  private static Scenario compacted(Scenario scenario) {
    Map<String, String> config = new HashMap<>(scenario.config());
    config.putAll(COMPACT);
    List<List<ProducerRecord<byte[], byte[]>>> batches =
        scenario.batches().stream()
            .filter(batch -> batch.stream().allMatch(record -> record.key() != null))
            .toList();
    return new Scenario(
        scenario.topic(), config, scenario.codec(), scenario.producing(), batches, 0);
  }

  @Test
  void batchesOfClientsAreStored() throws Exception {
    List<Scenario> scenarios =
        Scenarios.of(System.currentTimeMillis() - 60_000).stream()
            .filter(scenario -> scenario.refusedBatches() == 0)
            .map(CompactedLevelIT::compacted)
            .toList();
    assertTrue(scenarios.stream().mapToInt(each -> each.batches().size()).sum() > 100);
    try (BrokerProcess broker = start();
        BrokerBeans beans = new BrokerBeans(broker)) {
      BrokerRun run = BrokerRun.of(broker, scenarios);
      for (Scenario scenario : scenarios) {
        long sent = scenario.batches().stream().mapToLong(List::size).sum();
        long read = run.outcome(scenario).read().size();
        assertEquals(sent, read, scenario::topic);
      }
      DropInMXBean bean = beans.dropIn();
      assertEquals(0, bean.getRefused());
      assertTrue(bean.getAccepted() > 100);
    }
  }

  /** Returns a batch with one header. */
  private static ByteBuffer honest() {
    byte[] key = "some-key".getBytes(StandardCharsets.UTF_8);
    Header[] headers = {new RecordHeader(HEADER, key)};
    SimpleRecord honest = new SimpleRecord(System.currentTimeMillis(), key, key, headers);
    return MemoryRecords.withRecords(Compression.NONE, honest).buffer();
  }

  /** Returns a batch that level strict refuses: its header key is not UTF-8. */
  private static byte[] odd() {
    ByteBuffer batch = honest();
    String text = StandardCharsets.ISO_8859_1.decode(batch.duplicate()).toString();
    batch.put(text.indexOf(HEADER), (byte) 0xff);
    return Batches.fixCrc(batch).array();
  }

  @Test
  void onlyCompactedTopicsRefuseWhatLevelStrictRefuses() throws Exception {
    byte[] odd = odd();
    try (BrokerProcess broker = start()) {
      broker
          .clients()
          .createTopics(
              List.of(
                  BrokerClients.topic("deleted"),
                  BrokerClients.topic("compacted").configs(COMPACT)));
      try (RawClient client = new RawClient(broker)) {
        client.awaitLeader("deleted", honest().array());
        assertEquals(Errors.NONE.code(), client.produce("deleted", odd).errorCode());
        client.awaitLeader("compacted", honest().array());
        assertEquals(Errors.INVALID_RECORD.code(), client.produce("compacted", odd).errorCode());
      }
    }
  }
}
