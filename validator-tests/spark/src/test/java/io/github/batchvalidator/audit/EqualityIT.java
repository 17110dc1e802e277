// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.audit.TieredCopy.Aiven;
import io.github.batchvalidator.cli.Run;
import io.github.batchvalidator.cli.SearchTest;
import io.github.batchvalidator.spark.Distributed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * An audit on Spark prints the rows of {@code ./check}, in the same order. The segments of a
 * partition are the work of several tasks.
 */
class EqualityIT {
  private static final String DURATION = ",\"seconds\":.*";

  @TempDir private static Path data;

  private static JavaSparkContext spark = Distributed.local();
  private static Path planted = Path.of("none");
  private static Path random = Path.of("none");

  @BeforeAll
  static void write() throws Exception {
    Path sample = SampleLog.write(data.resolve("sample"));
    planted = data.resolve("planted");
    int kinds = 0;
    for (Planted damage : (Iterable<Planted>) DamageTest.all()::iterator) {
      Path copy = Files.createDirectories(planted.resolve("" + kinds++)).resolve("orders-3");
      StoredLog.copy(sample, copy);
      damage.planting().plant(new StoredLog(copy));
    }
    random = data.resolve("random");
    RandomDamage.write(sample, random);
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  /** Returns the rows of the command, without the duration. */
  private static List<String> check(Object... arguments) {
    List<String> words = new ArrayList<>(List.of("--json"));
    Stream.of(arguments).map(Object::toString).forEach(words::add);
    return rows(Run.of(words.toArray(new String[0])).out().lines());
  }

  private static List<String> rows(Stream<String> lines) {
    List<String> rows = lines.map(line -> line.replaceAll(DURATION, "")).toList();
    assertTrue(rows.get(rows.size() - 1).contains("\"type\":\"summary\""), rows::toString);
    return rows;
  }

  private static void assertSame(List<String> expected, List<String> found) {
    assertEquals(String.join("\n", expected), String.join("\n", rows(found.stream())));
  }

  private static Distributed audit(long taskBytes, int merges) {
    return new Distributed(spark).split(taskBytes, merges);
  }

  @ParameterizedTest
  @CsvSource({"9000, 3", "1000000, 100"})
  void plantedDamage(long taskBytes, int merges) {
    List<String> expected = check(planted);
    assertTrue(expected.size() > 60 * SampleLog.SEGMENTS, () -> expected.size() + " rows");
    assertSame(expected, audit(taskBytes, merges).lines(planted));
  }

  @Test
  void randomDamage() {
    assertSame(check(random), audit(9000, 5).lines(random));
  }

  @Test
  void compactedPartitions() throws Exception {
    Path compacted = data.resolve("compacted");
    CompactedLogTest.write(compacted);
    assertSame(check(compacted), audit(400, 2).lines(compacted));
    assertSame(check("--compacted", planted), audit(2500, 4).compacted().lines(planted));
  }

  /** One segment per codec, and one with transactions. */
  @Test
  void segmentsOfABroker() {
    Path sample =
        Path.of("../../validator-cli/src/main/resources/io/github/batchvalidator/cli/sample")
            .toAbsolutePath()
            .normalize();
    assertSame(check(sample), audit(5000, 3).lines(sample));
  }

  @Test
  void strictLevel() {
    assertSame(check("--level", "strict", random), audit(1500, 3).strict().lines(random));
  }

  @Test
  void tieredStorages() throws Exception {
    Path partition = SampleLog.write(data.resolve("broker"));
    Path store = data.resolve("tiered");
    TieredCopy.kafka(partition, store.resolve("a")).truncate(1, "log", 40);
    TieredCopy.kafka(partition, store.resolve("b")).delete(2);
    TieredCopy.aiven(partition, store.resolve("c"), new Aiven("p/", 1500, true));
    TieredCopy plain = TieredCopy.aiven(partition, store.resolve("d"), new Aiven("", 1500, false));
    plain.duplicate(1);
    Files.delete(plain.file(2, "indexes"));
    Files.delete(plain.file(3, "indexes"));
    Files.delete(plain.file(3, "rsm-manifest"));
    Files.writeString(plain.directory().resolve("stray"), "no object of a segment");
    List<String> expected = check("--tiered", store, data.resolve("broker"));
    assertTrue(expected.toString().contains("TIERED_OBJECT_MISSING"), expected::toString);
    assertTrue(expected.toString().contains("TIERED_OBJECT_ORPHAN"), expected::toString);
    Distributed audit = audit(700, 3).tiered(store.toString());
    assertSame(expected, audit.lines(data.resolve("broker")));
    assertSame(check(store), audit(300, 2).lines(store));
    assertSame(
        check("--tiered", store, "--tiered", store),
        audit(700, 3).tiered(store.toString()).tiered(store.toString()).lines());
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void tieredDirectoriesThatCannotBeListed() throws Exception {
    Path store = data.resolve("unlisted");
    TieredCopy.kafka(data.resolve("sample/orders-3"), store);
    List<List<String>> rows =
        TieredListTest.withTwoUnlisted(
            store,
            () ->
                List.of(check("--tiered", store), audit(900, 3).tiered(store.toString()).lines()));
    List<String> expected = rows.get(0);
    assertEquals(2, expected.stream().filter(each -> each.contains("\"error\"")).count());
    assertSame(expected, rows.get(1));
  }

  @Test
  void namedFilesAndMistakes() throws Exception {
    Path lone = Files.createDirectories(data.resolve("lone/orders-1"));
    StoredLog sample = new StoredLog(data.resolve("sample/orders-3"));
    Files.copy(sample.file(0, ".log"), lone.resolve("00000000000000000000.log"));
    Files.copy(sample.file(1, ".log"), lone.resolve("copy.log"));
    Files.createDirectories(lone.resolve("0"));
    Files.copy(sample.file(2, ".log"), lone.resolve("0/copy.log"));
    Path empty = Files.createDirectories(data.resolve("empty"));
    Path none = data.resolve("none");
    Path file = sample.file(1, ".log");
    assertSame(
        check(file, none, empty, lone, file), audit(500, 2).lines(file, none, empty, lone, file));
    assertSame(check(empty), audit(500, 2).lines(empty));
    Path partition = sample.directory();
    Path copy = lone.resolve("copy.log");
    assertSame(check(file, copy, partition), audit(500, 2).lines(file, copy, partition));
    assertSame(check(partition, copy, file), audit(500, 2).lines(partition, copy, file));
  }

  @Test
  void namesWithColons() throws Exception {
    Path top = data.resolve("colons");
    Path colons = Files.createDirectories(top.resolve("a:b")).resolve("c:d.log");
    Files.copy(new StoredLog(data.resolve("sample/orders-3")).file(2, ".log"), colons);
    List<String> expected = check(top);
    assertTrue(expected.toString().contains("a:b/c:d.log"), expected::toString);
    assertSame(expected, audit(500, 2).lines(top));
    assertSame(check(colons), audit(500, 2).lines(colons));
  }

  @Test
  @Timeout(120)
  void linksAndSpecialFiles() throws Exception {
    Path top = Files.createDirectories(data.resolve("links"));
    Path partition = SampleLog.write(top);
    SearchTest.loops(top, Files.readAllBytes(new StoredLog(partition).file(0, ".log")));
    SearchTest.fifo(partition.resolve("00000000000000000999.log"));
    SearchTest.fifo(partition.resolve("00000000000000000999.txnindex"));
    Files.createSymbolicLink(partition.resolve("00000000000000000998.log"), Path.of("nowhere"));
    Files.move(partition, top.resolve("orders-4"));
    Files.createSymbolicLink(partition, Path.of("orders-4"));
    List<String> expected = check(top);
    assertEquals(3, expected.stream().filter(each -> each.contains("\"error\"")).count());
    assertSame(expected, audit(900, 3).lines(top));
    Path fifo = top.resolve("orders-4/00000000000000000999.log");
    assertSame(check(fifo), audit(900, 3).lines(fifo));
  }

  @Test
  void filesWhoseStatusCannotBeRead() throws Exception {
    Path top = Files.createDirectories(data.resolve("unread"));
    StoredLog log = new StoredLog(SampleLog.write(top));
    List<Path> files =
        List.of(
            log.file(1, ".txnindex"),
            log.file(1, ".snapshot"),
            top.resolve("replication-offset-checkpoint"));
    for (Path each : files) {
      Files.deleteIfExists(each);
      Files.createSymbolicLink(each, each);
    }
    List<String> expected = check(top);
    assertEquals(3, expected.stream().filter(each -> each.contains("\"error\"")).count());
    assertSame(expected, audit(900, 3).lines(top));
    Path loop = data.resolve("loop.log");
    Files.createSymbolicLink(loop, loop);
    assertSame(check(loop), audit(900, 3).lines(loop));
  }

  /** A broker appends, rolls and deletes after the segments are listed. */
  @Test
  void aLiveDirectoryHasNoFaults() throws Exception {
    Path live = Files.createDirectories(data.resolve("live"));
    try (KafkaLog log = KafkaLog.open(live.resolve("orders-3"))) {
      for (int i = 0; i < 4; i++) {
        log.plain(9).transactional(1, 3).abort(1).roll();
      }
      log.plain(3).transactional(1, 3);
      StoredLog stored = new StoredLog(live.resolve("orders-3"));
      List<String> rows =
          audit(400, 2)
              .meanwhile(
                  () -> {
                    try {
                      stored.delete(0);
                      log.abort(1).nextLeader();
                      for (int i = 0; i < 20; i++) {
                        log.plain(9).transactional(1, 3).abort(1);
                      }
                      log.roll().plain(2);
                    } catch (IOException e) {
                      throw new UncheckedIOException(e);
                    }
                  })
              .lines(live);
      assertTrue(rows.get(rows.size() - 1).contains("\"faults\":0,"), rows::toString);
      assertTrue(
          rows.get(rows.size() - 1).contains("\"errors\":0,\"vanished\":1,"), rows::toString);
    }
  }

  @Test
  void profilesOfRecords() {
    String text = Run.of("profile", "--threads", "1", random.toString()).out();
    String expected = text.substring(text.indexOf("\ntopic orders: ") + 1);
    assertEquals(expected, audit(900, 3).profile(random));
  }

  /** Two segments do not state their topic, which the prefix of the store would hide. */
  @Test
  void profilesOfTieredSegments() throws Exception {
    Path store = data.resolve("prefixed");
    TieredCopy copy =
        TieredCopy.aiven(data.resolve("sample/orders-3"), store, new Aiven("prod-", 1500, true));
    Files.delete(copy.file(0, "rsm-manifest"));
    copy.manifest(2, manifest -> manifest.remove("remoteLogSegmentMetadata"));
    String text = Run.of("profile", "--threads", "1", store.toString()).out();
    String expected = text.substring(text.indexOf("\ntopic orders: ") + 1);
    assertEquals(expected, audit(900, 3).profile(store));
  }
}
