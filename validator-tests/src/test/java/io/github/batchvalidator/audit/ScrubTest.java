// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.audit.report.PartitionSummary;
import io.github.batchvalidator.audit.scrub.Scrub;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The segments that a scrub reads, their order, and its state. */
class ScrubTest {
  static final int SEGMENTS = 4;

  @TempDir private Path directory;

  private Path data;
  private Path state;
  private Path metrics;

  @BeforeEach
  void createDirectories() throws IOException {
    data = Files.createDirectory(directory.resolve("data"));
    state = directory.resolve("scrub.state");
    metrics = directory.resolve("scrub.prom");
  }

  private Path partition(String name) throws IOException {
    return partition(data.resolve(name), 20);
  }

  /** Writes a partition of {@value #SEGMENTS} segments. */
  static Path partition(Path partition, int batches) throws IOException {
    try (KafkaLog log = KafkaLog.open(partition)) {
      for (int segment = 0; segment < SEGMENTS; segment++) {
        for (int i = 0; i < batches; i++) {
          log.plain(7).idempotent(1, 2);
        }
        if (segment < SEGMENTS - 1) {
          log.roll();
        }
      }
    }
    return partition;
  }

  /** Changes a byte in the first batch of a segment. */
  static void damage(Path partition, int segment) throws IOException {
    Path file = new StoredLog(partition).file(segment, ".log");
    byte[] bytes = Files.readAllBytes(file);
    bytes[100] ^= 1;
    Files.write(file, bytes);
  }

  private Scrubbed scrub() {
    return Scrubbed.of(data).state(state).metrics(metrics);
  }

  private double metric(String name) throws Exception {
    return Scrubbed.metric(metrics, "batchvalidator_scrub_" + name);
  }

  private String label() {
    return "{directory=\"" + data + "\"}";
  }

  @Test
  void soundPartitionsAreChecked() throws Exception {
    partition("orders-0");
    partition("orders-1");
    Scrubbed scrubbed = scrub().once();
    assertEquals(List.of(), scrubbed.faults());
    assertEquals(List.of(), scrubbed.errors());
    assertEquals(List.of("orders-0", "orders-1"), scrubbed.names());
    assertEquals(8, scrubbed.passes().get(0).files());
    assertFalse(scrubbed.scrub().isIncomplete());
    assertEquals(2, metric("partitions" + label()));
    assertEquals(0, metric("unread_files" + label()));
    String directories = "{directories=\"" + data + "\"}";
    assertEquals(1, metric("passes_total" + directories));
    assertEquals(1e9, metric("rate_limit_bytes" + directories));
  }

  @Test
  void aFaultIsNamedAndCountedUntilItIsGone() throws Exception {
    Path partition = partition("orders-0");
    byte[] sound = Files.readAllBytes(new StoredLog(partition).file(1, ".log"));
    damage(partition, 1);
    Scrubbed scrubbed = scrub().once();
    String file = new StoredLog(partition).name(1, ".log");
    String from = bytesFrom("disk") > 0 ? "disk" : "cache";
    assertEquals(List.of("BATCH_CRC_MISMATCH " + file + "@0 from " + from), scrubbed.faults());
    assertEquals(1, scrubbed.scrub().faults());
    String counted = "faults{directory=\"" + data + "\",reason=\"BATCH_CRC_MISMATCH\"}";
    assertEquals(1, metric(counted));

    Scrubbed stopped = scrub().later(Duration.ofDays(1)).watched(Scrub::stop).rate("1kB/s");
    stopped.once();
    assertEquals(1, metric(counted), "known, although this scrub has not come so far");

    Files.write(new StoredLog(partition).file(1, ".log"), sound);
    assertEquals(List.of(), scrub().later(Duration.ofDays(2)).once().faults());
    assertFalse(Files.readString(metrics).contains("BATCH_CRC_MISMATCH"));
  }

  private double bytesFrom(String from) throws Exception {
    return metric("read_bytes_total{directories=\"" + data + "\",from=\"" + from + "\"}");
  }

  @Test
  void filesThatWereJustWrittenAreReadFromTheCache() throws Exception {
    damage(partition("orders-0"), 1);
    Scrubbed scrubbed = new Scrubbed(data, Duration.ZERO).metrics(metrics).once();
    assertEquals(1, scrubbed.faults().size());
    assertTrue(scrubbed.faults().get(0).endsWith(" from cache"), scrubbed.faults()::toString);
    assertEquals(0, bytesFrom("disk"));
    assertTrue(bytesFrom("cache") > 10_000);
  }

