// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.HeaderField;
import io.github.batchvalidator.testing.RecordBytes;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code --level strict} refuses and {@code --observe} tells. */
class StrictCheckTest {
  @TempDir private Path directory;

  /** A good batch, one that no consumer can read and that has reserved bits set, a good one. */
  private Path poisoned() {
    SegmentBytes segment = new SegmentBytes();
    segment.add(SegmentBytes.batch(Codec.ZSTD, 3, 1)).add(poison());
    segment.add(SegmentBytes.batch(Codec.NONE, 3, 2));
    return SegmentBytes.write(directory, "some.log", segment.toByteArray());
  }

  private static ByteBuffer poison() {
    ByteArrayOutputStream plain = new ByteArrayOutputStream();
    for (int i = 0; i < 3; i++) {
      plain.writeBytes(
          new RecordBytes().offsetDelta(RecordBytes.varint(i, 1)).lengthError(i).toBytes());
    }
    ByteBuffer batch = Batches.ofPlain(Codec.LZ4, 3, plain.toByteArray());
    return Batches.fixCrc(HeaderField.ATTRIBUTES.set(batch, 0x103));
  }

  @Test
  void levelKafkaAcceptsIt() {
    Run run = Run.json(poisoned());
    assertEquals(0, run.exitCode());
    assertEquals(List.of(), run.faults());
    assertEquals(0, run.summary().get("findings").asInt());
  }

  @Test
  void strictLevelNamesEveryFault() {
    Path path = poisoned();
    Run run = Run.json("--level", "strict", path);
    assertEquals(1, run.exitCode());
    assertEquals(2, run.summary().get("faults").asInt());
    assertEquals(0, run.summary().get("findings").asInt());
    List<JsonNode> faults = run.objects("fault");
    assertEquals("BATCH_ATTRIBUTES_RESERVED", faults.get(0).get("reason").asText());
    JsonNode untrue = faults.get(1);
    assertEquals("RECORD_LENGTH_UNTRUE", untrue.get("reason").asText());
    assertEquals(1, untrue.get("recordIndex").asInt());
    assertEquals(2, untrue.get("failedRecords").asInt());
    assertEquals(3, untrue.get("offset").asInt());
    long position = untrue.get("position").asLong();
    assertEquals(position + BatchLayout.HEADER_BYTES, untrue.get("at").asLong());
    assertEquals("the record declares 9 bytes, its fields take 8", untrue.get("message").asText());
  }

  @Test
  void observingReportsWithoutFaults() {
    Path path = poisoned();
    Run run = Run.json("--observe", path);
    assertEquals(0, run.exitCode());
    assertEquals(0, run.summary().get("faults").asInt());
    assertEquals(2, run.summary().get("findings").asInt());
    assertEquals(2, run.objects("finding").size());
    List<String> lines = Run.of("--observe", path.toString()).out().lines().toList();
    assertTrue(lines.get(0).startsWith("ok, 2 findings: 1 file, "), lines.get(0));
    assertEquals(path.toString(), lines.get(2));
    assertTrue(lines.get(3).startsWith("  FOUND "), lines.get(3));
    String text = String.join(" ", lines).replaceAll(" +", " ");
    assertTrue(text.contains("(2 records like this in the batch)"), text);
  }

  @Test
  void aFaultForKafkaIsReportedOnce() {
    SegmentBytes segment = SegmentBytes.of(3, 2);
    byte[] bytes = segment.toByteArray();
    bytes[segment.position(1) + BatchLayout.HEADER_BYTES] ^= 1;
    Path path = SegmentBytes.write(directory, "some.log", bytes);
    for (String option : new String[] {"--level=strict", "--observe"}) {
      Run run = Run.json(option, path);
      assertEquals(List.of("BATCH_CRC_MISMATCH@" + segment.position(1)), run.faults());
      assertEquals(0, run.summary().get("findings").asInt());
    }
  }

  /** Written by brokers, with markers of transactions: nothing in them is odd. */
  @Test
  void realSegmentsHaveNoFindings() {
    for (String name : new String[] {"txn-zstd.log", "txn-lz4.log"}) {
      byte[] bytes = SegmentBytes.resource("/segments/" + name);
      Run run = Run.json("--level=strict", SegmentBytes.write(directory, name, bytes));
      assertEquals(0, run.exitCode(), run.out());
    }
    assertEquals(0, Run.of("--sample", "--level=strict").exitCode());
  }
}
