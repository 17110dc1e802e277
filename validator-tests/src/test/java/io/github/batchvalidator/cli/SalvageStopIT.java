// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A salvage that is killed, or runs out of space: a file has its name if it is complete. */
@EnabledOnOs(OS.LINUX)
class SalvageStopIT {
  private static final String NAME = "00000000000000000000.log";
  private static final String UNFINISHED = ".unfinished";
  private static final int PARTITIONS = 6;
  private static final int BATCHES = 4000;
  private static final int KILLS = 5;

  @TempDir private Path directory;

  private Path input;
  private byte[] salvaged;

  @BeforeEach
  void damagedPartitions() throws IOException {
    SegmentBytes segment = SegmentBytes.of(BATCHES, 30);
    byte[] bytes = segment.toByteArray();
    bytes[segment.position(3) - 1] ^= 1;
    input = directory.resolve("data");
    for (int partition = 0; partition < PARTITIONS; partition++) {
      SegmentBytes.write(input.resolve("orders-" + partition), NAME, bytes);
    }
    Path undisturbed = directory.resolve("undisturbed");
    assertEquals(
        1, Run.of("salvage", "--into", undisturbed.toString(), input.toString()).exitCode());
    salvaged = Files.readAllBytes(undisturbed.resolve("orders-0").resolve(NAME));
    assertTrue(salvaged.length > bytes.length - 10_000 && salvaged.length < bytes.length);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aKilledSalvageLeavesNoHalfFileUnderItsName(boolean forcibly) throws Exception {
    int stopped = 0;
    for (int kill = 0; kill < KILLS; kill++) {
      Path target = directory.resolve("killed-" + kill);
      Process process = CheckProcess.start(directory, "salvage", "--into", target, input);
      try {
        awaitFiles(process, target, kill);
        if (forcibly) {
          process.destroyForcibly(); // SIGKILL
        } else {
          process.destroy(); // SIGTERM
        }
        assertTrue(process.waitFor(1, TimeUnit.MINUTES));
      } finally {
        process.destroyForcibly();
      }
      List<Path> complete = complete(target);
      stopped += complete.size() < PARTITIONS ? 1 : 0;
      assertTrue(files(target, UNFINISHED).size() <= 1);
      checkTheNextRun(target, complete);
    }
    assertTrue(stopped > 0, "all runs had ended before they were killed");
  }

  /** Waits until so many files have been begun. */
  private static void awaitFiles(Process process, Path target, int files) throws Exception {
    long endNs = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (process.isAlive()
        && files(target, NAME).size() + files(target, UNFINISHED).size() <= files) {
      assertTrue(System.nanoTime() < endNs, "the salvage has not begun");
      Thread.sleep(1);
    }
  }

  /** The next run completes what is missing, and names what is there. */
  private void checkTheNextRun(Path target, List<Path> complete) throws IOException {
    Run next = Run.json("salvage", "--into", target, input);
    assertEquals(complete.isEmpty() ? 1 : 3, next.exitCode(), next.err());
    for (Path file : complete) {
      assertTrue(next.err().contains(file + " exists already and is not overwritten"), next.err());
    }
    assertEquals(PARTITIONS, complete(target).size());
  }

  /** {@code ulimit} makes writes fail as a full disk does. */
  @Test
  void aFullDiskLeavesNothing() throws Exception {
    Path target = directory.resolve("full");
    String blocks = String.valueOf(salvaged.length / 1024 / 2);
    Run run =
        CheckProcess.runWithin(
            List.of("bash", "-c", "ulimit -f " + blocks + "; exec \"$@\"", "bash"),
            directory,
            List.of("-XX:-UsePerfData"),
            "salvage",
            "--into",
            target,
            input);
    assertEquals(3, run.exitCode(), run.err());
    assertEquals(PARTITIONS, run.objects("error").size(), run.err());
    assertTrue(run.err().contains("not salvaged: "), run.err());
    assertEquals(List.of(), files(target, ""));
  }

  /** Returns the files under their names, all of which have to be complete. */
  private List<Path> complete(Path target) throws IOException {
    List<Path> files = files(target, NAME);
    for (Path file : files) {
      assertEquals(-1, Files.mismatch(file, expected()), file::toString);
    }
    return files;
  }

  private Path expected() {
    return directory.resolve("undisturbed").resolve("orders-0").resolve(NAME);
  }

  private static List<Path> files(Path target, String end) throws IOException {
    while (true) {
      try {
        return found(target, end);
      } catch (UncheckedIOException e) { // the salvage has just renamed a file
        if (!(e.getCause() instanceof NoSuchFileException)) {
          throw e;
        }
      }
    }
  }

  private static List<Path> found(Path target, String end) throws IOException {
    if (!Files.exists(target)) {
      return List.of();
    }
    try (Stream<Path> all = Files.walk(target)) {
      return all.filter(file -> file.toString().endsWith(end) && Files.isRegularFile(file))
          .sorted()
          .toList();
    }
  }
}
