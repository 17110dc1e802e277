// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.github.batchvalidator.audit.CheckRun;
import io.github.batchvalidator.audit.SampleLog;
import io.github.batchvalidator.audit.SegmentRules;
import io.github.batchvalidator.audit.Settings;
import io.github.batchvalidator.audit.SliceMerge;
import io.github.batchvalidator.audit.StoredLog;
import io.github.batchvalidator.audit.print.Style;
import io.github.batchvalidator.audit.print.TextReport;
import io.github.batchvalidator.audit.source.SegmentFiles;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.policy.PolicySection;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The screens in {@code docs/check.md} and {@code docs/audit.md} are what the program prints,
 * except for times and rates.
 */
class ScreensTest {
  private static final Path DOCS = Path.of("..", "docs");
  private static final String FENCE = "```";
  private static final String PROMPT = "$ ./check ";
  private static final String DRAWING = "check.svg";
  private static final String SEGMENT = "00000000000000000000.log";

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({"check.md, 2", "audit.md, 1"})
  void screensAreCurrent(String page, int least) throws IOException {
    writeData();
    List<List<String>> screens = screens(DOCS.resolve(page));
    assertTrue(screens.size() >= least, screens::toString);
    for (List<String> screen : screens) {
      String command = screen.get(0);
      assertEquals(String.join("\n", screen.subList(1, screen.size())), output(command), command);
    }
  }

  /** The fresh drawing is in {@code target}, to be looked at and copied. */
  @Test
  void drawingIsCurrent() throws Exception {
    writeSegments();
    List<String> lines = new ArrayList<>(List.of(PROMPT + "data"));
    colored(directory.resolve("data")).lines().map(this::withoutDirectory).forEach(lines::add);
    String drawn = ScreenDrawing.of(lines.get(0), lines);
    Files.writeString(Path.of("target", DRAWING), drawn);
    assertEquals(Files.readString(DOCS.resolve("screens").resolve(DRAWING)), drawn);
  }

  /** Returns the report for a terminal, without the time. */
  private static String colored(Path data) throws InterruptedException {
    StringWriter out = new StringWriter();
    TextReport report =
        new TextReport(new PrintWriter(out), Style.COLOR, TextReport.Detail.NORMAL, "./check");
    SliceMerge merge = new SliceMerge(report, false);
    SegmentFiles files = new SegmentFiles((name, why) -> fail(name + ": " + why), any -> false);
    files.add(data.toString());
    Settings settings = Settings.standard(1, new SegmentRules(null, PolicySection.KAFKA));
    new CheckRun(settings, () -> files.segments().iterator(), merge, bytes -> {}).run();
    merge.end(TimeUnit.SECONDS.toNanos(1), false);
    return out.toString().replaceAll(" in 1.00 s.*", "");
  }

  /** Returns the blocks of a page that start with a prompt. */
  private static List<List<String>> screens(Path page) throws IOException {
    List<List<String>> screens = new ArrayList<>();
    List<String> block = null;
    for (String line : Files.readAllLines(page)) {
      if (!line.startsWith(FENCE)) {
        if (block != null) {
          block.add(line);
        }
      } else if (block == null) {
        block = new ArrayList<>();
      } else {
        if (!block.isEmpty() && block.get(0).startsWith(PROMPT)) {
          screens.add(block.stream().map(ScreensTest::withoutTimes).toList());
        }
        block = null;
      }
    }
    return screens;
  }

  private static boolean isPath(String word) {
    return !word.startsWith("-") && !word.equals("salvage");
  }

  /** Runs a command, whose words without a dash are paths, and which may end with {@code tail}. */
  private String output(String command) {
    String[] parts = command.substring(PROMPT.length()).split(" \\| tail -", -1);
    String[] arguments =
        Stream.of(parts[0].split(" ", -1))
            .map(word -> isPath(word) ? directory.resolve(word).toString() : word)
            .toArray(String[]::new);
    Run run = Run.of(arguments);
    List<String> lines =
        Stream.concat(run.out().lines(), run.err().lines())
            .map(this::withoutDirectory)
            .map(ScreensTest::withoutTimes)
            .toList();
    int last = parts.length > 1 ? Integer.parseInt(parts[1]) : lines.size();
    return String.join("\n", lines.subList(lines.size() - last, lines.size()));
  }

  private String withoutDirectory(String line) {
    return line.replace(directory + "/", "").replace("java -jar check.jar", "./check");
  }

  private static String withoutTimes(String line) {
    return line.replaceAll(" in [0-9.]+ s, [0-9]+ MB/s of records", " in TIME");
  }

  /** A data directory with a damaged partition and a sound one. */
  private void writeData() throws IOException {
    writeSegments();
    writePartitions();
  }

  private void writeSegments() {
    SegmentBytes orders = new SegmentBytes();
    for (int i = 0; i < 4; i++) {
      addBatches(orders, SegmentBytes.resource("sample/json-lz4.log"));
    }
    byte[] torn = Arrays.copyOf(orders.toByteArray(), orders.position(8) - 1000);
    torn[orders.position(3) + 500] ^= 1;
    SegmentBytes.write(directory.resolve("data/orders-0"), SEGMENT, torn);
    byte[] payments = SegmentBytes.resource("sample/txn-lz4.log");
    SegmentBytes.write(directory.resolve("data/payments-0"), SEGMENT, payments);
  }

  /** A damaged copy of a partition, in a directory of a broker. */
  private void writePartitions() throws IOException {
    Path partition = SampleLog.write(directory.resolve("broker-1"));
    Files.createDirectory(directory.resolve("broker-2"));
    StoredLog damaged = new StoredLog(directory.resolve("broker-2/orders-3"));
    StoredLog.copy(partition, damaged.directory());
    damaged.delete(2);
    damaged.edit(damaged.file(0, ".index"), index -> index.putInt(12, 600));
  }

  private static void addBatches(SegmentBytes segment, byte[] batches) {
    int at = 0;
    while (at < batches.length) {
      ByteBuffer rest = ByteBuffer.wrap(batches, at, batches.length - at).slice();
      int size = rest.getInt(BatchLayout.LENGTH_OFFSET) + BatchLayout.LOG_OVERHEAD;
      segment.add(rest.limit(size));
      at += size;
    }
  }
}
