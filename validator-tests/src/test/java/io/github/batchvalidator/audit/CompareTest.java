// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.audit.compare.PartitionComparison;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.LegacyMessage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies of a partition are compared: each difference is named and located, and nothing else. */
class CompareTest {
  private static final int KINDS = 60;
  private static final String PARTITION = "orders-3";
  private static final String HIGH_WATERMARKS = "replication-offset-checkpoint";
  private static final List<String> COPIES = List.of("a", "b", "c");

  @TempDir private static Path samples;

  @TempDir private static Path equal;
  @TempDir private static Path data;

  /** Makes three equal copies whose high watermark is their end. */
  @BeforeAll
  static void writeSample() throws Exception {
    SampleLog.write(samples);
    for (String copy : COPIES) {
      Path broker = Files.createDirectory(equal.resolve(copy));
      StoredLog.copy(samples.resolve(PARTITION), broker.resolve(PARTITION));
      checkpoint(broker, HIGH_WATERMARKS, end());
    }
  }

  @BeforeEach
  void copy() throws IOException {
    StoredLog.restore(equal, data);
  }

  private static long end() throws Exception {
    return LogDivergence.last(new StoredLog(samples.resolve(PARTITION))) + 1;
  }

  private Path directory(String copy) {
    return data.resolve(copy).resolve(PARTITION);
  }

  private StoredLog log(String copy) {
    return new StoredLog(directory(copy));
  }

  private void highWatermark(String copy, long offset) throws IOException {
    checkpoint(copy, HIGH_WATERMARKS, offset);
  }

  private void checkpoint(String copy, String name, long offset) throws IOException {
    checkpoint(data.resolve(copy), name, offset);
  }

  private static void checkpoint(Path broker, String name, long offset) throws IOException {
    Files.writeString(broker.resolve(name), "0\n1\norders 3 " + offset + "\n");
  }

  private Compared compare() {
    Path[] directories = COPIES.stream().map(data::resolve).toArray(Path[]::new);
    return Compared.of(false, directories);
  }

  private PartitionComparison assertEqual() {
    Compared compared = compare();
    assertEquals(List.of(), compared.differences(), () -> compared.messages().toString());
    assertEquals(List.of(), compared.errors());
    return compared.partition();
  }

  static Stream<Divergence> divergences() {
    return Stream.concat(BatchDivergence.all(), LogDivergence.all());
  }

  @ParameterizedTest
  @MethodSource("divergences")
  void aDivergenceOfOneCopyIsTheOnlyDifference(Divergence divergence) throws Exception {
    List<String> expected = divergence.planting().plant(log("b"));
    Compared compared = compare();
    assertEquals(expected, compared.differences(), () -> compared.messages().toString());
    assertEquals(List.of(), compared.uncommitted());
    assertEquals(List.of(), compared.errors());
    // The first copy is no reference: a difference is found wherever it is.
    Compared reversed = Compared.of(false, data.resolve("b"), data.resolve("a"));
    assertEquals(
        withoutParts(expected),
        withoutParts(reversed.differences()),
        () -> reversed.messages().toString());
  }

  private static List<String> withoutParts(List<String> differences) {
    return differences.stream().map(each -> each.substring(0, each.lastIndexOf(' '))).toList();
  }

  @Test
  void thereAreEnoughKinds() {
    assertTrue(divergences().count() >= KINDS, () -> divergences().count() + " kinds");
  }

  @Test
  void equalCopiesAreEqual() throws Exception {
    PartitionComparison result = assertEqual();
    assertEquals(0, result.firstOffset());
    assertEquals(end(), result.endOffset());
    assertTrue(result.batches() > 90, result::toString);
  }

  @Test
  void segmentsMayStartAtOtherOffsets() throws Exception {
    rollAt("b", 1);
    rollAt("c", 7);
    assertTrue(assertEqual().batches() > 90);
  }

  /** Writes the same batches to segments with some batches each. */
  private void rollAt(String copy, int batches) throws Exception {
    StoredLog from = new StoredLog(samples.resolve(PARTITION));
    StoredLog to = log(copy);
    for (int i = SampleLog.SEGMENTS - 1; i >= 0; i--) {
      to.delete(i);
    }
    int number = 0;
    String name = "";
    for (int i = 0; i < SampleLog.SEGMENTS; i++) {
      for (StoredLog.Batch batch : from.batches(i)) {
        name = number % batches == 0 ? StoredLog.fileName(batch.base(), ".log") : name;
        to.append(to.file(name), from.bytes(i, batch));
        number++;
      }
    }
  }

  @Test
  void retentionMayHaveDeletedOtherSegments() throws Exception {
    long start = log("b").bases().get(2);
    log("b").delete(1);
    log("b").delete(0);
    log("c").delete(0);
    PartitionComparison result = assertEqual();
    assertEquals(start, result.firstOffset());
    assertTrue(result.firstBound().contains("/b/"), result::firstBound);
  }

