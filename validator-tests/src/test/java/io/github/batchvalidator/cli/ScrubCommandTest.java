// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command {@code check scrub}: options, output and exit codes. */
class ScrubCommandTest {
  private static final String NAME = "00000000000000000000.log";

  @TempDir private Path directory;

  private Path partition(String name, boolean isSound) {
    byte[] bytes = SegmentBytes.of(10, 5).toByteArray();
    bytes[bytes.length - 1] ^= (byte) (isSound ? 0 : 1);
    return SegmentBytes.write(directory.resolve("data").resolve(name), NAME, bytes);
  }

  private static Run scrub(Object... arguments) {
    String[] all = new String[arguments.length + 4];
    all[0] = "scrub";
    all[1] = "--once";
    all[2] = "--rate";
    all[3] = "1GiB/s";
    for (int i = 0; i < arguments.length; i++) {
      all[i + 4] = arguments[i].toString();
    }
    return Run.of(all);
  }

  @Test
  void soundPartitions() {
    partition("orders-0", true);
    partition("orders-1", true);
    Run run = scrub(directory.resolve("data"));
    assertEquals(0, run.exitCode(), run.err());
    assertTrue(run.out().matches("pass ended: ok; 2 files, .+ in \\d+ s, 0 errors\n"), run.out());
    assertEquals("", run.err());
  }

  @Test
  void aLogDirectoryMayHaveTheNameOfAPartition() throws IOException {
    Path data = Files.createDirectory(directory.resolve("data-1"));
    Run empty = scrub(data);
    assertEquals(3, empty.exitCode(), empty.out());
    assertEquals("check: " + data + ": contains no partition\n", empty.err());
    partition("orders-0", false);
    Files.move(directory.resolve("data").resolve("orders-0"), data.resolve("orders-0"));
    Path link = Files.createSymbolicLink(directory.resolve("link"), data);
    for (Path each : List.of(data, link, data.resolve("orders-0"))) {
      Run run = scrub(each);
      assertEquals(1, run.exitCode(), run.err());
      String start = "FAULT BATCH_CRC_MISMATCH " + data.resolve("orders-0").resolve(NAME);
      assertTrue(run.out().startsWith(start), run.out());
    }
  }

  @Test
  void aFaultIsOneLine() {
    Path file = partition("orders-0", false);
    Run run = scrub(directory.resolve("data"));
    assertEquals(1, run.exitCode(), run.err());
    List<String> lines = run.out().lines().toList();
    assertEquals(2, lines.size(), run.out());
    String start = "FAULT BATCH_CRC_MISMATCH " + file + " byte ";
    assertTrue(lines.get(0).startsWith(start), run.out());
    String line = ".*, offset 45, read from (disk|cache): the stored CRC is .*";
    assertTrue(lines.get(0).matches(line), run.out());
    assertTrue(lines.get(1).startsWith("pass ended: 1 fault; 1 file, "), run.out());
  }

  @Test
  void objectsAreThoseOfCheck() {
    Path file = partition("orders-0", false);
    partition("orders-1", true);
    Run run = scrub("--json", directory.resolve("data"));
    assertEquals(1, run.exitCode(), run.err());
    JsonNode fault = run.objects("fault").get(0);
    assertEquals(file.toString(), fault.get("file").asText());
    assertTrue(List.of("disk", "cache").contains(fault.get("readFrom").asText()));
    assertEquals(45, fault.get("offset").asInt());
    assertEquals(2, run.objects("partition").size());
    assertEquals(2, run.summary().get("files").asInt());
    assertEquals(1, run.summary().get("faults").asInt());
  }

