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

  @Test
  void countsFromTheSegmentOfTheRecoveryPoint() {
    assertEquals(200L * MIB, UnflushedBytes.in(logs.toFile()));
  }

  @Test
  void countsEverythingWithoutARecoveryPoint() throws Exception {
    Files.delete(logs.resolve("recovery-point-offset-checkpoint"));
    assertEquals(300L * MIB, UnflushedBytes.in(logs.toFile()));
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
}
