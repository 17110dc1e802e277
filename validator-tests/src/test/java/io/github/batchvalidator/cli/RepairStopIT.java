// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.audit.SampleLog;
import io.github.batchvalidator.audit.StoredLog;
import io.github.batchvalidator.cli.FileCalls.Failure;
import io.github.batchvalidator.cli.FileCalls.Killed;
import io.github.batchvalidator.testing.Folders;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A repair that is killed, or runs out of space: the directory has its name if it is complete. */
class RepairStopIT {
  private static final int STEP = 11;
  private static final List<String> NAMES = List.of("orders-3", "orders-3.unfinished");

  /** The calls at the end, of which each is made. */
  private static final int LAST = 14;

  @TempDir private Path data;

  private final FileCalls program = new FileCalls();
  private Path copies;
  private Path out;
  private Path repaired;
  private Map<String, ByteBuffer> inputs = Map.of();
  private Map<String, ByteBuffer> expected = Map.of();
  private int calls;

  @BeforeEach
  void repairOnce() throws Exception {
    copies = data.resolve("copies");
    out = data.resolve("out");
    repaired = out.resolve("orders-3");
    Path sample = SampleLog.write(Files.createDirectories(copies.resolve("a")));
    StoredLog.copy(sample, Files.createDirectory(copies.resolve("b")).resolve("orders-3"));
    StoredLog damaged = new StoredLog(sample);
    damaged.edit(damaged.file(1, ".log"), all -> all.put(100, (byte) ~all.get(100)));
    inputs = files(copies);
    FileCalls.failFrom(Integer.MAX_VALUE, Failure.KILLED);
    assertEquals(0, program.run(arguments()).exitCode());
    calls = FileCalls.calls();
    expected = files(repaired);
    Folders.delete(out);
  }

  private Object[] arguments() {
    Path a = copies.resolve("a/orders-3");
    Path b = copies.resolve("b/orders-3");
    return new Object[] {"repair", "--from", a, "--from", b, "--into", out};
  }

  private IntStream points() {
    return IntStream.range(0, calls).filter(each -> each % STEP == 0 || each >= calls - LAST);
  }

  @Test
  void aKilledRepairLeavesNothingOrAllOfTheDirectory() throws Exception {
    int complete = 0;
    int left = 0;
    for (int point : points().toArray()) {
      FileCalls.failFrom(point, Failure.KILLED);
      Exception end = assertThrows(InvocationTargetException.class, () -> program.run(arguments()));
      assertInstanceOf(Killed.class, end.getCause());
      assertEquals(inputs, files(copies));
      assertTrue(names(out).stream().allMatch(NAMES::contains), () -> names(out).toString());
      boolean isComplete = Files.exists(repaired);
      Run next = Run.of(Run.words(arguments()));
      if (isComplete) {
        complete++;
        assertEquals(2, next.exitCode(), next.err());
        assertTrue(next.err().contains(repaired + " exists already and is not empty"), next.err());
      } else if (next.exitCode() != 0) {
        left++;
        Path unfinished = out.resolve("orders-3.unfinished");
        assertEquals(2, next.exitCode(), next.err());
        assertTrue(next.err().contains(unfinished + " is left of a repair that"), next.err());
        Folders.delete(unfinished);
        next = Run.of(Run.words(arguments()));
        assertEquals(0, next.exitCode(), next.err());
      }
      assertEquals(expected, files(repaired), () -> "call " + point);
      Folders.delete(out);
    }
    assertTrue(complete > 0 && left > complete, complete + " complete, " + left + " not");
  }

  @Test
  void aFullDiskLeavesNothing() throws Exception {
    int failed = 0;
    for (int point : points().toArray()) {
      FileCalls.failFrom(point, Failure.DISK_FULL);
      Run run = program.run(arguments());
      assertEquals(inputs, files(copies));
      if (run.exitCode() != 0) {
        failed++;
        assertEquals(3, run.exitCode(), run.err());
        String why = repaired + ": not repaired: No space left on device";
        assertTrue(run.err().contains(why), () -> "call " + point + ": " + run.err());
        assertEquals(Map.of(), files(out));
        Run next = Run.of(Run.words(arguments()));
        assertEquals(0, next.exitCode(), next.err());
      }
      assertEquals(expected, files(repaired), () -> "call " + point);
      Folders.delete(out);
    }
    assertTrue(failed > LAST, failed + " failed");
  }

  private static List<String> names(Path directory) {
    String[] names = directory.toFile().list();
    return names == null ? List.of() : List.of(names);
  }

  /** Returns the content of all files below a directory. */
  private static Map<String, ByteBuffer> files(Path directory) throws IOException {
    Map<String, ByteBuffer> files = new TreeMap<>();
    if (Files.exists(directory)) {
      try (Stream<Path> all = Files.walk(directory)) {
        for (Path file : (Iterable<Path>) all.filter(Files::isRegularFile)::iterator) {
          String name = directory.relativize(file).toString();
          files.put(name, ByteBuffer.wrap(Files.readAllBytes(file)));
        }
      }
    }
    return files;
  }
}