  @Test
  void filesAreWritten() throws IOException {
    partition("orders-0", false);
    Path state = directory.resolve("state");
    Path metrics = directory.resolve("scrub.prom");
    Run run = scrub("--state", state, "--metrics-file", metrics, directory.resolve("data"));
    assertEquals(1, run.exitCode(), run.err());
    assertTrue(Files.readString(state).startsWith("batchvalidator-scrub 3\npass 0\n"));
    String fault = "batchvalidator_scrub_faults{directory=\"" + directory.resolve("data") + "\",";
    assertTrue(Files.readString(metrics).contains(fault + "reason=\"BATCH_CRC_MISMATCH\"} 1\n"));
    Files.delete(directory.resolve("data").resolve("orders-0").resolve(NAME));
    assertEquals(0, scrub("--state", state, directory.resolve("data")).exitCode());
  }

  @Test
  void aFileThatCannotBeWrittenIsAnError() throws IOException {
    partition("orders-0", true);
    Path state = directory.resolve("state");
    Files.createDirectories(directory.resolve("state.new").resolve("not empty"));
    Run run = scrub("--state", state, directory.resolve("data"));
    assertEquals(3, run.exitCode(), run.err());
    assertTrue(run.err().startsWith("check: " + state + ": not written: "), run.err());
  }

  /** A reader that ends early, such as {@code head}, is no error. A full disk is. */
  @Test
  void aReportThatCannotBeWrittenIsAnError() {
    partition("orders-0", true);
    Object[] arguments = {"scrub", "--once", "--json", directory.resolve("data")};
    Run full = Run.unwritten(false, arguments);
    assertEquals(3, full.exitCode());
    assertEquals("check: the report could not be written\n", full.err());
    assertEquals(0, Run.unwritten(true, arguments).exitCode());
  }

  @Test
  void rulesAreThoseOfCheck() throws IOException {
    partition("orders-0", true);
    Path data = directory.resolve("data");
    Path metrics = directory.resolve("scrub.prom");
    assertEquals(1, scrub("--limit-records", 2, data).exitCode());
    String rule = "topics.orders.match=orders\ntopics.orders.key.required=true\n";
    Path policy = Files.writeString(directory.resolve("policy"), rule);
    Run faults = scrub("--policy", policy, data);
    assertEquals(1, faults.exitCode(), faults.err());
    assertTrue(faults.out().startsWith("FAULT TOPIC_KEY_MISSING "), faults.out());
    Files.writeString(policy, rule + "topics.orders.observe=true\n");
    Run findings = scrub("--policy", policy, "--metrics-file", metrics, data);
    assertEquals(0, findings.exitCode(), findings.err());
    assertTrue(findings.out().startsWith("FINDING TOPIC_KEY_MISSING "), findings.out());
    assertFalse(Files.readString(metrics).contains("scrub_faults{"));
  }

  @Test
  void invalidRulesAreWrongUsage() throws IOException {
    Path policy = Files.writeString(directory.resolve("policy"), "no policy");
    Run run = scrub("--policy", policy, directory);
    assertEquals(2, run.exitCode());
    assertTrue(run.err().startsWith("check: --policy: the file is invalid\n"), run.err());
    assertEquals(2, scrub("--level", "none", directory).exitCode());
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aFullDiskKeepsWhatWasWrittenBefore() throws IOException {
    partition("orders-0", true);
    Path state = directory.resolve("state");
    Path metrics = directory.resolve("scrub.prom");
    Object[] arguments = {"--state", state, "--metrics-file", metrics, directory.resolve("data")};
    assertEquals(0, scrub(arguments).exitCode());
    String before = Files.readString(state);
    for (Path file : List.of(state, metrics)) {
      Files.createSymbolicLink(Path.of(file + ".new"), Path.of("/dev/full"));
    }
    Run run = scrub(arguments);
    assertEquals(3, run.exitCode(), run.err());
    for (Path file : List.of(state, metrics)) {
      String why = "check: " + file + ": not written: No space left on device\n";
      assertTrue(run.err().contains(why), run.err());
      Files.delete(Path.of(file + ".new"));
    }
    assertEquals(before, Files.readString(state));
    String passes = "scrub_passes_total{directories=\"" + directory.resolve("data") + "\"} 1\n";
    assertTrue(Files.readString(metrics).contains(passes));
  }

  /** Returns the names and labels of the metrics of a scrub. */
  private Set<String> metrics(Path... directories) throws IOException {
    Path file = directory.resolve("scrub.prom");
    List<Object> arguments = new ArrayList<>(List.of("--metrics-file", file));
    arguments.addAll(List.of(directories));
    assertEquals(0, scrub(arguments.toArray()).exitCode());
    return Files.readAllLines(file).stream()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.substring(0, line.lastIndexOf(' ')))
        .collect(Collectors.toSet());
  }

