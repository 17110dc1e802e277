// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.batchvalidator.rule.Codec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CleanSegmentsTest {
  private static final Path SHARED = Path.of("../../shared/segments");

  @TempDir private Path directory;

  @Test
  void sampleWithoutPath() {
    Run run = Run.json("--sample");
    JsonNode summary = run.summary();
    assertAll(
        () -> assertEquals(0, run.exitCode()),
        () -> assertTrue(summary.get("sample").asBoolean()),
        () -> assertEquals(6, summary.get("files").asInt()),
        () -> assertEquals(24, summary.get("batches").asInt()),
        () -> assertEquals(772, summary.get("records").asInt()),
        () -> assertEquals(5, summary.get("controlBatches").asInt()),
        () -> assertEquals(371_531, summary.get("fileBytes").asInt()),
        () -> assertEquals(0, summary.get("faults").asInt()));
    summary.get("codecs").forEach(count -> assertTrue(count.asInt() >= 2));
  }

  @ParameterizedTest
  @CsvSource({
    "txn-lz4.log, 73, 240, 30, lz4, 43",
    "txn-zstd.log, 75, 221, 30, zstd, 45",
  })
  void transactions(
      String name, int batches, int records, int control, String codec, int compressed) {
    byte[] bytes = SegmentBytes.resource("/segments/" + name);
    Run run = Run.json(SegmentBytes.write(directory, name, bytes));
    assertEquals(0, run.exitCode());
    assertEquals(
        List.of(batches, records, control, bytes.length, compressed, control),
        counts(run.summary(), codec));
    assertEquals(counts(run.summary(), codec), counts(run.objects("file").get(0), codec));
  }

  private static List<Integer> counts(JsonNode node, String codec) {
    return List.of(
        node.get("batches").asInt(),
        node.get("records").asInt(),
        node.get("controlBatches").asInt(),
        node.get("fileBytes").asInt(),
        node.get("codecs").get(codec).asInt(),
        node.get("codecs").get("none").asInt());
  }

  @ParameterizedTest
  @CsvSource({
    "json-none.log, 16, 1000",
    "json-gzip.log, 40, 2600",
    "json-snappy.log, 43, 2600",
    "json-lz4.log, 43, 2600",
    "json-zstd.log, 43, 2600",
    "txn-lz4.log, 73, 240",
    "txn-zstd.log, 75, 221",
  })
  void sharedSegments(String name, int batches, int records) {
    Path path = SHARED.resolve(name);
    assumeTrue(Files.exists(path), "the segments are not there");
    Run run = Run.json(path);
    JsonNode file = run.objects("file").get(0);
    assertEquals(0, run.exitCode());
    assertEquals(batches, file.get("batches").asInt());
    assertEquals(records, file.get("records").asInt());
    assertEquals(records - 1, file.get("lastOffset").asInt());
  }

  @Test
  void plainBytesAreThoseOfTheRecords() {
    SegmentBytes segment = new SegmentBytes();
    segment.add(SegmentBytes.batch(Codec.NONE, 7, 1));
    Path path = SegmentBytes.write(directory, "a.log", segment.toByteArray());
    JsonNode summary = Run.json(path).summary();
    assertEquals(segment.toByteArray().length - 61, summary.get("plainBytes").asInt());
    assertEquals(segment.toByteArray().length - 61, summary.get("storedBytes").asInt());
  }

  @Test
  void emptyFileIsClean() {
    Run run = Run.json(SegmentBytes.write(directory, "empty.log", new byte[0]));
    assertEquals(0, run.exitCode());
    assertEquals(1, run.summary().get("files").asInt());
    assertEquals(0, run.summary().get("batches").asInt());
    assertTrue(run.objects("file").get(0).get("firstOffset").isNull());
  }

  /** No index belongs to it, in which the offset after the gap could be. */
  @Test
  void aNamedFileWithAShortNameIsChecked() {
    SegmentBytes segment = SegmentBytes.of(2, 3);
    segment.addAt(10, SegmentBytes.batch(Codec.NONE, 3, 2));
    Run run = Run.json(SegmentBytes.write(directory, "a", segment.toByteArray()));
    assertEquals(0, run.exitCode(), run.err());
    assertEquals(3, run.summary().get("batches").asInt());
  }

  @Test
  void directoriesAreSearchedAndSortedAndFilesCountOnce() {
    byte[] bytes = SegmentBytes.of(2, 3).toByteArray();
    Path deep = SegmentBytes.write(directory.resolve("b/c"), "0.log", bytes);
    Path second = SegmentBytes.write(directory.resolve("a"), "2.log", bytes);
    Path first = SegmentBytes.write(directory.resolve("a"), "1.log", bytes);
    SegmentBytes.write(directory, "ignored.index", new byte[100]);
    Path named = SegmentBytes.write(directory, "named.log.deleted", bytes);
    Run run = Run.json(directory, first, named, "--threads", 3);
    assertEquals(0, run.exitCode(), run.err());
    List<String> names =
        run.objects("file").stream().map(node -> node.get("file").asText()).toList();
    assertEquals(Stream.of(first, second, deep, named).map(Path::toString).toList(), names);
    assertEquals(4, run.summary().get("files").asInt());
  }

  @Test
  void linkedDirectoriesAreSearched() throws IOException {
    SegmentBytes.write(directory.resolve("real"), "1.log", SegmentBytes.of(1, 1).toByteArray());
    Files.createSymbolicLink(directory.resolve("real/loop"), directory.resolve("real"));
    Path link = Files.createSymbolicLink(directory.resolve("link"), directory.resolve("real"));
    Run run = Run.json(link);
    assertEquals(0, run.exitCode(), run.err());
    assertEquals(1, run.summary().get("files").asInt());
  }

  @Test
  void filesCountOnceWhateverLinksLeadToThemNamedOnesLast() throws IOException {
    byte[] bytes = SegmentBytes.of(1, 1).toByteArray();
    Path near = SegmentBytes.write(directory, "0.log", bytes);
    SegmentBytes.write(directory.resolve("far/below"), "1.log", bytes);
    SegmentBytes.write(directory.resolve("far"), "0.log", bytes);
    Path link = Files.createSymbolicLink(directory.resolve("a"), directory.resolve("far/below"));
    Files.createSymbolicLink(directory.resolve("b"), directory.resolve("far/below"));
    Path far = link.resolve("../0.log");
    Run run = Run.json(far, near, link, directory.resolve("b/1.log"));
    assertEquals(0, run.exitCode(), run.err());
    List<String> names =
        run.objects("file").stream().map(node -> node.get("file").asText()).toList();
    assertEquals(Stream.of(link.resolve("1.log"), far, near).map(Path::toString).toList(), names);
  }

  @Test
  void nothingIsWritten() throws IOException {
    byte[] bytes = SegmentBytes.of(3, 3).toByteArray();
    bytes[bytes.length / 2] ^= 1;
    Path path = SegmentBytes.write(directory, "00000000000000000000.log", bytes);
    Object before = Files.getLastModifiedTime(path);
    assertEquals(1, Run.of(path.toString()).exitCode());
    assertTrue(Arrays.equals(bytes, Files.readAllBytes(path)));
    assertEquals(before, Files.getLastModifiedTime(path));
    try (Stream<Path> files = Files.list(directory)) {
      assertEquals(List.of(path), files.toList());
    }
  }

  @Test
  void peopleGetTheVerdictFirst() {
    Path path = SegmentBytes.write(directory, "x.log", SegmentBytes.of(5, 2).toByteArray());
    List<String> lines = Run.of(path.toString()).out().lines().toList();
    assertEquals("ok: 1 file, 5 batches, 10 records", lines.get(0));
    String codecs = (lines.get(2) + lines.get(3)).replaceAll(" +", " ");
    assertTrue(codecs.endsWith("; batches: none 1, gzip 1, snappy 1, lz4 1, zstd 1"), codecs);
    List<String> verbose = Run.of("-v", path.toString()).out().lines().toList();
    assertEquals(path + ": ok", verbose.get(2));
    assertEquals("  offsets 0 to 9, 5 batches, 10 records", verbose.get(3));
    assertEquals("", Run.of("-q", path.toString()).out());
  }
}
