// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.internal.FileLogInputStream.FileChannelRecordBatch;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code --list} and {@code --records} print, compared with Kafka's reader. */
class ListTest {
  @TempDir private Path directory;

  /** Segments that a broker wrote: all codecs, transactions, headers and null values. */
  @ParameterizedTest
  @ValueSource(
      strings = {"json-none", "json-gzip", "json-snappy", "json-lz4", "json-zstd", "txn-lz4"})
  void listsWhatKafkaReads(String name) throws IOException {
    byte[] bytes = SegmentBytes.resource("sample/" + name + ".log");
    Path path = SegmentBytes.write(directory, "some.log", bytes);
    Run run = Run.json("--records", path);
    assertEquals(0, run.exitCode(), run.out());
    Iterator<JsonNode> batches = run.objects("batch").iterator();
    Iterator<JsonNode> records = run.objects("record").iterator();
    try (FileRecords kafka = FileRecords.open(path.toFile(), false)) {
      for (FileChannelRecordBatch batch : kafka.batches()) {
        assertSame(batch, batches.next());
        for (Record each : batch) {
          assertSame(each, records.next());
        }
      }
    }
    assertFalse(batches.hasNext());
    assertFalse(records.hasNext());
  }

  private static void assertSame(FileChannelRecordBatch batch, JsonNode listed) {
    String text = listed.toString();
    assertEquals(batch.position(), listed.get("position").asInt(), text);
    assertEquals(batch.sizeInBytes(), listed.get("bytes").asInt(), text);
    assertEquals(batch.magic(), listed.get("magic").asInt(), text);
    assertEquals(batch.compressionType().name, listed.get("codec").asText(), text);
    assertEquals(batch.baseOffset(), listed.get("offset").asLong(), text);
    assertEquals(batch.lastOffset(), listed.get("lastOffset").asLong(), text);
    assertEquals(batch.countOrNull(), listed.get("recordCount").asInt(), text);
    assertEquals(batch.maxTimestamp(), listed.get("maxTimestamp").asLong(), text);
    assertEquals(batch.producerId(), listed.get("producerId").asLong(-1), text);
    assertEquals(batch.producerEpoch(), listed.get("producerEpoch").asInt(-1), text);
    assertEquals(batch.baseSequence(), listed.get("baseSequence").asInt(-1), text);
    assertEquals(batch.partitionLeaderEpoch(), listed.get("leaderEpoch").asInt(-1), text);
    assertEquals(batch.isTransactional(), listed.get("transactional").asBoolean(), text);
    assertEquals(batch.isControlBatch(), !listed.get("control").isNull(), text);
  }

  private static void assertSame(Record each, JsonNode listed) {
    String text = listed.toString();
    assertEquals(each.offset(), listed.get("offset").asLong(), text);
    assertEquals(each.timestamp(), listed.get("timestamp").asLong(), text);
    assertEquals(each.keySize(), listed.get("keySize").asInt(-1), text);
    assertEquals(each.valueSize(), listed.get("valueSize").asInt(-1), text);
    assertEquals(each.headers().length, listed.get("headerCount").asInt(), text);
    List<String> keys = new ArrayList<>();
    listed.get("headerKeys").forEach(key -> keys.add(key.asText()));
    assertEquals(Stream.of(each.headers()).map(Header::key).toList(), keys);
    assertFalse(listed.has("valueHex"), text);
  }

  @Test
  void faultsAppearWhereTheyAre() {
    SegmentBytes segment = SegmentBytes.of(4, 2);
    byte[] bytes = segment.toByteArray();
    bytes[segment.position(2) - 1] ^= 1;
    Path path = SegmentBytes.write(directory, "some.log", bytes);
    Run run = Run.json("--list", path);
    List<String> types =
        run.out().lines().map(line -> line.substring(9, line.indexOf('"', 9))).toList();
    assertEquals(List.of("batch", "fault", "batch", "batch", "file", "summary"), types);
    List<String> text = Run.of("--list", path.toString()).out().lines().toList();
    assertEquals(path.toString(), text.get(0));
    assertTrue(text.get(1).startsWith("  offsets 0 to 1, 2 records, none, "), text.get(1));
    assertEquals("  FAULT BATCH_CRC_MISMATCH", text.get(3));
    assertTrue(text.get(4).startsWith("    byte " + segment.position(1) + ", offset 2: "));
    int verdict = text.indexOf("1 fault in 1 file; checked 1 file, 4 batches, 6 records");
    assertTrue(verdict > 6, text::toString);
    assertEquals(1, text.stream().filter(line -> line.contains("FAULT")).count());
  }

