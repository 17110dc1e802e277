// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.audit.compare.DigestFile;
import io.github.batchvalidator.audit.compare.DigestRun;
import io.github.batchvalidator.audit.compare.PartitionComparison;
import io.github.batchvalidator.audit.source.LocalFile;
import io.github.batchvalidator.audit.source.PartitionDirectory;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.testing.LegacyMessage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Digests of copies are equal where the copies are, and nowhere else. */
class DigestTest {
  private static final Pattern OFFSETS = Pattern.compile(" (\\d+)-(\\d+) ");

  private static final int RANGE = 32;
  private static final String PARTITION = "orders-3";

  @TempDir private static Path samples;

  @TempDir private static Path equal;
  @TempDir private static Path data;

  private static long end;

  private String name = PARTITION;

  @BeforeAll
  static void writeSample() throws Exception {
    SampleLog.write(samples);
    end = LogDivergence.last(new StoredLog(samples.resolve(PARTITION))) + 1;
    for (String copy : List.of("a", "b")) {
      Path broker = Files.createDirectory(equal.resolve(copy));
      StoredLog.copy(samples.resolve(PARTITION), broker.resolve(PARTITION));
      highWatermark(broker, end);
    }
  }

  @BeforeEach
  void copy() throws IOException {
    StoredLog.restore(equal, data);
  }

  private static void highWatermark(Path broker, long offset) throws IOException {
    Files.writeString(
        broker.resolve("replication-offset-checkpoint"), "0\n1\norders 3 " + offset + "\n");
  }

  private StoredLog log(String copy) {
    return new StoredLog(data.resolve(copy).resolve(PARTITION));
  }

  private Path digest(String copy) throws Exception {
    return digest(copy, RANGE);
  }

  private Path digest(String copy, int range) throws Exception {
    Path file = data.resolve(copy + ".digest");
    PartitionDirectory partition = PartitionDirectory.of(data.resolve(copy).resolve(name));
    List<String> errors = new ArrayList<>();
    new DigestRun(
            List.of(partition),
            range,
            0,
            Long.MAX_VALUE,
            (name, why) -> errors.add(why),
            bytes -> {})
        .run(2, file);
    assertEquals(List.of(), errors);
    return file;
  }

  private Compared compare() throws Exception {
    return Compared.of(false, digest("a"), digest("b"));
  }

  @Test
  void digestsOfEqualCopiesAreEqual() throws Exception {
    Compared compared = compare();
    assertEquals(List.of(), compared.differences());
    assertEquals(List.of(), compared.errors());
    PartitionComparison result = compared.partition();
    assertEquals(0, result.firstOffset());
    assertEquals(end, result.endOffset());
    assertEquals(91, result.batches());
    assertEquals(0, result.uncomparedBatches());
  }

  static Stream<Divergence> divergences() {
    return Stream.concat(BatchDivergence.all(), LogDivergence.all());
  }

  /** A difference may also make the batches before and after it belong to another range. */
  @ParameterizedTest
  @MethodSource("divergences")
  void aDivergenceIsInARangeThatDiffers(Divergence divergence) throws Exception {
    String expected = divergence.planting().plant(log("b")).get(0);
    long first = Long.parseLong(expected.replaceAll(".* (\\d+)-\\d+ .*", "$1"));
    List<String> found = compare().differences();
    assertTrue(
        found.stream().anyMatch(each -> contains(each, first)), () -> first + " not in " + found);
    assertTrue(found.stream().allMatch(each -> each.startsWith("COPY_RANGE_DIFFERS ")));
  }

  private static boolean contains(String difference, long offset) {
    Matcher range = OFFSETS.matcher(difference);
    return range.find()
        && Long.parseLong(range.group(1)) <= offset
        && offset <= Long.parseLong(range.group(2));
  }

  @Test
  void aDirectoryIsComparedWithADigest() throws Exception {
    Path digest = digest("a");
    assertEquals(List.of(), Compared.of(false, digest, data.resolve("b")).differences());
    StoredLog.Batch batch = log("b").batches(0).get(9);
    log("b").cut(0, batch);
    List<String> found = Compared.of(false, digest, data.resolve("b")).differences();
    assertEquals(List.of("COPY_RANGE_DIFFERS 0-31 ss"), found);
  }

  @Test
  void segmentsMayStartAtOtherOffsets() throws Exception {
    StoredLog log = log("b");
    byte[] second = Files.readAllBytes(log.file(1, ".log"));
    log.append(log.file(0, ".log"), second);
    log.delete(1);
    assertEquals(List.of(), compare().differences());
  }

  @Test
  void rangesThatRetentionOrNewRecordsMakeIncompleteAreNotCompared() throws Exception {
    log("b").delete(0);
    highWatermark(data.resolve("a"), end - 3);
    Compared compared = compare();
    assertEquals(List.of(), compared.differences());
    PartitionComparison result = compared.partition();
    assertEquals(0, result.firstOffset() % RANGE);
    assertEquals(0, result.endOffset() % RANGE);
    assertTrue(result.uncomparedBatches() > 0, result::toString);
  }