  @Test
  void theCheckpointedLogStartIsTheFirstOffset() throws Exception {
    StoredLog.Batch batch = log("a").batches(0).get(9);
    log("b").cut(0, log("b").batches(0).get(3));
    checkpoint("a", "log-start-offset-checkpoint", batch.base());
    assertEquals(batch.base(), assertEqual().firstOffset());
  }

  @Test
  void offsetsAboveTheLowestHighWatermarkAreNotCommitted() throws Exception {
    StoredLog.Batch batch = log("b").batches(0).get(9);
    highWatermark("c", batch.base());
    log("b").cut(0, batch);
    Compared compared = compare();
    assertEquals(List.of(), compared.differences());
    assertEquals(Divergence.at("COPY_OFFSETS_MISSING", batch, "sms"), compared.uncommitted());
    assertEquals(batch.base(), compared.partition().endOffset());
    assertTrue(compared.partition().endBound().contains("/c/"));
  }

  @Test
  void aCopyWithoutHighWatermarkIsComparedToItsEnd() throws Exception {
    int last = SampleLog.SEGMENTS - 1;
    Files.delete(data.resolve("b").resolve(HIGH_WATERMARKS));
    long end = log("b").bases().get(last);
    log("b").delete(last);
    Compared compared = compare();
    assertEquals(List.of(), compared.differences());
    assertEquals(1, compared.uncommitted().size());
    PartitionComparison result = compared.partition();
    assertEquals(end, result.endOffset());
    assertTrue(result.endBound().contains("no checkpointed high watermark"), result::endBound);
  }

  /** The end of a copy without a high watermark is unknown. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aLastSegmentThatCannotBeReadIsAnError(boolean isLonger) throws Exception {
    int last = SampleLog.SEGMENTS - 1;
    Files.delete(data.resolve("a").resolve(HIGH_WATERMARKS));
    Path segment = log("a").file(last, ".log");
    Files.delete(segment);
    Files.createSymbolicLink(segment, segment);
    if (!isLonger) {
      for (String copy : List.of("b", "c")) {
        highWatermark(copy, log(copy).bases().get(last));
        log(copy).delete(last);
      }
    }
    Compared compared = compare();
    assertEquals(List.of(), compared.differences(), () -> compared.messages().toString());
    assertEquals(1, compared.errors().size(), compared.errors()::toString);
    assertTrue(compared.errors().get(0).startsWith(segment + ": "), compared.errors()::toString);
  }

  /** The end of the copy is unknown, and its batches are compared. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "replication-offset-checkpoint",
        "log-start-offset-checkpoint",
        "cleaner-offset-checkpoint"
      })
  void aCheckpointThatCannotBeReadIsAnError(String name) throws Exception {
    Path checkpoint = data.resolve("b").resolve(name);
    Files.deleteIfExists(checkpoint);
    Files.createSymbolicLink(checkpoint, checkpoint);
    Compared compared = compare();
    assertEquals(1, compared.errors().size(), compared.errors()::toString);
    String error = compared.errors().get(0);
    assertTrue(error.startsWith(directory("b") + ": " + checkpoint + ": "), error);
    assertEquals(List.of(), compared.differences());
    assertTrue(compared.partition().batches() > 90);
  }

  static Stream<Divergence> otherLeaders() {
    return LogDivergence.all().filter(each -> each.what().startsWith("another leader"));
  }

  /** A voter truncates what an old leader has written when it fetches from the next one. */
  @ParameterizedTest
  @MethodSource("otherLeaders")
  void theTailOfAnOldLeaderOfTheQuorumIsUncommitted(Divergence divergence) throws Exception {
    List<String> expected = divergence.planting().plant(log("b"));
    for (String copy : COPIES) {
      Files.delete(data.resolve(copy).resolve(HIGH_WATERMARKS));
    }
    assertEquals(expected, compare().differences());
    renameToMetadata();
    Compared compared = compare();
    assertEquals(List.of(), compared.differences(), () -> compared.messages().toString());
    assertEquals(expected, compared.uncommitted());
  }

  @Test
  void aDifferenceBeforeTheEndOfTheQuorumIsCommitted() throws Exception {
    StoredLog.Batch batch = log("b").batches(1).get(1);
    log("b").edit(log("b").file(1, ".log"), all -> writtenByAnotherLeader(all, batch));
    renameToMetadata();
    assertEquals(Divergence.at("COPY_DIVERGED", batch, "sss"), compare().differences());
  }

  /** One leader writes no two batches at an offset. */
  @Test
  void aTailOfTheSameLeaderOfTheQuorumIsCommitted() throws Exception {
    Divergence divergence =
        LogDivergence.all()
            .filter(each -> each.what().startsWith("the same leader"))
            .findFirst()
            .get();
    List<String> expected = divergence.planting().plant(log("b"));
    renameToMetadata();
    assertEquals(expected, compare().differences());
  }

