// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.batchvalidator.audit.SampleLog;
import io.github.batchvalidator.audit.StoredLog;
import io.github.batchvalidator.audit.print.JsonReport;
import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.HeaderField;
import io.github.batchvalidator.testing.RecordBytes;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that follow from a fault, with its paths and offsets. */
class NextStepsTest {
  private static final String CHECK = "./check";
  private static final String SEGMENT = "00000000000000000000.log";

  /** The first byte of the key of a control record in a batch. */
  private static final int MARKER_KEY = BatchLayout.HEADER_BYTES + 5;

  @TempDir private Path data;

  private StoredLog log = new StoredLog(Path.of(""));

  @BeforeEach
  void write() throws IOException {
    log = new StoredLog(SampleLog.write(data.resolve("it's here")));
  }

  private JsonNode onlyFault(int segment, String suffix, Consumer<ByteBuffer> change)
      throws IOException {
    log.edit(log.file(segment, suffix), change);
    List<JsonNode> faults = Run.json(log.directory()).objects("fault");
    assertEquals(1, faults.size(), faults::toString);
    return faults.get(0);
  }

  private static List<String> commands(JsonNode fault) {
    List<String> commands = new ArrayList<>();
    fault.get("commands").forEach(each -> commands.add(each.asText()));
    return commands;
  }

  private String quoted() {
    return "'" + log.directory().toString().replace("'", "'\\''") + "'";
  }

  @Test
  void aWrongChecksumLeadsToRepairSalvageAndTheNextOffset() throws IOException {
    JsonNode fault = onlyFault(0, ".log", all -> all.put(70, (byte) ~all.get(70)));
    assertEquals("BATCH_CRC_MISMATCH", fault.get("reason").asText());
    assertEquals(4, fault.get("nextOffset").asLong());
    assertEquals(
        List.of(
            CHECK + " repair --from " + quoted() + " --from REPLICA_DIR --into OUT_DIR",
            CHECK + " salvage --into OUT_DIR " + quoted(),
            "kafka-consumer-groups.sh --bootstrap-server HOST:PORT --group GROUP --topic orders:3"
                + " --reset-offsets --to-offset 4 --execute"),
        commands(fault));
  }

  @Test
  void afterSkippedBytesTheNextBatchIsRead() throws IOException {
    JsonNode fault = onlyFault(0, ".log", all -> all.putInt(8, -1));
    assertEquals("SEGMENT_FRAMING_CORRUPT", fault.get("reason").asText());
    assertEquals(4, fault.get("nextOffset").asLong());
    assertTrue(commands(fault).get(2).contains("--to-offset 4 "), fault::toString);
  }

  /** Returns the only fault or finding of a partition. */
  private JsonNode only(SegmentBytes segment, String... options) {
    Path partition = data.resolve("orders-7");
    SegmentBytes.write(partition, SEGMENT, segment.toByteArray());
    List<Object> arguments = new ArrayList<>(List.of(options));
    arguments.add(partition);
    Run run = Run.json(arguments.toArray());
    List<JsonNode> all = new ArrayList<>(run.objects("fault"));
    all.addAll(run.objects("finding"));
    assertEquals(1, all.size(), run.out());
    return all.get(0);
  }

  private void assertRead(String reason, SegmentBytes segment, String... options) {
    JsonNode found = only(segment, options);
    assertEquals(reason, found.get("reason").asText());
    assertEquals(2, found.get("lastOffset").asLong() - found.get("offset").asLong());
    assertFalse(found.has("nextOffset"), found::toString);
    assertFalse(found.toString().contains("kafka-consumer-groups.sh"), found::toString);
  }

  private static SegmentBytes batches(long... bases) {
    SegmentBytes segment = new SegmentBytes();
    for (long base : bases) {
      segment.addAt(base, SegmentBytes.batch(Codec.NONE, 3, 1));
    }
    return segment;
  }

  /** A group that is moved past the batch would lose its records. */
  @Test
  void noGroupIsMovedPastABatchThatConsumersRead() throws IOException {
    assertRead("PARTITION_OFFSETS_MISSING", batches(0, 5, 8));
    assertRead("SEGMENT_BASE_OFFSET_WRONG", batches(0, 99, 6));
    assertRead("LIMIT_RECORDS", batches(0), "--limit-records", "2");
    String rule = "topics.a.match=orders\ntopics.a.value.bytes=1-2\n";
    Path policy = Files.writeString(data.resolve("policy"), rule);
    ByteBuffer batch = withValues(2, 2, 3);
    assertRead("TOPIC_VALUE_SIZE_OUT_OF_RANGE", added(batch), "--policy", policy.toString());
    ByteBuffer early = HeaderField.MAX_TIMESTAMP.set(withValues(1, 1, 1), 1);
    assertRead("BATCH_MAX_TIMESTAMP_MISMATCH", added(Batches.fixCrc(early)));
    ByteBuffer odd = HeaderField.ATTRIBUTES.set(withValues(1, 1, 1), 0x100);
    assertRead("BATCH_ATTRIBUTES_RESERVED", added(Batches.fixCrc(odd)), "--observe");
  }

