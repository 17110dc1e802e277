// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.cli.Run;
import io.github.batchvalidator.spark.Distributed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A comparison on Spark prints the rows of {@code ./check compare}, in the same order. */
class CompareEqualityIT {
  private static final String DURATION = ",\"seconds\":.*";
  private static final List<String> BROKERS = List.of("a", "b", "c");

  @TempDir private static Path samples;

  private static JavaSparkContext spark = Distributed.local();

  @TempDir private Path data;

  @BeforeAll
  static void writeSample() throws IOException {
    SampleLog.write(samples);
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  /** Writes copies of some partitions to each of three log directories. */
  private void write(int partitions) throws Exception {
    Path sample = samples.resolve("orders-3");
    long end = LogDivergence.last(new StoredLog(sample)) + 1;
    for (String broker : BROKERS) {
      StringBuilder watermarks = new StringBuilder("0\n" + partitions + "\n");
      for (int i = 0; i < partitions; i++) {
        StoredLog.copy(
            sample, Files.createDirectories(data.resolve(broker)).resolve("orders-" + i));
        watermarks.append("orders ").append(i).append(' ').append(end).append('\n');
      }
      Files.writeString(data.resolve(broker).resolve("replication-offset-checkpoint"), watermarks);
    }
  }

  private Object[] brokers() {
    return BROKERS.stream().map(data::resolve).toArray();
  }

  private StoredLog log(String broker, int partition) {
    return new StoredLog(data.resolve(broker).resolve("orders-" + partition));
  }

  /** Returns the rows of the command, without the duration. */
  private static String check(Object... arguments) {
    List<String> words = new ArrayList<>(List.of("compare", "--json"));
    Stream.of(arguments).map(Object::toString).forEach(words::add);
    return rows(Run.of(words.toArray(new String[0])).out().lines().toList());
  }

  private static String rows(List<String> lines) {
    assertTrue(lines.get(lines.size() - 1).contains("\"compareSummary\""), lines::toString);
    return String.join("\n", lines).replaceAll(DURATION, "");
  }

  private static String audit(Object... paths) {
    return rows(new Distributed(spark).compare(paths));
  }

  private static long count(String rows, String type) {
    return rows.lines().filter(row -> row.contains("\"type\":\"" + type + "\"")).count();
  }

  @Test
  void plantedDivergences() throws Exception {
    List<Divergence> all = Stream.concat(BatchDivergence.all(), LogDivergence.all()).toList();
    write(all.size());
    for (int i = 0; i < all.size(); i++) {
      all.get(i).planting().plant(log("b", i));
    }
    String expected = check(brokers());
    assertEquals(all.size(), count(expected, "comparison"));
    assertTrue(count(expected, "difference") >= all.size(), expected);
    assertEquals(expected, audit(brokers()));
  }

  @Test
  void equalCopiesAndOneThatIsMissing() throws Exception {
    write(3);
    StoredLog only = log("a", 1);
    for (String broker : List.of("b", "c")) {
      Files.move(log(broker, 1).directory(), data.resolve("moved-" + broker));
    }
    String expected = check(brokers());
    assertEquals(0, count(expected, "difference"));
    assertTrue(expected.contains("\"partitions\":2,\"differing\":0,\"singles\":1,"), expected);
    assertEquals(expected, audit(brokers()));
    assertEquals(check(only.directory()), audit(only.directory()));
  }

  @Test
  void compactedPartitions() throws Exception {
    CompactedCompareTest.write(data.resolve("a"), false);
    CompactedCompareTest.write(data.resolve("b"), true);
    Object[] copies = {data.resolve("a"), data.resolve("b")};
    String expected = check(copies);
    assertTrue(expected.contains("\"compacted\":true"), expected);
    assertEquals(0, count(expected, "difference"));
    assertEquals(expected, audit(copies));
    StoredLog changed = log("b", 3);
    StoredLog.Batch batch = changed.batches(changed.bases().size() - 1).get(1);
    changed.cut(changed.bases().size() - 1, batch);
    assertEquals(1, count(audit(copies), "difference"));
    assertEquals(check(copies), audit(copies));
  }

  @Test
  void theOptionForCompactedPartitions() throws Exception {
    write(1);
    log("b", 0).cut(0, log("b", 0).batches(0).get(9));
    String expected = check("--compacted", data.resolve("a"), data.resolve("b"));
    assertTrue(expected.contains("\"compacted\":true"), expected);
    assertEquals(
        expected,
        rows(new Distributed(spark).compacted().compare(data.resolve("a"), data.resolve("b"))));
  }

  @Test
  void digestsAndDirectories() throws Exception {
    write(3);
    log("b", 1).cut(0, log("b", 1).batches(0).get(9));
    Path digests = Files.createDirectories(data.resolve("digests"));
    List<Object> files = new ArrayList<>();
    for (String broker : BROKERS) {
      Path file = digests.resolve(broker + ".digest");
      files.add(file);
      Run digest =
          Run.of("digest", data.resolve(broker).toString(), "--range", "32", "--into", "" + file);
      assertEquals(0, digest.exitCode(), digest::err);
    }
    String expected = check(files.toArray());
    assertTrue(expected.contains("COPY_RANGE_DIFFERS"), expected);
    assertEquals(expected, audit(files.toArray()));
    assertEquals(expected, audit(digests));
    assertEquals(expected, audit(digests, files.get(0)));
    Object[] mixed = {files.get(1), data.resolve("a"), files.get(2)};
    assertEquals(check(mixed), audit(mixed));
  }

  @Test
  void whatCannotBeReadIsAnError() throws Exception {
    write(2);
    Path cut = Files.writeString(data.resolve("cut.digest"), "batch-validator digest 1\n");
    Path other = Files.writeString(data.resolve("other.digest"), "batch-validator digest 9\n");
    Path segment = log("c", 0).file(0, ".log");
    Path empty = Files.createDirectories(data.resolve("empty"));
    Path broken = log("b", 1).file(2, ".log");
    Files.delete(broken);
    Files.createSymbolicLink(broken, Path.of("nowhere"));
    Object[] paths = {
      data.resolve("a"), cut, data.resolve("none"), other, empty, data.resolve("b"), segment
    };
    String expected = check(paths);
    assertEquals(6, count(expected, "error"), expected);
    assertEquals(expected, audit(paths));
  }
}
