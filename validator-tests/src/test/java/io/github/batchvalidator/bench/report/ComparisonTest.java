// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.bench.report.Comparison.Change;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ComparisonTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    // later time, half of its interval, what is said of it; the earlier one is 1000 and 10
    "1000,  10, NOISE",
    "1200,  10, SLOWER",
    "1049,  10, NOISE", // beyond its interval, but below 5 %
    "1060,  10, SLOWER",
    "1200, 250, NOISE", // the interval reaches down to 1
    "1200, NaN, NOISE",
    "  960, 10, NOISE",
    "  800, 10, FASTER",
    "  800, 300, NOISE",
  })
  void changesBeyondNoiseAreNamed(double time, double half, Change change) throws Exception {
    Comparison comparison =
        new Comparison(
            rows("a", new JmhFile().add("In.place", "codec=lz4", "ns/op", 10, 1000)),
            rows("b", new JmhFile().add("In.place", "codec=lz4", "ns/op", half, time)));
    assertEquals(
        List.of(change), comparison.lines().stream().map(Comparison.Line::change).toList());
    assertEquals(time / 1000, comparison.lines().get(0).ratio(), 1e-9);
  }

  /**
   * If the earlier time was up to 40 % longer than measured, the new one is 7 % more: 1.5 / 1.4.
   */
  @Test
  void anIntervalOfTheEarlierFileReachesAsFarAsAQuotientOfItsEnds() throws Exception {
    Comparison comparison =
        new Comparison(
            rows("a", new JmhFile().add("In.place", "", "ns/op", 400, 1000)),
            rows("b", new JmhFile().add("In.place", "", "ns/op", 0, 1500)));
    Comparison.Line line = comparison.lines().get(0);
    assertEquals(1500 / 1400.0, line.low(), 1e-6);
    assertEquals(1500 / 600.0, line.high(), 1e-6);
    assertEquals(Change.SLOWER, line.change());
  }

  @Test
  void fewerOperationsPerSecondAreSlower() throws Exception {
    Comparison comparison =
        new Comparison(
            rows("a", new JmhFile().add("Hot.append", "", "ops/s", 10, 1000)),
            rows("b", new JmhFile().add("Hot.append", "", "ops/s", 10, 500)));
    assertEquals(1, comparison.count(Change.SLOWER));
    assertEquals(2.0, comparison.lines().get(0).ratio(), 1e-9);
  }

  /** JMH's own rate adds those of threads that waited for each other. */
  @Test
  void threadsAreComparedByWhatTheyGetDoneByTheClock() throws Exception {
    Comparison comparison =
        new Comparison(
            rows("a", new JmhFile().addHot("Hot.append", "", 1, 900, 1000)),
            rows("b", new JmhFile().addHot("Hot.append", "", 1, 2700, 500)));
    assertEquals(2.0, comparison.lines().get(0).ratio(), 1e-9);
    assertEquals(1, comparison.count(Change.SLOWER));
  }

  /** The machine slowed down during the second measurement, which changes a mean, not a median. */
  @Test
  void intervalsAreThoseOfMedians() throws Exception {
    double[] slow = {1300, 1300, 1000, 1300, 1000, 1300, 1000, 1000, 1300, 1300, 1300, 1300};
    Comparison comparison =
        new Comparison(
            rows("a", new JmhFile().add("In.place", "", 1000)),
            rows("b", new JmhFile().add("In.place", "", slow)));
    assertEquals(1.3, comparison.lines().get(0).ratio(), 1e-9);
    assertEquals(1, comparison.lines().get(0).low(), 0.01);
    assertEquals(1.3, comparison.lines().get(0).high(), 0.02);
    assertEquals(0, comparison.count(Change.SLOWER));
  }

  @Test
  void rowsOfOneFileOnlyAreNamed() throws Exception {
    JmhFile earlier =
        new JmhFile().add("In.place", "codec=lz4", 1000).add("In.place", "codec=zstd", 1000);
    JmhFile later =
        new JmhFile().add("In.place", "codec=gzip", 1000).add("In.place", "codec=zstd", 1000);
    Comparison comparison = new Comparison(rows("a", earlier), rows("b", later));
    assertEquals(1, comparison.lines().size());
    assertTrue(comparison.text().contains("only in the earlier file: In.place codec=lz4"));
    assertTrue(comparison.text().contains("only in the later file: In.place codec=gzip"));
  }

  @Test
  void manyRowsOfOneFileOnlyAreCounted() throws Exception {
    JmhFile earlier = new JmhFile().add("In.place", "codec=zstd", 1000);
    for (int i = 0; i < 6; i++) {
      earlier.add("In.place", "records=" + i, 1000);
    }
    JmhFile later = new JmhFile().add("In.place", "codec=zstd", 1000);
    Comparison comparison = new Comparison(rows("a", earlier), rows("b", later));
    assertTrue(comparison.text().contains("only in the earlier file: 6 rows"));
    assertFalse(comparison.text().contains("records=1"));
  }

  @Test
  void differentUnitsAreNotCompared() throws Exception {
    List<Row> times = rows("a", new JmhFile().add("In.place", "", "ns/op", 1, 10));
    List<Row> others = rows("b", new JmhFile().add("In.place", "", "us/op", 1, 10));
    assertThrows(IllegalArgumentException.class, () -> new Comparison(times, others));
  }

  @Test
  void commandEndsWithOneIfARowGotSlower() throws Exception {
    Path fast = new JmhFile().add("In.place", "", 1000).write(folder.resolve("fast.json"));
    Path slow = new JmhFile().add("In.place", "", 2000).write(folder.resolve("slow.json"));
    Path other = new JmhFile().add("Of.another", "", 2000).write(folder.resolve("other.json"));
    assertEquals(1, run("compare", fast.toString(), slow.toString()));
    assertTrue(out.toString(UTF_8).contains("1 rows: 1 slower, 0 faster"), out.toString(UTF_8));
    assertTrue(out.toString(UTF_8).contains("2.000 [1.978, 2.023] slower In.place"));
    assertTrue(out.toString(UTF_8).contains("threads=1, 2000 -> 2000 B/op"), out.toString(UTF_8));
    assertEquals(0, run("compare", slow.toString(), fast.toString()));
    assertEquals(0, run("compare", slow.toString(), slow.toString()));
    assertEquals(2, run("compare", slow.toString(), other.toString()));
    assertEquals(2, run("compare", slow.toString(), folder.resolve("none.json").toString()));
    assertEquals(2, run("contrast"));
  }

  private int run(String... args) {
    PrintStream stream = new PrintStream(out, true, UTF_8);
    return ReportCommand.run(stream, stream, args);
  }

  private List<Row> rows(String name, JmhFile file) throws IOException {
    return Row.read(file.write(folder.resolve(name)));
  }
}
