// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.luben.zstd.Zstd;
import io.github.batchvalidator.audit.TieredCopy.Aiven;
import io.github.batchvalidator.audit.report.TieredReason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each kind of damage to a tiered copy is found and located, and nothing else is. */
class TieredDamageTest {
  private static final Aiven COMPRESSED = new Aiven("p/", 1500, true);
  private static final Aiven PLAIN = new Aiven("", 1500, false);

  /** An entry of a time index. */
  private static final byte[] LATER =
      ByteBuffer.allocate(12).putLong(Long.MAX_VALUE).putInt(500).array();

  @TempDir private static Path data;

  @TempDir private Path store;

  private static Path partition = Path.of("none");

  @BeforeAll
  static void write() throws IOException {
    partition = SampleLog.write(data);
  }

  /** A layout of the copy. */
  @FunctionalInterface
  private interface Layout {
    TieredCopy copy(Path partition, Path store) throws IOException;
  }

  /** Damage to a copy. */
  @FunctionalInterface
  private interface Damage {
    void plant(TieredCopy copy) throws IOException;
  }

  /**
   * A kind of damage.
   *
   * @param name what is damaged
   * @param layout the layout of the copy
   * @param damage plants the damage
   * @param reason what is found, after {@code finding} if that does not change the exit code
   * @param segment the segment of the object
   * @param suffix the object that is named
   */
  private record Kind(
      String name, Layout layout, Damage damage, String reason, int segment, String suffix) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Kind kafka(String name, Damage damage, String reason, int segment, String suffix) {
    return new Kind(name, TieredCopy::kafka, damage, reason, segment, suffix);
  }

  private static Kind aiven(String name, Damage damage, String reason, int segment, String suffix) {
    return new Kind(
        name,
        (from, to) -> TieredCopy.aiven(from, to, COMPRESSED),
        damage,
        reason,
        segment,
        suffix);
  }

  private static Kind plain(String name, Damage damage, String reason, String suffix) {
    Layout layout = (from, to) -> TieredCopy.aiven(from, to, PLAIN);
    return new Kind(name, layout, damage, reason, 1, suffix);
  }

  private static Kind manifest(String name, Consumer<ObjectNode> damage, String reason) {
    return aiven(name, copy -> copy.manifest(1, damage), reason, 1, "rsm-manifest");
  }

  private static Kind metadata(String name, Consumer<ObjectNode> damage) {
    return manifest(
        "manifest states another " + name,
        manifest -> damage.accept((ObjectNode) manifest.get("remoteLogSegmentMetadata")),
        "TIERED_MANIFEST_MISMATCH");
  }

  private static Kind chunkIndex(String name, Consumer<ObjectNode> damage) {
    return manifest(
        name,
        manifest -> damage.accept((ObjectNode) manifest.get("chunkIndex")),
        "TIERED_MANIFEST_INVALID");
  }

  static List<Kind> kinds() {
    return Stream.of(objects(), batches(), beside(), manifests(), chunks())
        .flatMap(List::stream)
        .toList();
  }

  private static Kind missing(String suffix) {
    return kafka(
        suffix + " is missing",
        copy -> Files.delete(copy.file(1, suffix)),
        "TIERED_OBJECT_MISSING",
        1,
        suffix);
  }

  private static Kind missingOfAiven(String suffix) {
    return aiven(
        suffix + " is missing beside others",
        copy -> Files.delete(copy.file(1, suffix)),
        "TIERED_OBJECT_MISSING",
        1,
        suffix);
  }

