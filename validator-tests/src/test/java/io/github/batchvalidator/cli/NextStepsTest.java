// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.batchvalidator.audit.SampleLog;
import io.github.batchvalidator.audit.StoredLog;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
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

  @Test
  void anIndexIsBuiltAgainFromTheSameCopy() throws IOException {
    JsonNode fault = onlyFault(0, ".index", all -> all.putInt(4, all.getInt(4) + 1));
    assertEquals("INDEX_POSITION_INVALID", fault.get("reason").asText());
    assertEquals(
        List.of(CHECK + " repair --from " + quoted() + " --into OUT_DIR"), commands(fault));
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
        "00000000000000000000.log",
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
