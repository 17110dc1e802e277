// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.File;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The progress of recovery: bytes, rate, time left. */
class RecoveryProgressTest {
  private static final int MIB = 1 << 20;

  @TempDir private Path logs;
  private long now;

  @BeforeEach
  void writePartitions() throws Exception {
    write("a-0", 0, 100);
    write("a-0", 1000, 100);
    write("a-0", 2000, 50);
    write("b-0", 0, 50);
    Files.writeString(logs.resolve("recovery-point-offset-checkpoint"), "0\n2\na 0 1500\nb 0 0\n");
  }

  private void write(String partition, long base, int mebibytes) throws Exception {
    Path directory = Files.createDirectories(logs.resolve(partition));
    Path file = directory.resolve(CrashedPartition.name(base, ".log"));
    try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "rw")) {
      log.setLength((long) mebibytes * MIB);
    }
  }

  private File index(String partition, long base) {
    return logs.resolve(partition).resolve(CrashedPartition.name(base, ".index")).toFile();
  }

  private long unflushed() {
    return UnflushedBytes.in(logs.toFile()).values().stream()
        .mapToLong(UnflushedBytes::bytes)
        .sum();
  }

  @Test
  void countsFromTheSegmentOfTheRecoveryPoint() {
    assertEquals(200L * MIB, unflushed());
  }

  @Test
  void countsEverythingWithoutARecoveryPoint() throws Exception {
    Files.delete(logs.resolve("recovery-point-offset-checkpoint"));
    assertEquals(300L * MIB, unflushed());
  }

  @Test
  void logsRateAndTimeLeftEveryTenSeconds() {
    RecoveryProgress progress = new RecoveryProgress(() -> now);
    File file = logs.resolve("a-0").resolve("x.index").toFile();
    assertNull(progress.add(file, 0));
    now = TimeUnit.SECONDS.toNanos(9);
    assertNull(progress.add(file, 40L * MIB));
    now = TimeUnit.SECONDS.toNanos(10);
    assertEquals(
        "Recovered 50 of 200 MiB at 5 MiB/s, about 30 s left", progress.add(file, 10L * MIB));
    assertEquals(150L * MIB, progress.bytesLeft());
    assertEquals(30, progress.secondsLeft());
    assertNull(progress.add(file, MIB));
  }

  @Test
  void countsNothingOfAPartitionThatKafkaDeletes() throws Exception {
    write("a-0.0d1e-delete", 0, 100);
    assertEquals(200L * MIB, unflushed());
    RecoveryProgress progress = new RecoveryProgress(() -> now);
    assertNull(progress.add(index("a-0.0d1e-delete", 0), 100L * MIB));
    assertEquals(0, progress.bytesLeft());
  }

  @ParameterizedTest
  @ValueSource(strings = {"a-0.0d1e-future", "a-0.0d1e-stray"})
  void countsARenamedPartitionFromItsRecoveryPoint(String directory) throws Exception {
    write(directory, 0, 100);
    write(directory, 1000, 10);
    assertEquals(210L * MIB, unflushed());
  }

  /** Kafka recovers the metadata log at each start, before it loads the other logs. */
  @Test
  void leavesOutTheMetadataLog() throws Exception {
    write("__cluster_metadata-0", 0, 10);
    RecoveryProgress progress = new RecoveryProgress(() -> now);
    assertNull(progress.add(index("__cluster_metadata-0", 0), 10L * MIB));
    assertEquals(0, progress.bytesLeft());
    now = TimeUnit.SECONDS.toNanos(60);
    assertEquals(0, progress.secondsLeft());
    assertNull(progress.add(index("a-0", 1000), 100L * MIB));
    now = TimeUnit.SECONDS.toNanos(70);
    assertEquals(
        "Recovered 150 of 200 MiB at 15 MiB/s, about 4 s left",
        progress.add(index("a-0", 2000), 50L * MIB));
  }

  @Test
  void nothingIsLeftAfterTheLastSegmentOfAPartition() {
    RecoveryProgress progress = new RecoveryProgress(() -> now);
    assertNull(progress.add(index("a-0", 2000), 50L * MIB));
    assertEquals(50L * MIB, progress.bytesLeft());
    assertNull(progress.add(index("b-0", 0), 0));
    assertEquals(0, progress.bytesLeft());
  }

  /** The first segment has no batch, so Kafka cuts it and deletes the second one. */
  @Test
  void nothingIsLeftOfAPartitionThatKafkaHasCut() throws Exception {
    write("t-0", 0, 10);
    write("t-0", 1000, 30);
    Files.createFile(index("t-0", 0).toPath());
    Files.createFile(index("t-0", 1000).toPath());
    RecoveryProgress progress = new RecoveryProgress(() -> now);
    assertNull(progress.add(index("t-0", 0), 10L * MIB));
    assertEquals(230L * MIB, progress.bytesLeft());
    String loaded = RecoveryDriver.load(logs.resolve("t-0").toFile(), false, 0, 0, 4096, 1 << 16);
    assertEquals(200L * MIB, progress.bytesLeft(), loaded);
  }
}
