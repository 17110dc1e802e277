// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.audit.SampleLog;
import io.github.batchvalidator.audit.StoredLog;
import io.github.batchvalidator.cli.Run;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The command with an embedded Spark: its text, its files and its exit codes. */
class AuditCommandIT {
  private static final Path SCRIPT = Path.of("../../audit");
  private static final Pattern OPTION = Pattern.compile("^# {3}(--[a-z]+)", Pattern.MULTILINE);
  private static final String DURATION = "\"seconds\":.*|.* of files in .*|.* of all copies in .*";

  @TempDir private Path data;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int audit(Object... arguments) {
    String[] words = Stream.of(arguments).map(Object::toString).toArray(String[]::new);
    return AuditCommand.commandLine(() -> false)
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(words);
  }

  /** Runs the command with an output that takes nothing. */
  private int unwritten(boolean isReadByProgram, Path path) {
    PrintWriter closed = new PrintWriter(Writer.nullWriter());
    closed.close();
    return AuditCommand.commandLine(() -> isReadByProgram)
        .setOut(closed)
        .setErr(new PrintWriter(err, true))
        .execute(path.toString());
  }

  private Path damaged() throws IOException {
    StoredLog log = new StoredLog(SampleLog.write(data.resolve("broker")));
    log.edit(log.file(0, ".log"), all -> all.put(200, (byte) 1));
    return data.resolve("broker");
  }

  private static List<String> stable(Stream<String> lines) {
    return lines
        .map(line -> line.replaceAll(DURATION, "").replace("java -jar check.jar", "./check"))
        .toList();
  }

  private static List<String> rows(Path target) throws IOException {
    List<String> rows = new ArrayList<>();
    try (Stream<Path> files = Files.list(target)) {
      for (Path file : files.sorted().toList()) {
        if (String.valueOf(file.getFileName()).startsWith("part-")) {
          rows.addAll(Files.readAllLines(file));
        }
      }
    }
    return rows;
  }

  @Test
  void printsAndWritesWhatCheckDoes() throws Exception {
    Path broker = damaged();
    Path policies = Files.writeString(data.resolve("policies"), "topics.any.match=*\n");
    Path target = data.resolve("rows");
    assertEquals(1, audit(broker, "--output", target, "--policy", policies));
    assertEquals(stable(Run.of(broker.toString()).out().lines()), stable(out.toString().lines()));
    assertEquals(
        stable(Run.of("--json", broker.toString()).out().lines()), stable(rows(target).stream()));
    assertEquals(2, audit(broker, "--output", target));
    assertTrue(err.toString().contains("--output must be"), err::toString);
  }

  @Test
  void aPolicyMayNameAFileOfIds() throws Exception {
    Path broker = damaged();
    Files.writeString(data.resolve("ids.txt"), "17\n");
    Path policies =
        Files.write(
            data.resolve("policies"),
            List.of(
                "topics.any.match=*",
                "topics.any.value.schema=payload",
                "topics.any.value.schema.ids=file:ids.txt"));
    assertEquals(1, audit(broker, "--policy", policies), err::toString);
    Run check = Run.of("--policy", policies.toString(), broker.toString());
    assertEquals(stable(check.out().lines()), stable(out.toString().lines()));
  }

  /** An executor finds the files only if they are in the same directory there. */
  @Test
  void aFileThatSparkWouldNotFindIsAMistake() throws Exception {
    Files.writeString(data.resolve("ids.txt"), "17\n");
    Files.writeString(Files.createDirectory(data.resolve("team")).resolve("ids.txt"), "17\n");
    for (String name : List.of("team/ids.txt", data.resolve("ids.txt").toString())) {
      Path policies =
          Files.write(
              data.resolve("policies"),
              List.of("default.value.schema=header", "default.value.schema.ids=file:" + name));
      assertEquals(2, audit(data, "--policy", policies), err::toString);
      assertTrue(err.toString().contains("not file:" + name), err::toString);
    }
    Path policies = Files.writeString(data.resolve("policies"), "default.key.required=true\n");
    Path link = Files.createSymbolicLink(data.resolve("current"), policies.getFileName());
    assertEquals(2, audit(data, "--policy", link), err::toString);
    assertTrue(err.toString().contains(link + " is a link to a file"), err::toString);
  }

