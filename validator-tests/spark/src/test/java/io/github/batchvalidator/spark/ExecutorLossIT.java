// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.cli.Run;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The report stays the same while executors, which are JVMs of their own, are killed. */
@Tag("slow")
class ExecutorLossIT {
  private static final Path TARGET = Path.of("../../validator-spark/target").toAbsolutePath();
  private static final String EXECUTOR = "CoarseGrainedExecutorBackend";
  private static final Pattern DURATION = Pattern.compile(",\"seconds\":.*");
  private static final long SEGMENT_BYTES = 48_000_000;
  private static final int EXECUTORS = 2;

  @TempDir private static Path data;

  @TempDir private Path home;

  private static List<String> expected = List.of();

  @BeforeAll
  static void write() {
    LargeLog.write(data.resolve("orders-0"), 6, SEGMENT_BYTES);
    LargeLog.write(data.resolve("orders-1"), 1, SEGMENT_BYTES);
    expected = stable(Run.of("--json", data.toString()).out().lines());
    assertTrue(expected.stream().anyMatch(row -> row.contains("BATCH_CRC_MISMATCH")));
  }

  private static List<String> stable(Stream<String> rows) {
    return rows.map(row -> DURATION.matcher(row).replaceAll("")).toList();
  }

  /** Starts the command on executors of their own, as {@code spark-submit} would. */
  private OtherProcess start(String... options) throws IOException {
    Path jars = Files.createDirectory(home.resolve("jars"));
    String classPath = Files.readString(TARGET.resolve("class-path")).strip();
    for (String jar : classPath.split(Pattern.quote(File.pathSeparator), -1)) {
      Files.createSymbolicLink(jars.resolve(Path.of(jar).getFileName()), Path.of(jar));
    }
    Path audit = TARGET.resolve("audit.jar");
    List<String> arguments = new ArrayList<>(List.of(options));
    arguments.addAll(
        List.of(
            "-Dspark.master=local-cluster[" + EXECUTORS + ",1,1024]",
            "-Dspark.executor.memory=512m",
            "-Dspark.ui.enabled=false",
            "-Dspark.jars=" + audit,
            "-Dspark.local.dir=" + home.resolve("local"),
            "-cp",
            audit + File.pathSeparator + classPath,
            AuditCommand.class.getName(),
            "--output",
            home.resolve("rows").toUri().toString(),
            data.toString()));
    return OtherProcess.java(home, arguments);
  }

  /** Deletes the links, because JUnit warns of each. */
  @AfterEach
  void deleteLinks() throws IOException {
    try (Stream<Path> links = Files.list(home.resolve("jars"))) {
      for (Path link : links.toList()) {
        Files.delete(link);
      }
    }
  }

  private List<String> rows() throws IOException {
    List<String> rows = new ArrayList<>();
    try (Stream<Path> files = Files.list(home.resolve("rows"))) {
      for (Path file : files.sorted().toList()) {
        if (String.valueOf(file.getFileName()).startsWith("part-")) {
          rows.addAll(Files.readAllLines(file));
        }
      }
    }
    return stable(rows.stream());
  }

  /** Returns true once a task of the first stage has written its chunks. */
  private boolean hasChunks() {
    try (Stream<Path> files = Files.walk(home.resolve("local"))) {
      return files.anyMatch(file -> String.valueOf(file.getFileName()).startsWith("shuffle_"));
    } catch (IOException | RuntimeException e) { // Spark deletes files meanwhile
      return false;
    }
  }

  @Test
  void anExecutorIsKilledInTheMiddle() throws Exception {
    try (OtherProcess audit = start()) {
      audit.await(this::hasChunks);
      ProcessHandle victim = audit.descendants(EXECUTOR).get(0);
      assertTrue(victim.destroyForcibly());
      audit.await(
          () -> audit.descendants(EXECUTOR).stream().noneMatch(each -> each.equals(victim)));
      assertEquals(1, audit.exitCode(), audit::output);
      assertTrue(audit.output().contains("Lost executor"), audit::output);
    }
    assertEquals(expected, rows());
  }

  @Test
  void tasksAreSpeculated() throws Exception {
    try (OtherProcess audit =
        start(
            "-Dspark.speculation=true",
            "-Dspark.speculation.multiplier=0.1",
            "-Dspark.speculation.quantile=0.1",
            "-Dspark.speculation.minTaskRuntime=10ms",
            "-Dspark.speculation.interval=20ms")) {
      assertEquals(1, audit.exitCode(), audit::output);
    }
    assertEquals(expected, rows());
  }
}
