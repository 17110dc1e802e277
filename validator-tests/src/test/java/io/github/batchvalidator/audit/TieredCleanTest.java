// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.audit.report.FileSummary;
import io.github.batchvalidator.audit.report.PartitionSummary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tiered copies of a partition have no faults, and the counts of the local segments. */
class TieredCleanTest {
  @TempDir private Path data;

  private Path partition = Path.of("none");
  private Path store = Path.of("none");

  @BeforeEach
  void write() throws IOException {
    partition = SampleLog.write(data.resolve("broker"));
    Path metadata = partition.resolve("partition.metadata");
    Files.writeString(metadata, "version: 0\ntopic_id: " + TieredCopy.TOPIC_ID + "\n");
    store = Files.createDirectory(data.resolve("store"));
  }

  /** The counts of an audit, for one segment. */
  private record Counts(long bytes, long batches, long records, long first, long last) {
    static List<Counts> of(List<FileSummary> files) {
      return files.stream()
          .map(
              file ->
                  new Counts(
                      file.bytes(),
                      file.tally().batches(),
                      file.tally().records(),
                      file.firstOffset(),
                      file.lastOffset()))
          .toList();
    }
  }

  private void checkClean(Audited tiered, TieredCopy copy) throws InterruptedException {
    assertEquals(List.of(), tiered.messages());
    assertEquals(List.of(), tiered.errors());
    List<Counts> local = Counts.of(TieredAudit.search(partition).files());
    assertEquals(local.subList(0, copy.segments()), Counts.of(tiered.files()));
    PartitionSummary summary = tiered.partitions().get(0);
    assertEquals("orders", summary.topic());
    assertEquals(copy.segments(), summary.segments());
    assertEquals(copy.next(copy.segments() - 1) - 1, summary.lastOffset());
    assertTrue(summary.abortedTransactions() > 2 && summary.committedTransactions() > 2);
  }

  @Test
  void kafka() throws Exception {
    TieredCopy copy = TieredCopy.kafka(partition, store);
    checkClean(TieredAudit.of(store), copy);
  }

  @ParameterizedTest
  @CsvSource({
    "'', 1000, false",
    "'', 1000, true",
    "a/b/, 4194304, true",
    "tiered-, 4194304, false",
    "'', 1, false",
    "a-, 61, true"
  })
  void aiven(String prefix, int chunkBytes, boolean compressed) throws Exception {
    TieredCopy copy =
        TieredCopy.aiven(partition, store, new TieredCopy.Aiven(prefix, chunkBytes, compressed));
    checkClean(TieredAudit.of(store), copy);
  }

  @Test
  void searchFindsTieredPartitionsByTheirNames() throws Exception {
    TieredCopy.kafka(partition, store.resolve("one"));
    TieredCopy.aiven(partition, store.resolve("two"), new TieredCopy.Aiven("x/", 4096, true));
    Audited found = TieredAudit.search(data);
    assertEquals(List.of(), found.messages());
    assertEquals(List.of(), found.errors());
    assertEquals(3, found.partitions().size());
    assertEquals(3 * SampleLog.SEGMENTS - 2, found.files().size());
  }

  @Test
  void localLogContinuesTheTieredSegments() throws Exception {
    TieredCopy copy = TieredCopy.kafka(partition, store);
    Path local = partition.resolve(String.format("%020d.log", 0));
    Files.delete(local);
    Audited audit = TieredAudit.of(store, partition);
    assertEquals(List.of(), audit.messages());
    assertEquals(2, audit.partitions().size());
    assertEquals(copy.segments() + SampleLog.SEGMENTS - 1, audit.files().size());
  }

  @Test
  void theFirstSegmentsMayBeExpired() throws Exception {
    TieredCopy copy = TieredCopy.aiven(partition, store, new TieredCopy.Aiven("", 4096, true));
    copy.delete(0);
    Audited audit = TieredAudit.of(store);
    assertEquals(List.of(), audit.messages());
    assertEquals(copy.base(1), audit.partitions().get(0).firstOffset());
  }

  /** A later manifest states the topic, which the prefix of the store would hide. */
  @Test
  void theFirstSegmentNeedNotStateTheTopic() throws Exception {
    TieredCopy copy =
        TieredCopy.aiven(partition, store, new TieredCopy.Aiven("prod-", 4096, false));
    Files.delete(copy.file(0, "rsm-manifest"));
    int last = copy.segments() - 1;
    copy.delete(last);
    for (int i = 0; i <= last; i++) {
      Files.delete(partition.resolve(String.format("%020d.log", copy.base(i))));
    }
    Audited audit = TieredAudit.of(store, partition);
    assertEquals("orders", audit.partitions().get(0).topic());
    assertTrue(
        audit.faults().contains("TIERED_LOCAL_GAP " + copy.directory().getFileName() + "@0"),
        audit::text);
  }
}