  private static void writtenByAnotherLeader(ByteBuffer segment, StoredLog.Batch batch) {
    ByteBuffer bytes = segment.slice(batch.position(), batch.bytes());
    bytes.putInt(BatchLayout.PARTITION_LEADER_EPOCH_OFFSET, 77);
    int value = batch.bytes() - 2; // before the number of headers of the last record
    bytes.put(value, (byte) ~bytes.get(value));
    Batches.fixCrc(bytes);
  }

  private void renameToMetadata() throws IOException {
    for (String copy : COPIES) {
      Files.move(directory(copy), data.resolve(copy).resolve("__cluster_metadata-0"));
    }
  }

  @Test
  void whatAPreallocatedSegmentEndsWithIsNoDifference() throws Exception {
    log("b").append(log("b").file(SampleLog.SEGMENTS - 1, ".log"), new byte[4096]);
    assertEqual();
  }

  @Test
  void aTornTailAboveTheHighWatermarkIsNoDifference() throws Exception {
    int last = SampleLog.SEGMENTS - 1;
    StoredLog log = log("b");
    StoredLog.Batch batch = log.batches(last).get(log.batches(last).size() - 1);
    log.truncate(log.file(last, ".log"), batch.position() + 40);
    for (String copy : COPIES) {
      highWatermark(copy, batch.base());
    }
    assertEqual();
  }

  @Test
  void allCopiesMayLackTheirEnd() throws Exception {
    int last = SampleLog.SEGMENTS - 1;
    long base = log("a").bases().get(last);
    for (String copy : COPIES) {
      log(copy).delete(last);
    }
    assertEquals(
        List.of("COPY_END_MISSING " + base + "-" + (end() - 1) + " mmm"), compare().differences());
  }

  @Test
  void theSameDamageInAllCopiesIsFound() throws Exception {
    StoredLog.Batch batch = log("a").batches(0).get(9);
    for (String copy : COPIES) {
      log(copy).edit(log(copy).file(0, ".log"), all -> all.put(batch.position() + 24, (byte) 9));
    }
    assertEquals(Divergence.at("COPY_DAMAGED", batch, "ddd"), compare().differences());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void theSameDamageInAMessageOfOldMagicIsFound(int magic) throws Exception {
    LegacyMessage[] messages = LegacyMessage.several(magic, 3);
    messages[1].crcError(1);
    for (String copy : List.of("a", "b")) {
      Path directory = Files.createDirectory(data.resolve(copy).resolve("old-0"));
      Path file = directory.resolve(StoredLog.fileName(0, ".log"));
      Files.write(file, LegacyMessage.join(messages));
    }
    assertEquals(List.of("COPY_DAMAGED 1-1 dd"), compare().differences());
  }

  @Test
  void damageOfTwoCopiesIsFoundInBoth() throws Exception {
    StoredLog.Batch first = log("a").batches(0).get(9);
    StoredLog.Batch second = log("a").batches(0).get(10);
    log("a").edit(log("a").file(0, ".log"), all -> all.put(first.position() + 70, (byte) 0x55));
    log("b").edit(log("b").file(0, ".log"), all -> all.put(first.position() + 71, (byte) 0x55));
    log("c").edit(log("c").file(0, ".log"), all -> all.put(second.position() + 71, (byte) 0x55));
    assertEquals(
        List.of(
            "COPY_DAMAGED " + first.base() + "-" + first.last() + " dds",
            "COPY_DAMAGED " + second.base() + "-" + second.last() + " ssd"),
        compare().differences());
  }

  @Test
  void copiesOfAnotherTopicAreNotCompared() throws Exception {
    log("b").delete(0);
    Files.writeString(
        directory("b").resolve("partition.metadata"),
        "version: 0\ntopic_id: AAAAAAAAAAAAAAAAAAAAZQ");
    assertEquals(List.of("COPY_TOPIC_ID_DIFFERS -1--1 ???"), compare().differences());
  }

  @Test
  void partitionsWithoutASecondCopyAreNamed() throws Exception {
    StoredLog.copy(samples.resolve(PARTITION), data.resolve("a").resolve("payments-0"));
    Compared compared = compare();
    assertEquals(List.of("payments-0"), compared.summary().singles());
    assertEquals(1, compared.summary().partitions());
  }

  @Test
  void emptyPartitionsAreEqual() throws Exception {
    for (String copy : COPIES) {
      Path directory = Files.createDirectory(data.resolve(copy).resolve("empty-0"));
      Files.createFile(directory.resolve(StoredLog.fileName(0, ".log")));
    }
    Compared compared = compare();
    assertEquals(List.of(), compared.differences());
    assertEquals(2, compared.summary().partitions());
  }

  @Test
  void theLeaderEpochsOfAnUncleanElectionAreNamed() throws Exception {
    Divergence divergence =
        LogDivergence.all()
            .filter(each -> each.what().startsWith("another leader"))
            .findFirst()
            .get();
    divergence.planting().plant(log("b"));
    String message = compare().messages().get(0);
    assertTrue(message.startsWith("COPY_DIVERGED: different batches: leader epochs "), message);
    assertTrue(message.contains("leaderEpoch=12, checkpointEpoch=12"), message);
  }
}