  @Test
  void theOldestCheckComesFirst() throws Exception {
    partition("a-0");
    partition("b-0");
    Scrubbed first = scrub().once();
    assertEquals(List.of("a-0", "b-0"), first.names());
    partition("c-0");
    Scrubbed second = scrub().rate("100kB/s").later(Duration.ofHours(1)).once();
    assertEquals(List.of("c-0", "a-0", "b-0"), second.names());
    Files.move(data.resolve("a-0"), data.resolve("d-0"));
    Scrubbed third = scrub().later(Duration.ofHours(2)).once();
    assertEquals(List.of("d-0", "c-0", "b-0"), third.names());
  }

  @Test
  void aPassContinuesAfterARestart() throws Exception {
    partition("a-0");
    partition("b-0");
    partition("c-0");
    Scrubbed[] first = new Scrubbed[1];
    first[0] =
        scrub()
            .rate("100kB/s")
            .watched(
                scrub -> {
                  if (first[0].partitions().size() == 2) {
                    scrub.stop();
                  }
                });
    first[0].once();
    assertEquals(List.of("a-0", "b-0"), first[0].names());
    assertEquals(List.of(), first[0].passes());
    Scrubbed second = scrub().later(Duration.ofHours(3)).once();
    assertEquals(List.of("b-0", "c-0"), second.names());
    assertEquals(List.of(1, SEGMENTS), segments(second), "only the last segment of b-0");
    assertEquals(List.of("a-0", "b-0", "c-0"), scrub().later(Duration.ofHours(9)).once().names());
  }

  static List<Integer> segments(Scrubbed scrubbed) {
    return scrubbed.partitions().stream().map(PartitionSummary::segments).toList();
  }

  /** Faults found before the stop count once. */
  @Test
  void aPartitionContinuesAtTheLastSegmentThatWasChecked() throws Exception {
    Path partition = partition("orders-0");
    damage(partition, 0);
    damage(partition, 2);
    Scrubbed[] first = new Scrubbed[1];
    first[0] =
        scrub()
            .rate("1kB/s")
            .watched(
                scrub -> {
                  if (first[0].faults().size() == 2) {
                    scrub.stop();
                  }
                });
    first[0].once();
    assertEquals(2, first[0].faults().size());
    String counted = "faults{directory=\"" + data + "\",reason=\"BATCH_CRC_MISMATCH\"}";
    assertEquals(2, metric(counted));
    Scrubbed second = scrub().later(Duration.ofHours(1)).once();
    assertTrue(segments(second).get(0) < SEGMENTS, () -> segments(second).toString());
    assertEquals(first[0].faults().subList(1, 2), second.faults());
    assertEquals(2, metric(counted));
  }

  private void scrubToTheFirstFault() throws Exception {
    Scrubbed[] first = new Scrubbed[1];
    first[0] =
        scrub()
            .rate("1kB/s")
            .watched(
                scrub -> {
                  if (!first[0].faults().isEmpty()) {
                    scrub.stop();
                  }
                });
    first[0].once();
    assertEquals(List.of(), first[0].partitions(), "the damage is before the last segment");
  }

  /** Writes a partition of which a segment in the middle is missing. */
  static Path withGap(Path partition) throws IOException {
    try (KafkaLog log = KafkaLog.open(partition)) {
      for (int i = 0; i < 5; i++) {
        log.plain(7).plain(7).roll();
      }
      log.plain(1);
    }
    new StoredLog(partition).delete(1);
    return partition;
  }

  /** Missing offsets are no fault if a later batch shows a compaction. */
  @Test
  void missingOffsetsAreFoundAgainAfterARestart() throws Exception {
    damage(withGap(data.resolve("orders-0")), 2);
    Scrubbed whole = Scrubbed.of(data).once();
    assertMissing(whole);
    List<String> all = whole.faults();
    scrubToTheFirstFault();
    assertEquals(1, metric("faults{directory=\"" + data + "\",reason=\"BATCH_CRC_MISMATCH\"}"));
    assertEquals(all, scrub().later(Duration.ofHours(1)).once().faults());
    assertEquals(
        1, metric("faults{directory=\"" + data + "\",reason=\"PARTITION_OFFSETS_MISSING\"}"));
  }