  private static SegmentBytes added(ByteBuffer batch) {
    return new SegmentBytes().add(batch);
  }

  private static ByteBuffer withValues(int... sizes) {
    SimpleRecord[] records = new SimpleRecord[sizes.length];
    for (int i = 0; i < sizes.length; i++) {
      records[i] = new SimpleRecord(Batches.nowMs(), null, new byte[sizes[i]]);
    }
    return Batches.of(Codec.NONE, records);
  }

  @Test
  void aFindingThatNoConsumerReadsHasANextOffset() {
    byte[] untrue = new RecordBytes().lengthError(1).toBytes();
    SegmentBytes segment = batches(0).add(Batches.ofPlain(Codec.LZ4, 1, untrue));
    JsonNode found = only(segment, "--observe");
    assertEquals("RECORD_LENGTH_UNTRUE", found.get("reason").asText());
    assertEquals(4, found.get("nextOffset").asLong());
    assertTrue(commands(found).get(0).contains("--to-offset 4 "), found::toString);
  }

  /** A consumer with {@code read_committed} stops at it. */
  @Test
  void aMarkerThatCannotBeReadHasANextOffset() {
    ByteBuffer marker = marker(1, ControlRecordType.COMMIT).putShort(MARKER_KEY, (short) -1);
    ByteBuffer key = marker.slice(MARKER_KEY, 2 * Short.BYTES);
    assertThrows(InvalidRecordException.class, () -> ControlRecordType.parse(key));
    JsonNode fault = only(batches(0).add(Batches.fixCrc(marker)));
    assertEquals("TRANSACTION_MARKER_UNREADABLE", fault.get("reason").asText());
    assertEquals(3, fault.get("lastOffset").asLong());
    assertEquals(4, fault.get("nextOffset").asLong());
    assertTrue(commands(fault).get(2).contains("--to-offset 4 "), fault::toString);
  }

  /** Its directory has more than segments. */
  @Test
  void noCommandIsForTheMetadataLog() {
    Path partition = data.resolve("__cluster_metadata-0");
    byte[] bytes = batches(0, 3).toByteArray();
    bytes[bytes.length - 1] ^= 1;
    SegmentBytes.write(partition, SEGMENT, bytes);
    JsonNode fault = Run.json(partition).objects("fault").get(0);
    assertEquals("BATCH_CRC_MISMATCH", fault.get("reason").asText());
    assertFalse(fault.has("commands"), fault::toString);
  }

  @Test
  void anIndexIsBuiltAgainFromTheSameCopy() throws IOException {
    JsonNode fault = onlyFault(0, ".index", all -> all.putInt(4, all.getInt(4) + 1));
    assertEquals("INDEX_POSITION_INVALID", fault.get("reason").asText());
    assertEquals(
        List.of(CHECK + " repair --from " + quoted() + " --into OUT_DIR"), commands(fault));
  }

  private static List<String> commands(String directory) throws IOException {
    Fault.Place place = Fault.Place.of(0, 0);
    Fault fault = new Fault("BATCH_CRC_MISMATCH", "", place, false, Fault.Skipped.NONE, null);
    StringWriter out = new StringWriter();
    new JsonReport(new PrintWriter(out)).fault(directory + "/" + SEGMENT, fault.followedBy(4));
    return commands(new ObjectMapper().readTree(out.toString()));
  }

  @Test
  void noCheckFollowsFromAFileThatOnlyHadoopReads() throws IOException {
    List<String> groups =
        List.of(
            "kafka-consumer-groups.sh --bootstrap-server HOST:PORT --group GROUP --topic orders:0"
                + " --reset-offsets --to-offset 4 --execute");
    for (String root : List.of("s3a://b/", "hdfs://nn:8020/copies/", "file:/data/")) {
      assertEquals(groups, commands(root + "orders-0"), root);
    }
    for (String root : List.of("/data/", "", "../", "C:/data/", "data/a:b/", "a:b/")) {
      List<String> all = commands(root + "orders-0");
      assertEquals(CHECK + " salvage --into OUT_DIR " + root + "orders-0", all.get(1));
      assertEquals(groups, all.subList(2, 3));
    }
  }

  @Test
  void theNamedCommandRuns() throws IOException {
    onlyFault(0, ".index", all -> all.putInt(4, all.getInt(4) + 1));
    Path out = data.resolve("out");
    Run run = Run.of("repair", "--from", log.directory().toString(), "--into", out.toString());
    assertEquals(0, run.exitCode(), run.out() + run.err());
    assertTrue(Files.exists(out.resolve("orders-3")));
  }

