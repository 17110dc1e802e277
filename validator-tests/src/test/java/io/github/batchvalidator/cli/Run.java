// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.batchvalidator.audit.CheckRun;
import io.github.batchvalidator.audit.SegmentRules;
import io.github.batchvalidator.audit.Settings;
import io.github.batchvalidator.audit.SliceMerge;
import io.github.batchvalidator.audit.print.JsonReport;
import io.github.batchvalidator.audit.report.RunSummary;
import io.github.batchvalidator.audit.source.FileSegment;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.policy.PolicySection;
import io.github.batchvalidator.testing.BytesSegment;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** One run of the command within this process: what it printed and how it ended. */
public record Run(int exitCode, String out, String err) {
  /** The settings of a command with one thread. */
  static final Settings USUAL = Settings.standard(1, new SegmentRules(null, PolicySection.KAFKA));

  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** Runs the command as the shell would. */
  public static Run of(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode =
        CheckCommand.commandLine(() -> false, arguments)
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(arguments);
    return new Run(exitCode, out.toString(), err.toString());
  }

  /**
   * Runs the command with an output that takes nothing.
   *
   * @param isReadByProgram true for a pipe whose reader has ended, false for a full disk
   */
  static Run unwritten(boolean isReadByProgram, Object... arguments) {
    String[] words = words(arguments);
    StringWriter err = new StringWriter();
    PrintWriter closed = new PrintWriter(Writer.nullWriter());
    closed.close();
    int exitCode =
        CheckCommand.commandLine(() -> isReadByProgram, words)
            .setOut(closed)
            .setErr(new PrintWriter(err))
            .execute(words);
    return new Run(exitCode, "", err.toString());
  }

  /** Runs the command with JSON output. */
  static Run json(Object... arguments) {
    return of(
        Stream.concat(Stream.of(words(arguments)), Stream.of("--json")).toArray(String[]::new));
  }

  /** Returns arguments as the shell would pass them. */
  static String[] words(Object... arguments) {
    return Stream.of(arguments).map(Object::toString).toArray(String[]::new);
  }

  /** Runs the check, without its command line, with windows and slices of other sizes. */
  static Run with(Settings settings, Path path) throws InterruptedException {
    return with(settings, new FileSegment(path));
  }

  /** Runs the check of a segment in memory, for tests that check hundreds. */
  static Run ofBytes(byte[] content) {
    try {
      return with(USUAL, new BytesSegment("some.log", content));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  static Run with(Settings settings, Segment segment) throws InterruptedException {
    StringWriter out = new StringWriter();
    SliceMerge merge = new SliceMerge(new JsonReport(new PrintWriter(out)), false);
    new CheckRun(settings, List.of(segment), merge, bytes -> {}).run();
    RunSummary run = merge.end(0, false);
    return new Run(run.tally().faults() > 0 ? 1 : 0, out.toString(), "");
  }

  /** Returns the objects of a type, in their order. */
  List<JsonNode> objects(String type) {
    return out.lines().map(Run::parse).filter(it -> it.get("type").asText().equals(type)).toList();
  }

  /** Returns the only object of type summary, which is the last of all. */
  JsonNode summary() {
    JsonNode last = parse(out.lines().reduce((first, second) -> second).orElseThrow());
    if (!last.get("type").asText().equals("summary") || objects("summary").size() != 1) {
      throw new AssertionError("no summary at the end: " + out);
    }
    return last;
  }

  /** Returns reason@position of every fault, in their order. */
  List<String> faults() {
    return objects("fault").stream()
        .map(it -> it.get("reason").asText() + "@" + it.get("position").asLong())
        .toList();
  }

  private static JsonNode parse(String line) {
    try {
      return MAPPER.readTree(line);
    } catch (JsonProcessingException e) {
      throw new AssertionError(line, e);
    }
  }
}
