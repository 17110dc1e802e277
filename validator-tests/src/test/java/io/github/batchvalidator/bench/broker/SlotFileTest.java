// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.bench.broker.Measured.Maximum;
import io.github.batchvalidator.bench.broker.Measured.Range;
import io.github.batchvalidator.bench.report.LiveFigure;
import io.github.batchvalidator.testkit.broker.BrokerBuild;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlotFileTest {
  @TempDir private Path folder;

  private Options options(String line) {
    List<String> words = new ArrayList<>(List.of(line.split(" ", -1)));
    words.addAll(List.of("--scenarios", "rates", "--out", folder.toString()));
    return Options.parse(words);
  }

  private static SlotFile open(Options options, String commit) throws IOException {
    return SlotFile.open(options, new Processors(List.of(0, 1)), commit);
  }

  private static Map<BrokerBuild, SlotFigures> slots(double cpu, long latencyMs) {
    Histogram latencies = Latencies.empty();
    latencies.recordValue(latencyMs * 1_000_000);
    Map<LiveFigure, Double> figures =
        Map.of(LiveFigure.CPU, cpu, LiveFigure.P99, (double) latencyMs);
    return Map.of(BrokerBuild.KAFKA, new SlotFigures(figures, latencies));
  }

  @Test
  void aResumedRunHasWhatWasMeasured() throws Exception {
    Options options = options("--codecs gzip");
    Cell first = options.cells().get(0);
    Cell second = options.cells().get(1);
    SlotFile before = open(options, "one");
    Maximum maximum = new Maximum(70_000, 90, 20);
    before.add(first.maximum(), maximum);
    before.add(0, first, slots(2, 5));
    before.add(1, first, slots(4, 9));
    SlotFile after = open(options("--codecs gzip --resume"), "two");
    assertTrue(after.has(0, first));
    assertTrue(after.has(1, first));
    assertFalse(after.has(0, second));
    assertFalse(after.has(2, first));
    assertEquals(2, after.rounds());
    assertEquals("one, two", after.commits());
    assertEquals(Map.of(first.maximum(), maximum), after.measured().maxima());
    Measured measured = after.measured();
    assertEquals(
        new Range(3, 2, 4, 2),
        measured.values(first, BrokerBuild.KAFKA, LiveFigure.CPU).orElseThrow());
    Range p99 = measured.values(first, BrokerBuild.KAFKA, LiveFigure.P99).orElseThrow();
    assertEquals(9, p99.median(), 0.01); // of both slots together
    assertEquals(5, p99.least());
    after.add(0, second, slots(1, 1));
    assertTrue(open(options("--codecs gzip --resume"), "two").has(0, second));
  }

  @Test
  void aNewRunStartsAnew() throws Exception {
    Options options = options("--codecs gzip");
    open(options, "one").add(0, options.cells().get(0), slots(2, 5));
    assertFalse(open(options, "two").has(0, options.cells().get(0)));
    assertFalse(open(options("--codecs gzip --resume"), "two").has(0, options.cells().get(0)));
  }

  @Test
  void slotsOfAnotherLengthAreNotMixed() throws Exception {
    open(options("--seconds 4"), "one");
    Options longer = options("--seconds 5 --resume");
    Exception refused = assertThrows(IllegalArgumentException.class, () -> open(longer, "one"));
    assertTrue(String.valueOf(refused.getMessage()).contains("slots of 4 s"), refused::getMessage);
  }

  private Path file() {
    return folder.resolve(options("--resume").fileName() + ".jsonl");
  }

  @Test
  void slotsOfAnotherVirtualMachineAreNotMixed() throws Exception {
    open(options("--seconds 4"), "one");
    String version = System.getProperty("java.vm.version");
    String text = Files.readString(file());
    assertTrue(text.contains("JDK " + version + ","), text);
    Files.writeString(file(), text.replace(version, "17-other"));
    Options resumed = options("--seconds 4 --resume");
    Exception refused = assertThrows(IllegalArgumentException.class, () -> open(resumed, "one"));
    assertTrue(String.valueOf(refused.getMessage()).contains("17-other"), refused::getMessage);
  }

  @Test
  void slotsOfOtherProcessorsAreNotMixed() throws Exception {
    open(options("--seconds 4"), "one");
    Options resumed = options("--seconds 4 --resume");
    Processors four = new Processors(List.of(0, 1, 2, 3));
    Exception refused =
        assertThrows(IllegalArgumentException.class, () -> SlotFile.open(resumed, four, "one"));
    assertTrue(
        String.valueOf(refused.getMessage()).contains("brokers on 0, producers on 1"),
        refused::getMessage);
  }

  @Test
  void aTornLastLineIsMeasuredAgain() throws Exception {
    Options options = options("--codecs gzip");
    Cell first = options.cells().get(0);
    Cell second = options.cells().get(1);
    SlotFile before = open(options, "one");
    before.add(0, first, slots(2, 5));
    long whole = Files.size(file());
    before.add(0, second, slots(2, 5));
    try (FileChannel channel = FileChannel.open(file(), StandardOpenOption.WRITE)) {
      channel.truncate(whole + 20);
    }
    SlotFile after = open(options("--codecs gzip --resume"), "two");
    assertTrue(after.has(0, first));
    assertFalse(after.has(0, second));
    after.add(0, second, slots(2, 5));
    assertTrue(open(options("--codecs gzip --resume"), "three").has(0, second));
  }

  @Test
  void cellsThatAreNotAskedForAreLeftOut() throws Exception {
    Options both = options("--codecs gzip,lz4");
    Cell gzip = both.cells().get(0);
    open(both, "one").add(0, gzip, slots(2, 5));
    SlotFile after = open(options("--codecs lz4 --resume"), "one");
    assertFalse(after.has(0, gzip));
    assertTrue(after.measured().cells().isEmpty());
  }
}