  /** node_exporter drops the second of two metrics with the same name and labels. */
  @Test
  void twoScrubsOfAMachineHaveNoMetricInCommon() throws IOException {
    partition("orders-0", true);
    Path data = directory.resolve("data");
    Path other = directory.resolve("other");
    SegmentBytes.write(other.resolve("orders-0"), NAME, SegmentBytes.of(10, 5).toByteArray());
    assertTrue(Collections.disjoint(metrics(data), metrics(other)));
    String both = "{directories=\"" + data + "," + other + "\"}";
    assertTrue(metrics(data, other).contains("batchvalidator_scrub_passes_total" + both));
  }

  @Test
  void aStateFileOfAnotherScrubIsNotUsed() throws IOException {
    partition("orders-0", true);
    Path state = directory.resolve("state");
    Path lock = directory.resolve("state.lock");
    try (FileChannel other =
            FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock held = other.lock()) {
      assertTrue(held.isValid());
      Run run = scrub("--state", state, directory.resolve("data"));
      assertEquals(3, run.exitCode(), run.out());
      assertEquals("", run.out());
      String why = ": another scrub uses this state file; nothing was checked\n";
      assertEquals("check: " + state + why, run.err());
      assertFalse(Files.exists(state));
    }
    assertEquals(0, scrub("--state", state, directory.resolve("data")).exitCode());
  }

  /** Otherwise the next write would replace it. */
  @Test
  void aStateFileThatCannotBeReadIsLeftAlone() throws IOException {
    partition("orders-0", true);
    Path state = directory.resolve("state");
    Files.createSymbolicLink(state, state);
    Run run = scrub("--state", state, directory.resolve("data"));
    assertEquals(3, run.exitCode(), run.out());
    assertEquals("", run.out());
    assertTrue(run.err().startsWith("check: " + state + ": "), run.err());
    assertTrue(run.err().endsWith("; nothing was checked\n"), run.err());
    assertTrue(Files.isSymbolicLink(state));
  }

  @Test
  void aDirectoryWithoutPartitionsIsAnError() {
    Run run = scrub(directory);
    assertEquals(3, run.exitCode());
    assertEquals("check: " + directory + ": contains no partition\n", run.err());
    assertEquals(3, scrub(directory.resolve("missing")).exitCode());
  }

  /** Without the error, a scrub may run for ever. */
  @Timeout(60)
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "scrub | name the log directories to scrub",
        "scrub --rate 20Mb/s x | --rate must be a number with kB, MB, GB, KiB, MiB or GiB, at least"
            + " 1kB/s, such as 20MB/s, not 20Mb/s",
        "scrub --state / x | --state must be a file in a directory that exists, not /",
        "scrub --metrics-file /no/x x | --metrics-file must be a file in a directory that exists,"
            + " not /no/x",
        "scrub --state f --metrics-file ./f x | --state and --metrics-file must be different files,"
            + " not both /",
        "scrub --threads 1 x | there is no option --threads",
        "--once scrub x | there is no option --once",
      })
  void wrongUsage(String arguments, String message) {
    Run run = Run.of(arguments.split(" ", -1));
    assertEquals(2, run.exitCode());
    assertTrue(run.err().startsWith("check: " + message), run.err());
  }

  @Test
  void anEmptyPathIsRefused() {
    Run run = scrub("");
    assertEquals(2, run.exitCode());
    assertTrue(run.err().startsWith("check: not a directory: \"\""), run.err());
  }
}