  private static List<Kind> objects() {
    return List.of(
        missing("log"),
        missing("index"),
        missing("timeindex"),
        missing("snapshot"),
        missing("leader_epoch_checkpoint"),
        missingOfAiven("log"),
        missingOfAiven("indexes"),
        missingOfAiven("rsm-manifest"),
        kafka(
            "a segment is missing", copy -> copy.delete(1), "PARTITION_OFFSETS_MISSING", 2, "log"),
        aiven(
            "a segment is missing beside others",
            copy -> copy.delete(2),
            "PARTITION_OFFSETS_MISSING",
            3,
            "log"),
        kafka(
            "an upload was repeated",
            copy -> copy.duplicate(1),
            "finding TIERED_SEGMENTS_OVERLAP",
            -1,
            "log"),
        aiven(
            "an upload was repeated by the plugin",
            copy -> copy.duplicate(1),
            "finding TIERED_SEGMENTS_OVERLAP",
            -1,
            "log"),
        new Kind(
            "an upload was not completed",
            TieredCopy::kafka,
            copy -> Files.copy(copy.file(1, "index"), copy.twin(1, "index")),
            "finding TIERED_OBJECT_ORPHAN",
            -1,
            "index"),
        new Kind(
            "an upload of the plugin was not completed",
            (from, to) -> TieredCopy.aiven(from, to, COMPRESSED),
            copy -> Files.copy(copy.file(1, "log"), copy.twin(1, "log")),
            "finding TIERED_OBJECT_ORPHAN",
            -1,
            "log"),
        kafka(
            "an object has an unknown type",
            copy -> Files.writeString(copy.file(1, "log.tmp"), "x"),
            "finding TIERED_OBJECT_ORPHAN",
            1,
            "log.tmp"));
  }

  private static List<Kind> batches() {
    return List.of(
        kafka(
            "a batch is damaged",
            copy -> copy.edit(1, "log", log -> log.put(100, (byte) ~log.get(100))),
            "BATCH_CRC_MISMATCH",
            1,
            "log"),
        plain(
            "a batch in a chunk is damaged",
            copy -> copy.edit(1, "log", log -> log.put(100, (byte) ~log.get(100))),
            "BATCH_CRC_MISMATCH",
            "log"),
        kafka(
            "the log ends early",
            copy -> copy.truncate(1, "log", 1),
            "SEGMENT_TRUNCATED_TAIL",
            1,
            "log"));
  }

  private static List<Kind> beside() {
    return List.of(
        kafka(
            "an entry of the index is wrong",
            copy -> copy.edit(1, "index", index -> index.putInt(0, index.getInt(0) - 1)),
            "INDEX_OFFSET_MISMATCH",
            1,
            "index"),
        kafka(
            "the time index ends inside an entry",
            copy -> copy.truncate(1, "timeindex", 5),
            "INDEX_SIZE_INVALID",
            1,
            "timeindex"),
        kafka(
            "the time index of the last segment has an entry after its end",
            copy -> Files.write(copy.file(4, "timeindex"), LATER, StandardOpenOption.APPEND),
            "TIMEINDEX_OFFSET_INVALID",
            4,
            "timeindex"),
        kafka(
            "an aborted transaction is missing",
            copy -> Files.delete(copy.file(1, "txnindex")),
            "TXNINDEX_ENTRY_MISSING",
            1,
            "log"),
        kafka(
            "a snapshot is damaged",
            copy -> copy.edit(1, "snapshot", file -> file.put(20, (byte) ~file.get(20))),
            "PRODUCER_SNAPSHOT_UNREADABLE",
            1,
            "snapshot"),
        kafka(
            "a snapshot is that of another segment",
            copy ->
                Files.write(copy.file(2, "snapshot"), Files.readAllBytes(copy.file(0, "snapshot"))),
            "PRODUCER_SNAPSHOT_MISMATCH",
            2,
            "snapshot"),
        kafka(
            "a checkpoint is damaged",
            copy -> Files.writeString(copy.file(1, "leader_epoch_checkpoint"), "0\n1\n0 x\n"),
            "EPOCH_CHECKPOINT_UNREADABLE",
            1,
            "leader_epoch_checkpoint"),
        kafka(
            "a leader epoch is damaged",
            copy -> copy.edit(2, "log", log -> log.putInt(12, 77)),
            "PARTITION_LEADER_EPOCH_INVALID",
            2,
            "log"));
  }