  @Test
  void groupsThatStandAtTheFaultAreNamed() throws IOException {
    writeGroups(7, committed());
    writeGroups(8, List.of(marker(3, ControlRecordType.COMMIT)));
    log.edit(log.file(0, ".log"), all -> all.put(70, (byte) ~all.get(70)));
    Path all = log.directory().resolveSibling("");
    List<String> commands = commands(faultOf(Run.json(all), "orders-3"));
    assertEquals(
        List.of("committed", "'its group'"),
        commands.stream()
            .filter(each -> each.startsWith("kafka-consumer-groups.sh "))
            .map(each -> each.replaceAll(".* --group (.+) --topic orders:3 .*", "$1"))
            .toList());
    String text = Run.of("--verbose", all.toString()).out();
    commands.forEach(each -> assertTrue(text.contains("  next: " + each), text));
  }

  @Test
  void noGroupIsNamedWhereTheNextOffsetMayBeDamaged() throws IOException {
    writeGroups(7, committed());
    int at = BatchLayout.LAST_OFFSET_DELTA_OFFSET;
    log.edit(log.file(0, ".log"), all -> all.putInt(at, all.getInt(at) + (1 << 20)));
    JsonNode fault = faultOf(Run.json(log.directory().resolveSibling("")), "orders-3");
    assertEquals("BATCH_CRC_MISMATCH", fault.get("reason").asText());
    assertTrue(commands(fault).get(2).contains(" --group GROUP "), fault::toString);
  }

  private static JsonNode faultOf(Run run, String partition) {
    return run.objects("fault").stream()
        .filter(each -> each.get("file").asText().contains(partition))
        .findFirst()
        .orElseThrow();
  }

  private void writeGroups(int partition, List<ByteBuffer> batches) {
    SegmentBytes segment = new SegmentBytes();
    batches.forEach(segment::add);
    SegmentBytes.write(
        log.directory().resolveSibling("__consumer_offsets-" + partition),
        SEGMENT,
        segment.toByteArray());
  }

  @Test
  void aReasonIsExplainedWithItsCommands() {
    assertTrue(
        Run.of("--explain", "index_position_invalid")
            .out()
            .contains("next: ./check repair --from PARTITION_DIR --into OUT_DIR"));
  }

  /** Returns batches after which two groups stand at the first batch of a partition. */
  private static List<ByteBuffer> committed() {
    return List.of(
        Batches.of(Codec.LZ4, commit("its group", 3, 1), commit("behind", 3, 4)),
        Batches.of(Codec.NONE, commit("removed", 3, 0), commit("elsewhere", 2, 0)),
        Batches.of(Codec.NONE, new SimpleRecord(Batches.nowMs(), key("removed", 3), null)),
        transaction(1, commit("committed", 3, 3)),
        transaction(2, commit("aborted", 3, 3), commit("its group", 3, 9)),
        transaction(3, commit("open", 3, 3), commit("of a copy", 3, 3)),
        transaction(4, commit("moved on", 3, 3)),
        Batches.of(Codec.NONE, commit("moved on", 3, 9)),
        marker(4, ControlRecordType.COMMIT),
        marker(1, ControlRecordType.COMMIT),
        marker(2, ControlRecordType.ABORT),
        Batches.of(Codec.NONE, ofVersion(2, commit("its group", 3, 9))),
        damaged(Batches.of(Codec.NONE, commit("its group", 3, 9))));
  }

  /** Returns a record that has another key. From version 2 on, a key is not that of an offset. */
  private static SimpleRecord ofVersion(int version, SimpleRecord record) {
    byte[] key = record.key().duplicate().array().clone();
    key[1] = (byte) version;
    return new SimpleRecord(record.timestamp(), key, record.value().array());
  }

  private static ByteBuffer damaged(ByteBuffer batch) {
    int last = batch.limit() - 1;
    return batch.put(last, (byte) ~batch.get(last));
  }

  private static SimpleRecord commit(String group, int partition, long offset) {
    byte[] value = ByteBuffer.allocate(28).putShort((short) 3).putLong(offset).array();
    return new SimpleRecord(Batches.nowMs(), key(group, partition), value);
  }

  private static byte[] key(String group, int partition) {
    ByteBuffer key = ByteBuffer.allocate(18 + group.length()).putShort((short) 1);
    key.putShort((short) group.length()).put(group.getBytes(StandardCharsets.UTF_8));
    key.putShort((short) 6).put("orders".getBytes(StandardCharsets.UTF_8));
    return Arrays.copyOf(key.putInt(partition).array(), key.position());
  }

  private static ByteBuffer transaction(long producer, SimpleRecord... records) {
    return Batches.copy(
        MemoryRecords.withTransactionalRecords(Compression.NONE, producer, (short) 0, 0, records)
            .buffer());
  }

  private static ByteBuffer marker(long producer, ControlRecordType type) {
    return Batches.copy(
        MemoryRecords.withEndTransactionMarker(
                producer, (short) 0, new EndTransactionMarker(type, 0))
            .buffer());
  }
}
