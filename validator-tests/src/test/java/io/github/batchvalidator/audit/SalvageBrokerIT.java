// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.cli.Run;
import io.github.batchvalidator.dropin.Lines;
import io.github.batchvalidator.testkit.broker.BrokerBuild;
import io.github.batchvalidator.testkit.broker.BrokerClients;
import io.github.batchvalidator.testkit.broker.BrokerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What consumers of a live broker read from a partition whose abort markers were damaged. */
@Tag("broker")
@ParameterizedClass
@MethodSource("io.github.batchvalidator.dropin.Lines#brokersOfLongTests")
class SalvageBrokerIT {
  private static final int ABORT_MARKERS = 3;
  private static final String GROUP = "stuck";
  private static final Pattern NAMED =
      Pattern.compile(
          "the abort marker at offset [0-9]+ is lost; offsets? ([0-9]+)(?: to ([0-9]+))?");

  private final String line;

  @TempDir private Path folder;
  @TempDir private Path out;

  SalvageBrokerIT(String line) {
    this.line = line;
  }

  @Test
  void rolledBackRecordsThatBecomeVisibleAreNamed() throws Exception {
    Set<Long> before = write();
    Path partition;
    long marker;
    try (BrokerProcess broker = start()) {
      partition = broker.data().resolve(BrokerTraffic.TRANSACTIONS + "-0");
      marker = new StoredLog(partition).abortMarkers(0).get(0);
      commit(broker.clients(), marker);
      broker.stop();
    }
    damageAbortMarkers(new StoredLog(partition));
    assertGroupIsNamed(partition.resolveSibling(""), marker);
    Run held = Run.of("salvage", partition.toString(), "--into=" + out);
    assertEquals(3, held.exitCode(), held.out() + held.err());
    assertFalse(Files.exists(out.resolve(BrokerTraffic.TRANSACTIONS + "-0")));
    Run forced = Run.of("salvage", partition.toString(), "--into=" + out, "--lose-markers");
    assertEquals(1, forced.exitCode(), forced.out() + forced.err());
    replace(partition, out.resolve(partition.getFileName()));
    Set<Long> more = read();
    more.removeAll(before);
    Set<Long> named = named(forced.out());
    assertFalse(more.isEmpty(), "the damage shows nothing");
    assertTrue(named.containsAll(more), () -> more + " but named " + named);
  }

  private static void commit(BrokerClients clients, long offset) throws Exception {
    TopicPartition partition = new TopicPartition(BrokerTraffic.TRANSACTIONS, 0);
    try (Admin admin = clients.admin()) {
      admin
          .alterConsumerGroupOffsets(GROUP, Map.of(partition, new OffsetAndMetadata(offset)))
          .all()
          .get();
    }
  }

  private static void assertGroupIsNamed(Path data, long marker) {
    String out = Run.of("--verbose", data.toString()).out();
    String topic = BrokerTraffic.TRANSACTIONS + ":0";
    String command =
        "--group %s --topic %s --reset-offsets --to-offset %d ".formatted(GROUP, topic, marker + 1);
    assertTrue(out.contains(command), out);
  }

  private BrokerProcess start() throws Exception {
    return Lines.jars().start(BrokerBuild.KAFKA, line, folder, List.of(), BrokerTraffic.SETTINGS);
  }

  private Set<Long> write() throws Exception {
    try (BrokerProcess broker = start()) {
      BrokerTraffic traffic = new BrokerTraffic(broker);
      traffic.createTopics();
      traffic.transactions();
      broker.clients().awaitMarkers(List.of(new TopicPartition(BrokerTraffic.TRANSACTIONS, 0)));
      Set<Long> visible = read(broker);
      broker.stop();
      return visible;
    }
  }

  private Set<Long> read() throws Exception {
    try (BrokerProcess broker = start()) {
      return read(broker);
    }
  }

  /** Returns the offsets that a consumer of committed records reads up to the last stable one. */
  private static Set<Long> read(BrokerProcess broker) {
    try (KafkaConsumer<byte[], byte[]> consumer =
        broker.clients().consumer(Map.of("isolation.level", "read_committed"))) {
      Set<Long> offsets = new TreeSet<>();
      BrokerClients.read(consumer, BrokerTraffic.TRANSACTIONS)
          .forEach(each -> offsets.add(each.offset()));
      return offsets;
    }
  }

  private static void damageAbortMarkers(StoredLog log) throws Exception {
    List<Long> markers = log.abortMarkers(0);
    assertTrue(markers.size() > ABORT_MARKERS, markers::toString);
    for (StoredLog.Batch batch : log.batches(0)) {
      if (markers.subList(0, ABORT_MARKERS).contains(batch.base())) {
        int at = batch.position() + batch.bytes() - 2;
        log.edit(log.file(0, ".log"), all -> all.put(at, (byte) ~all.get(at)));
      }
    }
  }

  /** Puts the salvaged segments in place, as docs/check.md says. */
  private static void replace(Path partition, Path salvaged) throws Exception {
    StoredLog log = new StoredLog(partition);
    log.deleteIndexes(0);
    log.deleteSnapshots();
    Files.copy(
        salvaged.resolve(log.name(0, ".log")),
        log.file(0, ".log"),
        StandardCopyOption.REPLACE_EXISTING);
    Files.deleteIfExists(partition.resolveSibling(".kafka_cleanshutdown"));
  }

  private static Set<Long> named(String text) {
    Set<Long> offsets = new TreeSet<>();
    Matcher named = NAMED.matcher(text.replaceAll("\\s+", " "));
    while (named.find()) {
      long first = Long.parseLong(named.group(1));
      long last = named.group(2) == null ? first : Long.parseLong(named.group(2));
      for (long offset = first; offset <= last; offset++) {
        offsets.add(offset);
      }
    }
    return offsets;
  }
}
