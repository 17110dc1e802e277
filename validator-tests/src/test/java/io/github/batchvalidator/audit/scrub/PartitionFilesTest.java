// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.scrub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first segment that a scrub reads if it skips unchanged segments. */
class PartitionFilesTest {
  /** More than the unit of the times of files. */
  private static final long TICK_MS = 30;

  private static final int DIGITS = 20;

  @TempDir private Path directory;
  private Path partition;
  private long sinceMs;

  @BeforeEach
  void createFiles() throws Exception {
    partition = Files.createDirectory(directory.resolve("orders-0"));
    for (int i = 0; i < 5; i++) {
      write(i + "0.log");
      write(i + "0.index");
    }
    write("50.snapshot");
    Thread.sleep(TICK_MS);
    sinceMs = System.currentTimeMillis();
    Thread.sleep(TICK_MS);
  }

  private static String name(String end) {
    return "0".repeat(DIGITS - end.indexOf('.')) + end;
  }

  private void write(String end) throws IOException {
    Files.writeString(partition.resolve(name(end)), "some");
  }

  private String first() throws IOException {
    return String.valueOf(new PartitionFiles(partition).beforeFirstChanged(sinceMs));
  }

  @Test
  void nothing() throws IOException {
    Files.writeString(partition.resolve("leader-epoch-checkpoint"), "changes at each start");
    assertNull(new PartitionFiles(partition).beforeFirstChanged(sinceMs));
  }

  @Test
  void theSegmentBeforeOneThatWasWritten() throws IOException {
    write("40.log");
    assertEquals(name("30.log"), first());
    write("20.index");
    assertEquals(name("10.log"), first());
    write("00.log");
    assertEquals("", first());
  }

  @Test
  void theLastSegmentAfterASnapshotOfItsEnd() throws IOException {
    write("50.snapshot");
    assertEquals(name("40.log"), first());
  }

  @Test
  void namesThatABrokerDoesNotWriteAreLeftOut() throws IOException {
    Files.writeString(partition.resolve("0"), "notes");
    Files.createDirectory(partition.resolve("2026"));
    Files.createDirectory(partition.resolve("0.old"));
    assertNull(new PartitionFiles(partition).beforeFirstChanged(sinceMs));
    write("40.log");
    assertEquals(name("30.log"), first());
  }

  /** Compaction gives the new segment the time of the old one. */
  @Test
  void theSegmentBeforeOneThatWasReplacedByAnOldFile() throws IOException {
    Path cleaned = Files.writeString(directory.resolve("cleaned"), "less");
    Files.setLastModifiedTime(cleaned, FileTime.from(Instant.EPOCH));
    Files.move(cleaned, partition.resolve(name("30.log")), StandardCopyOption.REPLACE_EXISTING);
    assertEquals(name("20.log"), first());
  }
}
