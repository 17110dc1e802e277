// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.compaction;

import static io.github.batchvalidator.agent.compaction.CompactedPartition.batch;
import static io.github.batchvalidator.agent.compaction.CompactedPartition.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.HeaderField;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.LogSegment;
import org.apache.kafka.storage.internals.utils.Throttler;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each byte of a segment is checked once: as Kafka reads it, or before its group is rewritten. */
class CompactionGuardTest {
  private static final TopicPartition PARTITION = new TopicPartition("t", 0);
  private static final int BATCHES = 4;
  private static final int SIZE = batch(0, Codec.NONE, put("k", "value")).remaining();

  @TempDir private Path directory;

  private final CompactionReport report = new CompactionReport();
  private final CompactionGuard observing = new CompactionGuard(false, report);
  private byte[] bytes = new byte[BATCHES * SIZE];

  @BeforeEach
  void writeBatches() {
    ByteBuffer all = ByteBuffer.wrap(bytes);
    for (int i = 0; i < BATCHES; i++) {
      all.put(batch(i, Codec.NONE, put("k", "value")));
    }
  }

  private LogSegment segment() throws IOException {
    Files.write(directory.resolve("00000000000000000000.log"), bytes);
    File folder = directory.toFile();
    return LogSegment.open(folder, 0, new LogConfig(Map.of()), Time.SYSTEM, true, 0, false, "");
  }

  private void damage(int batch) {
    bytes[(batch + 1) * SIZE - 3] ^= 1;
  }

  /** Gives the guard what Kafka has read. */
  private void read(CompactionGuard guard, LogSegment segment, int from, int to) {
    guard.read(PARTITION, segment, from, ByteBuffer.wrap(bytes, from, to - from).slice());
  }

  private void group(CompactionGuard guard, LogSegment segment) {
    Throttler throttler = new Throttler(1e12, 1000, "t", "entries", Time.SYSTEM);
    guard.group(new CompactionGuard.Callbacks(any -> {}, throttler), PARTITION, List.of(segment));
  }

  private void assertChecked(int damaged, long batches) {
    assertEquals(
        damaged == 0 ? Map.of() : Map.of("t-0", (long) damaged), report.damagedByPartition());
    assertEquals(batches, report.batches());
    assertEquals(batches * SIZE, report.bytes());
  }

  /** Kafka starts at an index entry, and stops when its map of offsets is full. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void whatKafkaDoesNotReadIsCheckedWithTheGroup(int damaged) throws Exception {
    damage(damaged);
    try (LogSegment segment = segment()) {
      observing.dirty(PARTITION, segment);
      read(observing, segment, SIZE, 2 * SIZE + 20);
      read(observing, segment, 2 * SIZE, 3 * SIZE);
      assertChecked(damaged == 1 || damaged == 2 ? 1 : 0, 2);
      assertEquals(0, report.segments());
      group(observing, segment);
      assertChecked(1, BATCHES);
      assertEquals(1, report.segments());
    }
  }

  @Test
  void aBatchThatDoesNotFitIsCheckedBeforeKafkaHasALargerBuffer() throws Exception {
    damage(0);
    try (LogSegment segment = segment()) {
      observing.dirty(PARTITION, segment);
      read(observing, segment, 0, SIZE / 2);
      assertChecked(1, BATCHES);
      read(observing, segment, 0, BATCHES * SIZE);
      assertChecked(1, BATCHES);
      group(observing, segment);
      assertChecked(1, BATCHES);
    }
  }

  /** Kafka allocates what the length declares. If that is more than the heap, its thread ends. */
  @Test
  void aFalseLengthStopsKafkaBeforeItHasALargerBuffer() throws Exception {
    HeaderField.LENGTH.set(ByteBuffer.wrap(bytes), bytes.length - BatchLayout.LOG_OVERHEAD);
    CompactionGuard enforcing = new CompactionGuard(true, report);
    try (LogSegment segment = segment()) {
      enforcing.dirty(PARTITION, segment);
      DamagedSegmentException thrown =
          assertThrows(DamagedSegmentException.class, () -> read(enforcing, segment, 0, SIZE / 2));
      assertTrue(thrown.toString().contains("byte 0, offset 0: BATCH_CRC"), thrown::toString);
    }
  }

  /** The first of three batches is checked in the file, the second one as Kafka reads it. */
  @Test
  void aBatchThatWasCheckedInTheFileIsNotCheckedAgain() throws Exception {
    byte[] large = batch(0, Codec.NONE, put("k", "v".repeat(BatchWindow.BYTES * 3 / 5))).array();
    bytes = new byte[3 * large.length];
    for (int i = 0; i < 3; i++) {
      System.arraycopy(large, 0, bytes, i * large.length, large.length);
    }
    bytes[large.length - 3] ^= 1;
    bytes[2 * large.length - 3] ^= 1;
    try (LogSegment segment = segment()) {
      observing.dirty(PARTITION, segment);
      read(observing, segment, 0, large.length / 2);
      assertEquals(1, report.batches());
      read(observing, segment, 0, 2 * large.length + 9);
      assertEquals(2, report.batches());
      group(observing, segment);
      assertEquals(3, report.batches());
      assertEquals(bytes.length, report.bytes());
      assertEquals(Map.of("t-0", 2L), report.damagedByPartition());
    }
  }

  @Test
  void aRoundThatWasAbortedCountsForNothing() throws Exception {
    try (LogSegment segment = segment()) {
      observing.dirty(PARTITION, segment);
      read(observing, segment, 0, BATCHES * SIZE);
      damage(1);
      Files.write(directory.resolve("00000000000000000000.log"), bytes);
      observing.dirty(PARTITION, segment);
      group(observing, segment);
      assertChecked(1, 2L * BATCHES);
    }
  }

  @Test
  void bytesAreCheckedBeforeKafkaReadsTheirRecords() throws Exception {
    damage(2);
    CompactionGuard enforcing = new CompactionGuard(true, report);
    try (LogSegment segment = segment()) {
      enforcing.dirty(PARTITION, segment);
      read(enforcing, segment, 0, 2 * SIZE);
      DamagedSegmentException thrown =
          assertThrows(
              DamagedSegmentException.class,
              () -> read(enforcing, segment, 2 * SIZE, BATCHES * SIZE));
      assertTrue(
          thrown.toString().contains("byte " + 2 * SIZE + ", offset 2: BATCH_CRC"),
          thrown::toString);
    }
  }
}