  @Test
  void comparesAsCheckDoes() throws Exception {
    Path broker = damaged();
    Path other = data.resolve("other");
    SampleLog.write(other);
    Path target = data.resolve("rows");
    assertEquals(1, audit("compare", broker, other, "--output", target));
    Run check = Run.of("compare", broker.toString(), other.toString());
    assertEquals(stable(check.out().lines()), stable(out.toString().lines()));
    assertTrue(out.toString().startsWith("1 difference in 1 of 1 partition"), out::toString);
    Run json = Run.of("compare", "--json", broker.toString(), other.toString());
    assertEquals(stable(json.out().lines()), stable(rows(target).stream()));
    assertEquals(3, audit("compare", other));
    assertTrue(err.toString().contains("audit: nothing to compare: only one copy"), err::toString);
  }

  @Test
  void namesWhatCannotBeRead() throws Exception {
    Path broker = damaged();
    assertEquals(3, audit(broker.toUri(), data.resolve("none")));
    assertTrue(err.toString().contains("none: no such file or directory"), err::toString);
    assertTrue(out.toString().startsWith("1 fault"), out::toString);
  }

  @Test
  void aMissingConnectorIsNamedInOneLine() throws Exception {
    Path broker = damaged();
    assertEquals(3, audit(broker, "s3a://bucket/topics"));
    List<String> lines =
        err.toString().lines().filter(line -> line.contains("s3a://bucket/topics")).toList();
    assertEquals(1, lines.size(), err::toString);
    assertTrue(lines.get(0).contains("no connector for s3a: "), err::toString);
    assertTrue(err.toString().lines().noneMatch(line -> line.startsWith("\tat ")), err::toString);
    assertTrue(out.toString().startsWith("1 fault"), out::toString);
  }

  @Test
  void aSerializerOfTheClusterIsNotUsed() throws Exception {
    System.setProperty("spark.serializer", "org.apache.spark.serializer.KryoSerializer");
    try {
      assertEquals(1, audit(damaged()), err::toString);
    } finally {
      System.clearProperty("spark.serializer");
    }
  }

  /** A reader that ends early, such as {@code head}, is no error. A full disk is. */
  @Test
  void aReportThatCannotBeWrittenIsAnError() throws Exception {
    Path broker = damaged();
    assertEquals(1, unwritten(true, broker));
    assertFalse(err.toString().contains("the report"), err::toString);
    assertEquals(3, unwritten(false, broker));
    assertTrue(err.toString().contains("audit: the report could not be written"), err::toString);
  }

  @ParameterizedTest
  @CsvSource({
    "--level other none, '--level must be kafka or strict, not other'",
    "--level strict, name directories",
    "--key none none, --key must be a file",
    "--policy none none, the file is invalid",
    "compare --compacted, name the partitions to compare",
    "compare --level strict none, Unknown option",
    "--output rows compare a b, 'write compare first, or a path as ./compare'",
    "--no-such-option none, Unknown option: '--no-such-option'",
  })
  void namesTheMistake(String arguments, String mistake) {
    assertEquals(2, audit((Object[]) arguments.split(" ", -1)));
    assertTrue(err.toString().contains(mistake), err::toString);
    assertEquals("", out.toString());
  }

  /** The script answers help and mistakes itself, so it has to know all options. */
  @Test
  void theScriptKnowsAllOptions() throws IOException {
    CommandLine line = AuditCommand.commandLine(() -> false);
    Set<String> options = new TreeSet<>();
    line.getCommandSpec().options().forEach(option -> options.add(option.longestName()));
    assertTrue(options.remove("--help"));
    Set<String> described = new TreeSet<>();
    Matcher option = OPTION.matcher(Files.readString(SCRIPT));
    while (option.find()) {
      described.add(option.group(1));
    }
    assertEquals(options, described);
    assertFalse(described.isEmpty());
  }
}