  private static List<Kind> manifests() {
    String invalid = "TIERED_MANIFEST_INVALID";
    return List.of(
        aiven(
            "a manifest is no JSON",
            copy -> Files.writeString(copy.file(1, "rsm-manifest"), "{\"version\":"),
            invalid,
            1,
            "rsm-manifest"),
        manifest("a manifest has another version", json -> json.put("version", "2"), invalid),
        manifest("a manifest has no chunks", json -> json.remove("chunkIndex"), invalid),
        manifest("a manifest has no indexes", json -> json.remove("segmentIndexes"), invalid),
        manifest(
            "indexes overlap",
            json -> ((ObjectNode) json.at("/segmentIndexes/timestamp")).put("position", 1),
            invalid),
        metadata("first offset", json -> json.put("startOffset", 7)),
        metadata("last offset", json -> json.put("endOffset", 7)),
        manifest(
            "manifest states another timestamp",
            json -> ((ObjectNode) json.get("remoteLogSegmentMetadata")).put("maxTimestampMs", 7),
            "finding TIERED_MANIFEST_MISMATCH"),
        metadata("epoch", json -> json.putObject("segmentLeaderEpochs").put("0", 0)),
        metadata("segment", json -> id(json).put("id", "x")),
        metadata("topic id", json -> partition(json).put("topicId", "x")),
        metadata("topic", json -> name(json).put("topic", "payments")),
        metadata("partition", json -> name(json).put("partition", 4)));
  }

  private static ObjectNode id(ObjectNode metadata) {
    return (ObjectNode) metadata.get("remoteLogSegmentId");
  }

  private static ObjectNode partition(ObjectNode metadata) {
    return (ObjectNode) id(metadata).get("topicIdPartition");
  }

  private static ObjectNode name(ObjectNode metadata) {
    return (ObjectNode) partition(metadata).get("topicPartition");
  }

  private static List<Kind> chunks() {
    String size = "TIERED_OBJECT_SIZE_MISMATCH";
    return List.of(
        aiven(
            "the log is shorter than its chunks",
            copy -> copy.truncate(1, "log", 1),
            size,
            1,
            "log"),
        aiven(
            "the indexes are too short",
            copy -> copy.truncate(1, "indexes", 1),
            size,
            1,
            "indexes"),
        aiven(
            "a chunk is damaged",
            copy -> copy.edit(1, "log", log -> log.putInt(0, 1)),
            "TIERED_CHUNK_CORRUPT",
            1,
            "log"),
        aiven("a chunk is too small", copy -> chunk(copy, 1499), "TIERED_CHUNK_CORRUPT", 1, "log"),
        aiven("a chunk is too large", copy -> chunk(copy, 1501), "TIERED_CHUNK_CORRUPT", 1, "log"),
        chunkIndex("sizes are not base64", json -> json.put("transformedChunks", "*")),
        chunkIndex("sizes are not compressed", json -> json.put("transformedChunks", "AAAA")),
        chunkIndex(
            "there are too many sizes",
            json -> json.put("transformedChunks", TieredCopy.encoded(List.of(10, 10, 10, 10, 10)))),
        chunkIndex("chunks have no type", json -> json.remove("type")),
        chunkIndex("chunks have no bytes", json -> json.put("originalChunkSize", 0)),
        chunkIndex("the log has a negative size", json -> json.put("originalFileSize", -1)),
        chunkIndex("there are 2 GiB of chunks", json -> json.put("originalFileSize", 1 << 30)),
        chunkIndex("sizes have no bytes", TieredDamageTest::sizesWithoutBytes),
        plain(
            "plain chunks have another size",
            copy ->
                copy.manifest(
                    1,
                    json -> ((ObjectNode) json.get("chunkIndex")).put("transformedChunkSize", 1)),
            "TIERED_MANIFEST_INVALID",
            "rsm-manifest"));
  }