  /** The header of a batch tells which records a wrong checksum concerns. */
  @Test
  void theHeaderOfADamagedBatchIsNotVerified() {
    SegmentBytes segment = SegmentBytes.of(2, 5);
    byte[] bytes = segment.toByteArray();
    bytes[bytes.length - 1] ^= 1;
    Path path = SegmentBytes.write(directory, "some.log", bytes);
    JsonNode fault = Run.json(path).objects("fault").get(0);
    assertFalse(fault.get("headerVerified").asBoolean());
    assertEquals(9, fault.get("lastOffset").asInt());
    assertEquals(5, fault.get("recordCount").asInt());
    assertTrue(fault.get("producerId").isNull());
    String text = Run.of(path.toString()).out();
    assertTrue(text.contains("      header (not verified): offsets 5 to 9, 5 records,"), text);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7})
  void orderDoesNotDependOnThreads(int threads) {
    for (int i = 0; i < 30; i++) {
      byte[] bytes = SegmentBytes.of(20, 5).toByteArray();
      bytes[500 + 100 * i] ^= 1;
      SegmentBytes.write(directory, i + 10 + ".log", bytes);
    }
    Run one = Run.json("--records", "--threads=1", directory);
    Run several = Run.json("--records", "--threads=" + threads, directory);
    assertEquals(withoutSummary(one), withoutSummary(several));
  }

  private static List<String> withoutSummary(Run run) {
    return run.out().lines().filter(line -> !line.contains("\"summary\"")).toList();
  }

  @Test
  void payloadIsListedOnlyOnDemandAndIsBounded() {
    byte[] value = new byte[300];
    value[0] = 'v';
    value[1] = 27;
    RecordHeader header = new RecordHeader("some\u001bkey", new byte[] {1});
    SimpleRecord record =
        new SimpleRecord(
            Batches.nowMs(),
            "key".getBytes(StandardCharsets.UTF_8),
            value,
            new Header[] {header, header});
    byte[] bytes = new SegmentBytes().add(Batches.of(Codec.ZSTD, record)).toByteArray();
    String path = SegmentBytes.write(directory, "some.log", bytes).toString();
    assertFalse(Run.of("--records", path).out().contains("6b 65 79"));
    String text = Run.of("--records", "--payload", path).out();
    assertTrue(text.contains("      key   6b 65 79"), text);
    assertTrue(text.contains("      value 76 1b 00 00"), text);
    assertTrue(text.contains(" v..............."), text);
    assertTrue(text.contains("            44 more\n"), text);
    assertTrue(text.contains("2 headers: some?key, some?key"), text);
    assertTrue(text.lines().allMatch(line -> line.length() <= 80 || line.contains(path)), text);
    JsonNode json = Run.json("--records", "--payload", path).objects("record").get(0);
    assertEquals("6b6579", json.get("keyHex").asText());
    assertEquals("key", json.get("keyText").asText());
    assertEquals(512, json.get("valueHex").asText().length());
    Run wrong = Run.of("--payload", path);
    assertEquals(2, wrong.exitCode());
    assertTrue(wrong.err().startsWith("check: --payload requires --records\n"), wrong.err());
  }

  @Test
  void nothingIsListedForFilesThatAreNoSegments() {
    Path path =
        SegmentBytes.write(directory, "some.log", "some text\n".getBytes(StandardCharsets.UTF_8));
    Run run = Run.json("--records", path);
    assertEquals(List.of(), run.objects("batch"));
    assertEquals(List.of("SEGMENT_NOT_RECOGNIZED@0"), run.faults());
  }
}