  /** Writes a partition of which the first segment is compacted, and a later one is missing. */
  private Path compacted() throws Exception {
    Path partition = data.resolve("orders-0");
    try (KafkaLog log = KafkaLog.open(partition, CompactedLogTest.COMPACT)) {
      log.keys(20).plain(13).plain(13).roll();
      CompactedLogTest.clean(log);
      for (int i = 0; i < 4; i++) {
        log.plain(7).plain(7).roll();
      }
      log.plain(1);
    }
    new StoredLog(partition).delete(3);
    return partition;
  }

  static void assertMissing(Scrubbed scrubbed) {
    List<String> all = scrubbed.faults();
    assertTrue(
        all.stream().anyMatch(each -> each.startsWith("PARTITION_OFFSETS_MISSING ")),
        all::toString);
  }

  /** A check from the first segment on decides again: the topic may have another policy now. */
  @Test
  void aCompactionOfEarlierSegmentsIsKnownAfterARestart() throws Exception {
    Path partition = compacted();
    damage(partition, 2);
    List<String> all = Scrubbed.of(data).once().faults();
    assertEquals(1, all.size(), all::toString);
    scrubToTheFirstFault();
    Scrubbed second = scrub().later(Duration.ofHours(1)).once();
    assertTrue(segments(second).get(0) < 5, () -> segments(second).toString());
    assertEquals(all, second.faults());
    new StoredLog(partition).delete(0);
    assertMissing(scrub().later(Duration.ofHours(2)).once());
  }

  @Test
  void aCompactionIsForgottenWithTheFirstSegment() throws Exception {
    Path partition = compacted();
    damage(partition, 2);
    scrubToTheFirstFault();
    new StoredLog(partition).delete(0);
    assertMissing(scrub().later(Duration.ofHours(1)).once());
  }

  @Test
  void skippedSegmentsDoNotKeepACompactionAlive() throws Exception {
    StoredLog log = new StoredLog(compacted());
    Duration justChecked = Duration.ofMillis(2001); // what changes later has changed since
    assertEquals(List.of(), new Scrubbed(data, justChecked).state(state).once().faults());
    long checkedMs = System.currentTimeMillis();
    log.delete(0);
    Path last = log.file(3, ".log");
    byte[] bytes = Files.readAllBytes(last);
    do {
      Files.write(last, bytes, StandardOpenOption.WRITE);
    } while (Files.getLastModifiedTime(last).toMillis() <= checkedMs);
    assertMissing(scrub().skipping().later(Duration.ofHours(1)).once());
  }

  @Test
  void skippedSegmentsAreThoseThatDidNotChange() throws Exception {
    Path partition = partition("orders-0");
    partition("orders-1");
    scrub().once();
    Scrubbed second = scrub().skipping().later(Duration.ofHours(1)).once();
    assertEquals(List.of(), second.partitions());
    damage(partition, 2);
    Scrubbed third = scrub().skipping().later(Duration.ofHours(2)).once();
    assertEquals(List.of(), third.faults(), "the change seems older than the check");
    Scrubbed back = new Scrubbed(data, Duration.ZERO).state(state).skipping().once();
    assertEquals(1, back.faults().size(), "the clock was set back");
    Scrubbed again = scrub().skipping().later(Duration.ofHours(3)).once();
    assertEquals(back.faults().size(), again.faults().size(), "a fault is never skipped");
  }

  /** A change may be older than a check of a fast clock, and yet after it. */
  @Test
  void aCheckInTheFutureCountsAsNone() throws Exception {
    Path partition = partition("orders-0");
    scrub().later(Duration.ofHours(2)).once();
    damage(partition, 2);
    Scrubbed back = scrub().later(Duration.ofHours(1)).skipping().once();
    assertEquals(1, back.faults().size());
  }

  @Test
  void theStateOutlivesAnEmptyDirectory() throws Exception {
    Path partition = partition("orders-0");
    scrub().once();
    Path away = directory.resolve("orders-0");
    rename(partition, away);
    Scrubbed empty = scrub().later(Duration.ofHours(1)).once();
    assertEquals(List.of("data: contains no partition"), empty.errors());
    rename(away, partition);
    Scrubbed back = scrub().skipping().later(Duration.ofHours(2)).once();
    assertEquals(List.of(), back.partitions(), "checked before");
    assertEquals(List.of(), back.errors());
  }

