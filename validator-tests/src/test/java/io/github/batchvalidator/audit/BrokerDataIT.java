// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.audit.report.FileSummary;
import io.github.batchvalidator.audit.report.PartitionSummary;
import io.github.batchvalidator.dropin.Lines;
import io.github.batchvalidator.testkit.broker.BrokerBuild;
import io.github.batchvalidator.testkit.broker.BrokerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whole data directories of live brokers: as kills under load leave them, before the broker that
 * mends them starts, and after a clean stop.
 */
@Tag("broker")
class BrokerDataIT {
  private static final long LOAD_MS = 1500;

  /** Kills under load. Each broker has recovered from the kill of the one before. */
  private static final int KILLS = 2;

  @TempDir private Path folder;

  @ParameterizedTest
  @MethodSource("io.github.batchvalidator.dropin.Lines#brokersOfLongTests")
  void directoriesOfAKilledBrokerAreClean(String line) throws Exception {
    Path data = write(line);
    assertCleanButForWrites(Audited.of(data));
    for (int i = 1; i < KILLS; i++) {
      try (BrokerProcess broker = start(line)) {
        load(broker);
      }
      assertCleanButForWrites(Audited.of(data));
    }
    Audited stopped = Audited.of(restart(line));
    assertEquals(List.of(), stopped.messages());
    assertEquals(List.of(), stopped.errors());
    checkContent(stopped);
    checkFigures(data, stopped);
  }

  private static void assertCleanButForWrites(Audited killed) throws IOException {
    List<String> missing = missingEntries(killed);
    assertEquals(
        List.of(),
        killed.messages().stream()
            .filter(each -> !isIncompleteWrite(each))
            .filter(each -> missing.stream().noneMatch(each::startsWith))
            .toList(),
        killed::text);
    assertEquals(List.of(), killed.errors());
  }

  /** A kill may leave half of a batch at the end of a segment, or an empty snapshot. */
  private static boolean isIncompleteWrite(String message) {
    return message.startsWith("SEGMENT_TRUNCATED_TAIL")
        || (message.startsWith("PRODUCER_SNAPSHOT_UNREADABLE")
            && message.contains("after a crash"));
  }

  /**
   * Returns the start of each message that a kill explains. Kafka appends an abort marker before
   * the entry of its index, so the entry of the last batch of a partition may be missing.
   */
  private static List<String> missingEntries(Audited killed) throws IOException {
    List<String> starts = new ArrayList<>();
    for (PartitionSummary each : killed.partitions()) {
      if (each.faults() > 0) {
        StoredLog log = new StoredLog(Path.of(each.name()));
        int segment = log.bases().size() - 1;
        long size = Files.size(log.file(segment, ".log"));
        for (StoredLog.Batch batch : log.batches(segment)) {
          if (batch.isControl() && batch.position() + batch.bytes() == size) {
            String place = log.at(segment, ".log", batch.position());
            starts.add(
                "TXNINDEX_ENTRY_MISSING %s: producer %d ".formatted(place, batch.producer()));
          }
        }
      }
    }
    return starts;
  }

  private BrokerProcess start(String line) throws Exception {
    return Lines.jars().start(BrokerBuild.KAFKA, line, folder, List.of(), BrokerTraffic.SETTINGS);
  }

  /** Runs a broker until it is killed in the middle of writes. */
  private Path write(String line) throws Exception {
    try (BrokerProcess broker = start(line)) {
      BrokerTraffic traffic = new BrokerTraffic(broker);
      traffic.createTopics();
      traffic.compacted();
      traffic.transactions();
      traffic.retried();
      traffic.awaitCompaction();
      traffic.openTransaction();
      load(broker);
      return broker.data();
    }
  }

  /** Kills a broker under load. */
  private static void load(BrokerProcess broker) throws Exception {
    BrokerTraffic traffic = new BrokerTraffic(broker);
    List<Thread> clients = traffic.load();
    Thread.sleep(LOAD_MS);
    traffic.awaitDeletion();
    broker.close();
    for (Thread each : clients) {
      each.join();
    }
  }

  /** Runs a broker with the data of the killed one until it is stopped. */
  private Path restart(String line) throws Exception {
    try (BrokerProcess broker = start(line)) {
      BrokerTraffic traffic = new BrokerTraffic(broker);
      traffic.transactions();
      broker.stop();
      return broker.data();
    }
  }

  private static void checkContent(Audited audited) {
    PartitionSummary metadata = partition(audited, "__cluster_metadata-0");
    assertTrue(metadata.segments() > 3, metadata::toString);
    assertTrue(partition(audited, "__transaction_state-0").compacted());
    assertTrue(partition(audited, BrokerTraffic.COMPACTED + "-0").compacted());
    PartitionSummary transactions = partition(audited, BrokerTraffic.TRANSACTIONS + "-0");
    assertTrue(transactions.committedTransactions() > 20, transactions::toString);
    assertTrue(transactions.abortedTransactions() > 10, transactions::toString);
    PartitionSummary rolled = partition(audited, BrokerTraffic.ROLLED + "-0");
    assertTrue(rolled.firstOffset() > 0 && rolled.segments() > 1, rolled::toString);
    assertEquals(1, partition(audited, BrokerTraffic.RETRIED + "-0").producers());
    assertTrue(
        audited.files().stream()
            .anyMatch(
                each -> each.name().endsWith(".checkpoint") && each.tally().controlBatches() >= 2),
        "no snapshot of KRaft");
  }

  private static PartitionSummary partition(Audited audited, String name) {
    return audited.partitions().stream()
        .filter(each -> Path.of(each.name()).endsWith(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError(name));
  }

  /** Compares each figure that kafka-dump-log prints, too. */
  private void checkFigures(Path data, Audited audited) throws Exception {
    List<Path> files;
    try (Stream<Path> all = Files.walk(data)) {
      files = all.filter(DumpLog::reads).sorted().toList();
    }
    DumpLog dump = DumpLog.of(folder, files);
    for (String file : dump.mismatches().keySet()) {
      assertTrue(isUnfilled(Path.of(file)), () -> "reported by kafka-dump-log only: " + file);
    }
    for (FileSummary file : audited.files()) {
      assertEquals(dump.figures(file.name()), DumpLog.Figures.of(file), file.name());
    }
  }

  /** Returns true for an index without entries, whose space Kafka has allocated already. */
  private static boolean isUnfilled(Path index) {
    try {
      byte[] bytes = Files.readAllBytes(index);
      return Arrays.equals(bytes, new byte[bytes.length]);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
