// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.internal.format.BatchLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The screens in {@code docs/segments.md} are what the program prints, except for times and rates.
 */
class ScreensTest {
  private static final Path PAGE = Path.of("..", "docs", "segments.md");
  private static final String FENCE = "```";
  private static final String PROMPT = "$ ./check ";
  private static final String SEGMENT = "00000000000000000000.log";

  @TempDir private Path directory;

  @Test
  void screensAreCurrent() throws IOException {
    writeData();
    List<List<String>> screens = screens();
    assertTrue(screens.size() >= 5, screens::toString);
    for (List<String> screen : screens) {
      String command = screen.get(0);
      assertEquals(String.join("\n", screen.subList(1, screen.size())), output(command), command);
    }
  }

  /** Returns the blocks of the page that start with a prompt. */
  private static List<List<String>> screens() throws IOException {
    List<List<String>> screens = new ArrayList<>();
    List<String> block = null;
    for (String line : Files.readAllLines(PAGE)) {
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

  /** Runs a command, whose words without a dash are paths, and which may end with {@code head}. */
  private String output(String command) {
    String[] parts = command.substring(PROMPT.length()).split(" \\| head -", -1);
    String[] arguments =
        Stream.of(parts[0].split(" ", -1))
            .map(word -> word.startsWith("-") ? word : directory.resolve(word).toString())
            .toArray(String[]::new);
    Run run = Run.of(arguments);
    long limit = parts.length > 1 ? Long.parseLong(parts[1]) : Long.MAX_VALUE;
    List<String> lines =
        Stream.concat(run.out().lines(), run.err().lines())
            .map(
                line -> line.replace(directory + "/", "").replace("java -jar check.jar", "./check"))
            .map(ScreensTest::withoutTimes)
            .limit(limit)
            .toList();
    return String.join("\n", lines);
  }

  private static String withoutTimes(String line) {
    return line.replaceAll(" in [0-9.]+ s, [0-9]+ MB/s of records", " in TIME");
  }

  /** A data directory with a damaged partition and a sound one, and a file that is no segment. */
  private void writeData() {
    SegmentBytes orders = new SegmentBytes();
    for (int i = 0; i < 4; i++) {
      addBatches(orders, SegmentBytes.resource("sample/json-lz4.log"));
    }
    byte[] torn = Arrays.copyOf(orders.toByteArray(), orders.position(8) - 1000);
    torn[orders.position(3) + 500] ^= 1;
    SegmentBytes.write(directory.resolve("data/orders-0"), SEGMENT, torn);
    byte[] payments = SegmentBytes.resource("sample/txn-lz4.log");
    SegmentBytes.write(directory.resolve("data/payments-0"), SEGMENT, payments);
    byte[] text = "2026-11-20 20:46:26 INFO Loading logs\n".getBytes(UTF_8);
    SegmentBytes.write(directory, "server.log", text);
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