  /** States 2^31 - 1 chunks, whose sizes but the last take no bytes. */
  private static void sizesWithoutBytes(ObjectNode json) {
    byte[] sizes =
        ByteBuffer.allocate(13).putInt(Integer.MAX_VALUE).putInt(1).put((byte) 0).putInt(1).array();
    json.put("originalChunkSize", 1)
        .put("originalFileSize", Integer.MAX_VALUE)
        .put("transformedChunks", Base64.getEncoder().encodeToString(Zstd.compress(sizes)));
  }

  /** Replaces the first chunk by one with another size before compression. */
  private static void chunk(TieredCopy copy, int bytes) throws IOException {
    byte[] object = Files.readAllBytes(copy.file(1, "log"));
    int first = (int) Zstd.findFrameCompressedSize(object, 0);
    byte[] log = Files.readAllBytes(copy.file(1, "log"));
    byte[] plain = Zstd.decompress(Arrays.copyOf(log, first), 1500);
    byte[] other = Zstd.compress(Arrays.copyOf(plain, bytes));
    byte[] rest = Arrays.copyOfRange(object, first, object.length);
    byte[] all = Arrays.copyOf(other, other.length + rest.length);
    System.arraycopy(rest, 0, all, other.length, rest.length);
    Files.write(copy.file(1, "log"), all);
    copy.manifest(
        1,
        manifest -> {
          List<Integer> sizes = new ArrayList<>();
          for (int at = 0; at < all.length; ) {
            int size =
                (int) Zstd.findFrameCompressedSize(Arrays.copyOfRange(all, at, all.length), 0);
            sizes.add(size);
            at += size;
          }
          ((ObjectNode) manifest.get("chunkIndex"))
              .put("transformedChunks", TieredCopy.encoded(sizes));
        });
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void plantedDamageIsTheOnlyFault(Kind kind) throws Exception {
    TieredCopy copy = kind.layout.copy(partition, store);
    kind.damage.plant(copy);
    Audited audit = TieredAudit.of(store);
    Path file = kind.segment < 0 ? copy.twin(1, kind.suffix) : copy.file(kind.segment, kind.suffix);
    TreeSet<String> found = new TreeSet<>();
    audit.faults().forEach(each -> found.add(each.substring(0, each.lastIndexOf('@'))));
    assertEquals(
        List.of(kind.reason + " " + file.getFileName()),
        List.copyOf(found),
        () -> audit.messages() + " " + audit.errors());
    assertEquals(List.of(), audit.errors());
  }

  /** TieredOverlapTest has the reasons that need two leaders. */
  @Test
  void everyReasonIsPlanted() {
    String all = kinds().stream().map(Kind::reason).toList().toString();
    for (TieredReason reason : TieredReason.values()) {
      boolean ofLeaders = reason.compareTo(TieredReason.TIERED_SEGMENTS_OVERLAP) > 0;
      assertTrue(ofLeaders || all.contains(reason.name()), reason::name);
    }
    assertEquals(kinds().size(), kinds().stream().map(Kind::name).distinct().count());
  }

  @Test
  void theChunkIsLocated() throws Exception {
    TieredCopy copy = TieredCopy.aiven(partition, store, COMPRESSED);
    byte[] log = Files.readAllBytes(copy.file(1, "log"));
    int second = (int) Zstd.findFrameCompressedSize(log, 0);
    copy.edit(1, "log", bytes -> bytes.putInt(second, 1));
    String name = copy.file(1, "log").getFileName().toString();
    assertEquals(
        List.of("TIERED_CHUNK_CORRUPT " + name + "@" + second), TieredAudit.of(store).faults());
  }

  @Test
  void aDirectoryWithoutSegmentsIsAnError() throws Exception {
    Files.writeString(store.resolve("readme.txt"), "nothing");
    assertEquals(1, TieredAudit.of(store).errors().size());
    assertEquals(1, TieredAudit.of(store.resolve("absent")).errors().size());
  }
}
