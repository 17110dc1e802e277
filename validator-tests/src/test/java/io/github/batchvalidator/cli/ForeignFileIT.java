// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.LegacyMessage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A file that is no segment is called that. A damaged or torn first batch is not. */
class ForeignFileIT {
  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x",
        "hello\n",
        "[2026-11-20 20:46:26,486] INFO Loading logs from log dirs (kafka.log.LogManager)\n",
        "{\"offset\": 7, \"value\": \"some JSON that is longer than the header of a batch is\"}\n"
      })
  void text(String text) {
    assertForeign("the file starts like text", text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void compressedSegments() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(SegmentBytes.of(10, 100).toByteArray());
    }
    assertForeign("the file starts like gzip data", bytes.toByteArray());
    byte[] zstd = new byte[500];
    new Random(3).nextBytes(zstd);
    ByteBuffer.wrap(zstd).putInt(0x28b52ffd);
    assertForeign("the file starts like a zstd frame", zstd);
  }

  @Test
  void images() {
    byte[] png = new byte[5000];
    new Random(5).nextBytes(png);
    ByteBuffer.wrap(png).putLong(0x89504e470d0a1a0aL);
    assertForeign("the file starts with the bytes 89 50 4e 47 0d 0a 1a 0a", png);
  }

  /** The entries of an index of offsets: a relative offset, then a position. */
  @ParameterizedTest
  @ValueSource(ints = {1, 59, 100_000, 0x0020_0000})
  void indexOfOffsets(int step) {
    ByteBuffer index = ByteBuffer.allocate(8 * 200);
    for (int i = 1; index.hasRemaining(); i++) {
      index.putInt(step + 5 * i).putInt(4104 * i);
    }
    assertForeign("the file starts with the bytes 00 ", index.array());
  }

  /** The entries of an index of timestamps: a timestamp, then a relative offset. */
  @Test
  void indexOfTimestamps() {
    ByteBuffer index = ByteBuffer.allocate(12 * 200);
    for (int i = 1; index.hasRemaining(); i++) {
      index.putLong(1_795_207_586_486L + 1000L * i).putInt(59 * i);
    }
    assertForeign("the file starts with the bytes 00 00 01 a1 ", index.array());
  }

  @ParameterizedTest
  @EnumSource
  void aTornFirstBatchIsATruncatedTail(Codec codec) {
    byte[] bytes = new SegmentBytes().add(SegmentBytes.batch(codec, 3, 1)).toByteArray();
    for (int cut = 1; cut < bytes.length; cut++) {
      Run run = run(Arrays.copyOf(bytes, cut));
      assertEquals(List.of("SEGMENT_TRUNCATED_TAIL@0"), run.faults(), "cut at " + cut);
    }
  }

  @Test
  void anUnwrittenFirstBatchIsATruncatedTail() {
    byte[] bytes = SegmentBytes.of(1, 3).toByteArray();
    for (int written = 0; written < bytes.length; written++) {
      byte[] zeros = Arrays.copyOf(Arrays.copyOf(bytes, written), bytes.length + 100);
      Run run = run(zeros);
      assertFalse(run.out().contains("SEGMENT_NOT_RECOGNIZED"), "written " + written);
    }
  }

  /** The header may say anything, as long as an intact batch follows. */
  @Test
  void aDamagedFirstBatchBeforeAnIntactOneIsAFault() {
    SegmentBytes segment = SegmentBytes.of(2, 3);
    byte[] bytes = segment.toByteArray();
    for (int at = 0; at < segment.position(1); at++) {
      for (int bits : new int[] {0x01, 0x80, 0xFF}) {
        byte[] damaged = bytes.clone();
        damaged[at] ^= (byte) bits;
        Run run = run(damaged);
        assertFalse(run.out().contains("SEGMENT_NOT_RECOGNIZED"), at + " ^ " + bits);
      }
    }
  }

  @Test
  void aDamagedOnlyBatchKeepsItsFault() {
    byte[] bytes = SegmentBytes.of(1, 3).toByteArray();
    bytes[BatchLayout.HEADER_BYTES + 3] ^= 1;
    assertEquals(List.of("BATCH_CRC_MISMATCH@0"), run(bytes).faults());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void damagedMessagesKeepTheirFaults(int magic) {
    byte[] bytes = LegacyMessage.of(magic).crcError(1).toBytes();
    assertEquals(List.of("BATCH_CRC_MISMATCH@0"), run(bytes).faults());
    byte[] two = LegacyMessage.join(LegacyMessage.several(magic, 2));
    two[30] ^= 1;
    assertFalse(run(two).out().contains("SEGMENT_NOT_RECOGNIZED"));
  }

  private Run run(byte[] bytes) {
    return Run.json(SegmentBytes.write(directory, "some.log", bytes));
  }

  private void assertForeign(String why, byte[] bytes) {
    Run run = run(bytes);
    assertEquals(1, run.exitCode());
    assertEquals(List.of("SEGMENT_NOT_RECOGNIZED@0"), run.faults());
    JsonNode fault = run.objects("fault").get(0);
    String message = fault.get("message").asText();
    assertTrue(message.contains(why), message);
    assertFalse(message.contains("truncate"), message);
    assertTrue(fault.get("offset").isNull());
    assertEquals(bytes.length, fault.get("skippedBytes").asInt());
  }
}
