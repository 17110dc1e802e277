// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.audit.print.Style;
import io.github.batchvalidator.audit.print.TextReport;
import io.github.batchvalidator.audit.print.TextReport.Detail;
import io.github.batchvalidator.audit.report.FileSummary;
import io.github.batchvalidator.audit.report.RunSummary;
import io.github.batchvalidator.audit.report.Tally;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Model.OptionSpec;

class CommandLineTest {
  private static final List<String> BESIDE =
      List.of(
          "0.index",
          "0.timeindex",
          "0.txnindex",
          "0.snapshot",
          "0.index.deleted",
          "0.timeindex.cleaned",
          "0.txnindex.swap",
          "leader-epoch-checkpoint",
          "leader-epoch-checkpoint.tmp",
          "recovery-point-offset-checkpoint",
          "partition.metadata",
          "meta.properties",
          "quorum-state",
          ".lock",
          ".kafka_cleanshutdown");

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--nonsense",
        "--threads=0",
        "--threads=257",
        "--threads=many",
        "--level=STRICT",
        "--level=observe",
        "--level=strict --observe"
      })
  void wrongUsage(String arguments) {
    Run run = Run.of(arguments.split(" ", -1));
    assertEquals(2, run.exitCode());
    assertEquals("", run.out());
    List<String> lines = run.err().lines().toList();
    assertTrue(lines.get(0).startsWith("check: "), run.err());
    assertEquals("see --help", lines.get(lines.size() - 1));
    assertTrue(lines.size() <= 3, run.err());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--nonsense | there is no option --nonsense",
        "--thread=3 | there is no option --thread; did you mean --threads?",
        "--threads=many | --threads must be a whole number from 1 to 256, not many",
        "--threads=99999999999 | --threads must be a whole number from 1 to 256, not 99999999999",
        "--threads=0 | --threads must be a whole number from 1 to 256, not 0",
        "--threads | --threads needs a value: a whole number from 1 to 256",
        "--threads 1 --threads 2 | --threads is given more than once",
        "--level | --level needs a value: kafka or strict",
        "--level=x | --level must be kafka or strict, not x",
        "--limits | --limits needs a value: unbounded-as-kafka, generous or broker-default",
        "--limits=x | --limits must be unbounded-as-kafka, generous or broker-default, not x",
        "--limit-ratio | --limit-ratio needs a value: a whole number from 1 to 2147483647",
        "--limit-ratio=x | --limit-ratio must be a whole number from 1 to 2147483647, not x",
        "--policy | --policy needs a value: a policy file",
        "--json=yes | --json takes no value",
      })
  void errorsNameTheOptionAndItsLegalValues(String arguments, String message) {
    Run run = Run.of(arguments.split(" ", -1));
    assertEquals(2, run.exitCode());
    assertEquals("check: " + message + "\nsee --help\n", run.err());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "salvage --into x | name what to salvage",
        "salvage some.log | --into needs a value: a directory that contains no input",
        "profile | name what to profile",
        "profile --nonsense x | there is no option --nonsense",
        "profile x --threads=0 | --threads must be a whole number from 1 to 256, not 0",
        "--json salvage --into x y | write salvage first, or a path as ./salvage",
        "some.log profile | write profile first, or a path as ./profile",
      })
  void errorsOfACommandSayWhoseHelpToSee(String arguments, String message) {
    Run run = Run.of(arguments.split(" ", -1));
    assertEquals(2, run.exitCode());
    String command = arguments.contains("profile") ? "profile" : "salvage";
    assertEquals("check: " + message + "\nsee " + command + " --help\n", run.err());
  }

  @Test
  void helpNamesTheCommands() {
    for (String option : List.of("-h", "-vh", "--help")) {
      String help = Run.of(option).out();
      assertTrue(help.contains("salvage") && help.contains("profile"), help);
    }
  }

  @Test
  void aPathMayHaveTheNameOfACommand() {
    Run run = Run.of("./salvage", "./profile", "--threads", "1");
    assertEquals(3, run.exitCode());
    assertTrue(run.err().contains("check: ./salvage: no such file or directory"), run.err());
    assertTrue(run.err().contains("check: ./profile: no such file or directory"), run.err());
  }

  /** An option without legal values would have an error that does not help. */
  @Test
  void optionsWithAValueHaveLegalValues() {
    for (OptionSpec option : ManPageTest.allOptions()) {
      if (option.arity().max() > 0) {
        assertNotEquals("a value", UsageError.legalValues(option.longestName()));
      }
    }
  }

  @Test
  void aReportThatCannotBeWrittenIsAnError() {
    Run run = Run.unwritten(false, "--sample");
    assertEquals(3, run.exitCode());
    assertTrue(run.err().contains("the report could not be written"), run::err);
  }

  /** A file name cannot send control characters to a terminal, nor forge a line. */
  @Test
  void namesArePrintable() {
    SegmentBytes segment = SegmentBytes.of(1, 1).addRaw(new byte[20]);
    Path odd = SegmentBytes.write(directory, "a\n\u001b[2K\u009bb.log", segment.toByteArray());
    Run run = Run.of(odd.toString(), directory.resolve("c\rd").toString());
    List<String> lines = run.out().lines().toList();
    assertEquals(directory + "/a??[2K?b.log", lines.get(2), run.out());
    assertTrue(run.err().startsWith("check: " + directory + "/c?d: "), run.err());
  }

  /** A name that reads backward, or like another one, is not what it seems to be. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "\u00ad",
        "\u061c",
        "\u200b",
        "\u200d",
        "\u202e",
        "\u2028",
        "\u2029",
        "\u2066",
        "\ufeff",
        "\udb40\udc41"
      })
  void invisibleCharactersOfNamesArePrintable(String invisible) {
    SegmentBytes segment = SegmentBytes.of(1, 1).addRaw(new byte[20]);
    Path odd = SegmentBytes.write(directory, "a" + invisible + "b.log", segment.toByteArray());
    Path missing = directory.resolve("c" + invisible + "d.log");
    Run run = Run.of(odd.toString(), missing.toString());
    List<String> lines = run.out().lines().toList();
    assertEquals(directory + "/a?b.log", lines.get(2), run.out());
    assertTrue(run.err().startsWith("check: " + directory + "/c?d.log: "), run.err());
    Run json = Run.json(odd);
    assertEquals(odd.toString(), json.objects("file").get(0).get("file").asText());
    assertEquals(odd.toString(), json.objects("fault").get(0).get("file").asText());
    assertFalse(json.out().contains(invisible), json.out());
  }

  /** Half of a line that lies in a buffer would be erased with the line of the progress. */
  @Test
  void outputIsFlushedBeforeTheProgressReturns() {
    StringWriter out = new StringWriter();
    StringWriter terminal = new StringWriter();
    PrintWriter buffered = new PrintWriter(new BufferedWriter(out));
    try (Progress shown = new Progress(new PrintWriter(terminal), true, 1)) {
      shown.whileHidden(buffered, () -> buffered.print("told"));
    }
    assertEquals("told", out.toString());
    try (Progress hidden = new Progress(new PrintWriter(terminal), false, 1)) {
      hidden.whileHidden(buffered, () -> buffered.print(" later"));
    }
    assertEquals("told", out.toString());
    assertEquals("", terminal.toString());
  }

  @Test
  void helpNamesTheExitCodes() {
    Run run = Run.of("--help");
    assertEquals(0, run.exitCode());
    assertTrue(run.out().contains("[PATH...]"), run.out());
    for (int code = 0; code <= 3; code++) {
      assertTrue(run.out().contains("\n  " + code + "   "), run.out());
    }
  }

  @Test
  void version() {
    Run run = Run.of("--version");
    assertEquals(0, run.exitCode());
    assertTrue(run.out().startsWith("check "), run.out());
  }

  @Test
  void aFileThatWasNotReadToItsEndIsNotClean() {
    StringWriter out = new StringWriter();
    TextReport report = new TextReport(new PrintWriter(out), Style.PLAIN, Detail.NORMAL, "./check");
    Tally tally = new Tally();
    report.file(new FileSummary("some.log", 10, 0, 0, false, tally));
    report.summary(new RunSummary(1, 10, 1, 0, 1, false, tally));
    List<String> lines = out.toString().lines().toList();
    assertEquals(
        "not complete: 1 error; no faults in what was read: 1 file, 0 batches, 0 records",
        lines.get(0));
    assertEquals("some.log: not read to its end", lines.get(2), out::toString);
  }

  @Test
  void withoutPathsTheUsageIsPrinted() {
    Run run = Run.of();
    assertEquals(2, run.exitCode());
    assertEquals("", run.out());
    assertTrue(run.err().contains("java -jar check.jar --sample"), run.err());
  }

  @Test
  void theSampleIsClean() {
    Run run = Run.of("--sample");
    assertEquals(0, run.exitCode());
    assertEquals("ok: 6 files, 24 batches, 772 records", run.out().lines().findFirst().orElse(""));
    assertEquals(2, Run.of("--sample", "some.log").exitCode());
  }

  @Test
  void reasonsAreExplained() {
    Run run = Run.of("--explain", "BATCH_CRC_MISMATCH");
    assertEquals(0, run.exitCode());
    assertTrue(run.out().startsWith("BATCH_CRC_MISMATCH: the stored CRC-32C"), run.out());
    assertTrue(run.out().contains("family: Batch header"), run.out());
    Run unknown = Run.of("--explain", "NO_SUCH_REASON");
    assertEquals(2, unknown.exitCode());
    assertTrue(unknown.err().contains("not NO_SUCH_REASON"), unknown.err());
  }

  /** Reasons of the core, of segments and of partitions, some of them by how they start. */
  @ParameterizedTest
  @CsvSource({
    "SEGMENT_TRUNCATED_TAIL, Never truncate a file of a running broker",
    "BATCH_CRC_MISMATCH, what to do: Copy the partition before the broker starts. Take it from",
    "FRAMING_MAGIC_UNKNOWN, Take it from a replica. If none is sound",
    "TIMEINDEX_OFFSET_INVALID, If the segment itself has no fault: stop the broker",
    "TOPIC_KEY_MISSING, Consumers read them. what to do: Mend the producer or the rule",
    "TIERED_LOCAL_GAP, look for its objects in other versions of the store",
  })
  void explanationsSayWhatToDo(String reason, String action) {
    String text = Run.of("--explain", reason).out().replaceAll("\\s+", " ");
    assertTrue(text.contains(" suggests: "), text);
    assertTrue(text.contains(" what to do: "), text);
    assertTrue(text.contains(action), text);
  }

  @Test
  void missingPathDoesNotStopTheOthers() {
    byte[] bytes = SegmentBytes.of(3, 1).toByteArray();
    bytes[bytes.length - 1] ^= 1;
    Path damaged = SegmentBytes.write(directory, "some.log", bytes);
    Path missing = directory.resolve("missing.log");
    Run run = Run.json(missing, damaged);
    assertEquals(3, run.exitCode());
    assertEquals(1, run.faults().size());
    assertEquals(missing.toString(), run.objects("error").get(0).get("file").asText());
    assertEquals(1, run.summary().get("errors").asInt());
    assertEquals("check: " + missing + ": no such file or directory\n", run.err());
  }

  @Test
  void directoryWithoutSegments() throws IOException {
    Path empty = Files.createDirectory(directory.resolve("empty"));
    Run run = Run.of(empty.toString());
    assertEquals(3, run.exitCode());
    assertTrue(run.err().contains("contains no *.log file"), run.err());
  }

  /** The files that a shell expands {@code orders-0/*} to are as clean as the folder. */
  @Test
  void otherFilesOfKafkaAreIgnored() {
    byte[] index = new byte[100];
    Path segment = SegmentBytes.write(directory, "0.log", SegmentBytes.of(1, 1).toByteArray());
    List<Object> all = new ArrayList<>();
    for (String name : BESIDE) {
      all.add(SegmentBytes.write(directory, name, index));
    }
    assertEquals(3, Run.json(all.toArray()).exitCode());
    all.add(segment);
    Run run = Run.json(all.toArray());
    assertEquals(0, run.exitCode(), run.out());
    assertEquals(1, run.summary().get("files").asInt());
    String note = "check: skipped, not a segment: " + all.get(0) + " and 14 more\n";
    assertEquals(note, run.err());
  }

  @Test
  void namingOnlyOtherFilesIsAnError() {
    Path index = SegmentBytes.write(directory, "0.index", new byte[8]);
    Run run = Run.json(index);
    assertEquals(3, run.exitCode());
    String why = "not a segment; name *.log files or their directory";
    assertEquals(why, run.objects("error").get(0).get("message").asText());
  }

  /** Segments have these names while a broker removes or replaces them; the last one is KRaft's. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.log.deleted",
        "0.log.cleaned",
        "0.log.swap",
        "0.txt",
        "0-1.checkpoint",
        "index"
      })
  void otherNamesAreChecked(String name) {
    Run run = Run.json(SegmentBytes.write(directory, name, new byte[8]));
    assertEquals(List.of("SEGMENT_TRUNCATED_TAIL@0"), run.faults());
    assertEquals("", run.err());
  }

  @Test
  void linkToNothing() throws IOException {
    Files.createSymbolicLink(directory.resolve("gone.log"), directory.resolve("nowhere"));
    Run run = Run.of(directory.toString());
    assertEquals(3, run.exitCode());
    assertTrue(run.err().contains("broken symbolic link"), run.err());
  }

  @Test
  void aPathThatIsNoFileIsAnError() {
    assertEquals(3, Run.of("").exitCode());
    assertEquals(3, Run.of("/dev/null").exitCode());
    assertEquals(3, Run.of("a\0b").exitCode());
  }

  @Test
  void namesAreEscaped() {
    String name = "@q\"uo\\te\n\u00e4.log";
    Path path = SegmentBytes.write(directory, name, SegmentBytes.of(1, 1).toByteArray());
    Run run = Run.json(path);
    assertEquals(0, run.exitCode(), run.err());
    assertEquals(path.toString(), run.objects("file").get(0).get("file").asText());
  }

  @Test
  void progressShowsRateAndRemainingTime() {
    assertEquals(
        "1.00 GB of 4.00 GB, 25 %, 500.00 MB/s, 6 s left",
        Progress.line(1_000_000_000L, 4_000_000_000L, 2_000_000_000L));
    assertEquals("0 B of 10 B, 0 %, 0 B/s, ? s left", Progress.line(0, 10, 1));
    assertEquals("1 B of 5.00 kB, 0 %, 1 B/s, 83 min left", Progress.line(1, 5000, 1_000_000_000));
    assertEquals("1 B of 9.00 kB, 0 %, 1 B/s, 2.5 h left", Progress.line(1, 9000, 1_000_000_000));
  }
}