  @Test
  void theTailOfAnOldLeaderOfTheQuorumIsUncommitted() throws Exception {
    Divergence divergence =
        LogDivergence.all()
            .filter(each -> each.what().startsWith("another leader"))
            .findFirst()
            .get();
    divergence.planting().plant(log("b"));
    assertFalse(compare().differences().isEmpty());
    name = "__cluster_metadata-0";
    for (String copy : List.of("a", "b")) {
      Files.move(data.resolve(copy).resolve(PARTITION), data.resolve(copy).resolve(name));
      Files.delete(data.resolve(copy + ".digest"));
    }
    Compared compared = compare();
    assertEquals(List.of(), compared.differences());
    assertFalse(compared.uncommitted().isEmpty());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void theSameDamageInAMessageOfOldMagicIsFound(int magic) throws Exception {
    LegacyMessage[] messages = LegacyMessage.several(magic, 3);
    messages[1].crcError(1);
    name = "old-0";
    for (String copy : List.of("a", "b")) {
      Path directory = Files.createDirectory(data.resolve(copy).resolve(name));
      Path file = directory.resolve(StoredLog.fileName(0, ".log"));
      Files.write(file, LegacyMessage.join(messages));
    }
    assertEquals(List.of("COPY_RANGE_DIFFERS 0-2 dd"), compare().differences());
  }

  /** Without a high watermark, the digest of the copy ends before the damage. */
  @Test
  void aDamagedEndIsFound() throws Exception {
    for (String copy : List.of("a", "b")) {
      Files.delete(data.resolve(copy).resolve("replication-offset-checkpoint"));
    }
    int last = SampleLog.SEGMENTS - 1;
    List<StoredLog.Batch> batches = log("a").batches(last);
    StoredLog.Batch batch = batches.get(batches.size() - 1);
    int crc = batch.position() + BatchLayout.CRC_OFFSET;
    log("a").edit(log("a").file(last, ".log"), all -> all.put(crc, (byte) ~all.get(crc)));
    long from = batch.base() / RANGE * RANGE;
    assertEquals(
        List.of("COPY_RANGE_DIFFERS " + from + "-" + (end - 1) + " ds"), compare().differences());
  }

  @Test
  void aLogOfDamageOnlyIsFound() throws Exception {
    name = "old-0";
    for (String copy : List.of("a", "b")) {
      Path directory = Files.createDirectory(data.resolve(copy).resolve(name));
      byte[] damage = "no segment".repeat(30).getBytes(StandardCharsets.UTF_8);
      byte[] sound = LegacyMessage.join(LegacyMessage.several(1, 3));
      Files.write(
          directory.resolve(StoredLog.fileName(0, ".log")), copy.equals("a") ? damage : sound);
    }
    assertEquals(List.of("COPY_RANGE_DIFFERS 0-2 ds"), compare().differences());
  }

  @Test
  void damageAboveTheHighWatermarkIsNoDifference() throws Exception {
    Path segment = log("b").file(SampleLog.SEGMENTS - 1, ".log");
    log("b").append(segment, "no batch".repeat(30).getBytes(StandardCharsets.UTF_8));
    assertEquals(List.of(), compare().differences());
  }

  @Test
  void compactedRangesAreNotCompared() throws Exception {
    StoredLog.Batch batch = log("b").batches(0).get(9);
    log("b").cut(0, batch);
    Files.writeString(data.resolve("b").resolve("cleaner-offset-checkpoint"), "0\n1\norders 3 9\n");
    Compared compared = compare();
    assertEquals(List.of(), compared.differences());
    assertTrue(compared.partition().incomparableBatches() > 0);
  }

  @Test
  void whatTheCleanerHasNotTouchedOfACompactedPartitionIsCompared() throws Exception {
    StoredLog.Batch batch = log("b").batches(2).get(1);
    log("b").editBatch(2, batch, all -> all.put(all.limit() - 2, (byte) 0x41));
    Files.writeString(data.resolve("b").resolve("cleaner-offset-checkpoint"), "0\n1\norders 3 9\n");
    assertEquals(1, compare().differences().size());
  }

  @Test
  void digestsWithOtherRangesAreRefused() throws Exception {
    Compared compared = Compared.of(false, digest("a"), digest("b", 64));
    assertEquals(1, compared.errors().size());
    assertTrue(compared.errors().get(0).contains("orders-3 has ranges of 64 offsets"));
  }

  @Test
  void aFileIsNotWrittenTwice() throws Exception {
    digest("a");
    assertThrows(FileAlreadyExistsException.class, () -> digest("a"));
  }

  @Test
  void aFileThatIsCutOrChangedIsRefused() throws Exception {
    Path file = digest("a");
    byte[] bytes = Files.readAllBytes(file);
    assertTrue(DigestFile.isDigest(new LocalFile(file)));
    for (int size = 0; size < bytes.length; size += 7) {
      Files.write(file, Arrays.copyOf(bytes, size));
      assertThrows(IOException.class, () -> DigestFile.open(new LocalFile(file)), "cut to " + size);
    }
    for (int at = 0; at < bytes.length; at += 5) {
      byte[] changed = bytes.clone();
      changed[at] ^= 4;
      Files.write(file, changed);
      assertThrows(IOException.class, () -> DigestFile.open(new LocalFile(file)), "byte " + at);
    }
    assertFalse(DigestFile.isDigest(new LocalFile(log("a").file(0, ".log"))));
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aFullDiskIsNamed() throws Exception {
    List<PartitionDirectory> partitions = new ArrayList<>();
    for (int i = 0; i < 10; i++) { // more than the buffers hold
      Path partition = data.resolve("orders-1" + i);
      StoredLog.copy(samples.resolve(PARTITION), partition);
      partitions.add(PartitionDirectory.of(partition));
    }
    Path file = data.resolve("full.digest");
    Files.createSymbolicLink(Path.of(file + ".unfinished"), Path.of("/dev/full"));
    DigestRun run = new DigestRun(partitions, 1, 0, Long.MAX_VALUE, (name, why) -> {}, bytes -> {});
    IOException full = assertThrows(IOException.class, () -> run.run(2, file));
    assertEquals("No space left on device", full.getMessage());
    assertFalse(Files.exists(file));
  }

  @Test
  void aDigestIsSmall() throws Exception {
    assertTrue(Files.size(digest("a", 1 << 14)) < 400);
  }
}