  @Test
  void aDamagedStateFileIsReportedAndNotUsed() throws Exception {
    partition("orders-0");
    scrub().once();
    Files.writeString(state, Files.readString(state).replace("\t", " "));
    Scrubbed scrubbed = scrub().later(Duration.ofHours(1)).once();
    assertEquals(List.of("orders-0"), scrubbed.names());
    assertEquals(1, scrubbed.notes().size());
    assertTrue(scrubbed.notes().get(0).contains("checksum is wrong"), scrubbed.notes()::toString);
    assertEquals(List.of(), scrub().later(Duration.ofHours(2)).once().notes());
  }

  @Test
  void directoriesThatABrokerSetsAsideAreLeftOut() throws Exception {
    partition("orders-0");
    damage(partition("orders-1"), 1);
    Files.move(data.resolve("orders-1"), data.resolve("orders-1.abc-delete"));
    Files.createDirectory(data.resolve("lost+found"));
    Scrubbed scrubbed = scrub().once();
    assertEquals(List.of("orders-0"), scrubbed.names());
    assertEquals(List.of(), scrubbed.faults());
    assertEquals(List.of(), scrubbed.errors());
  }

  @Test
  void aPartitionThatIsDeletedWhileItIsReadIsNoFault() throws Exception {
    Path partition = partition("orders-0");
    partition("orders-1");
    damage(partition, 3);
    Path gone = data.resolve("orders-0.abc-delete");
    Scrubbed scrubbed =
        scrub()
            .rate("1kB/s")
            .watched(
                scrub -> {
                  if (Files.exists(partition)) {
                    rename(partition, gone);
                  }
                })
            .once();
    assertTrue(Files.exists(gone));
    assertEquals(List.of(), scrubbed.faults());
    assertEquals(List.of(), scrubbed.errors());
    assertEquals(List.of("orders-1"), scrubbed.names());
    assertEquals(0, scrubbed.passes().get(0).tally().faults());
  }

  @Test
  void aPartitionThatCannotBeListedIsAnError() throws Exception {
    partition("orders-1");
    linkToItself(data.resolve("orders-0"));
    Scrubbed scrubbed = scrub().once();
    assertEquals(List.of("orders-1"), scrubbed.names());
    assertEquals(1, scrubbed.errors().size(), scrubbed.errors()::toString);
    assertTrue(scrubbed.errors().get(0).startsWith("orders-0: "), scrubbed.errors()::toString);
    assertEquals(2, metric("partitions" + label()));
    assertEquals(1, metric("unread_files" + label()));
  }

  @Test
  void aPartitionThatCannotBeReachedAnymoreIsAnError() throws Exception {
    Path partition = partition("orders-0");
    Scrubbed scrubbed =
        scrub()
            .rate("1kB/s")
            .watched(
                scrub -> {
                  if (!Files.isSymbolicLink(partition)) {
                    rename(partition, data.resolve("orders-0.abc-delete"));
                    linkToItself(partition);
                  }
                })
            .once();
    assertTrue(Files.isSymbolicLink(partition));
    assertFalse(scrubbed.errors().isEmpty());
    assertTrue(scrubbed.scrub().isIncomplete());
  }

  /** Creates a link whose status cannot be read, which also root notices. */
  private static void linkToItself(Path link) {
    try {
      Files.createSymbolicLink(link, link);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void rename(Path from, Path to) {
    try {
      Files.move(from, to);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aDirectoryThatIsMissingIsAnErrorOnce() throws Exception {
    Scrubbed[] missing = new Scrubbed[1];
    missing[0] =
        new Scrubbed(directory.resolve("no"), Duration.ZERO)
            .metrics(metrics)
            .watched(
                scrub -> {
                  if (missing[0].passes().size() == 5) {
                    scrub.stop();
                  }
                });
    missing[0].forever();
    assertEquals(List.of("no: no such file or directory"), missing[0].errors());
    assertTrue(missing[0].scrub().isIncomplete());
    assertEquals(1, metric("unread_files{directory=\"" + directory.resolve("no") + "\"}"));
  }
}
