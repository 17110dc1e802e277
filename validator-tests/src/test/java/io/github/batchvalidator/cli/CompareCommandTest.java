// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.batchvalidator.testing.LegacyMessage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command that compares copies of partitions. */
class CompareCommandTest {
  private static final String SEGMENT = "00000000000000000000.log";

  @TempDir private Path data;

  private Path one;
  private Path other;

  @BeforeEach
  void write() throws IOException {
    one = write("one", SegmentBytes.of(3, 2).toByteArray());
    other = write("other", SegmentBytes.of(3, 2).toByteArray());
  }

  private Path write(String broker, byte... bytes) throws IOException {
    Path directory = data.resolve(broker);
    SegmentBytes.write(directory.resolve("orders-0"), SEGMENT, bytes);
    Files.writeString(directory.resolve("replication-offset-checkpoint"), "0\n1\norders 0 6\n");
    return directory;
  }

  /** Damages the second of three batches. */
  private void damage() {
    SegmentBytes segment = SegmentBytes.of(3, 2);
    byte[] bytes = segment.toByteArray();
    bytes[segment.position(2) - 1] ^= 1;
    SegmentBytes.write(other.resolve("orders-0"), SEGMENT, bytes);
  }

  private Run compare(Object... arguments) {
    String[] words = new String[arguments.length + 1];
    words[0] = "compare";
    for (int i = 0; i < arguments.length; i++) {
      words[i + 1] = arguments[i].toString();
    }
    return Run.of(words);
  }

  @Test
  void equalCopiesExitWith0() {
    Run run = compare(one, other);
    assertEquals(0, run.exitCode(), run::err);
    assertTrue(run.out().startsWith("equal: 1 partition\n"), run::out);
    assertEquals("", run.err());
  }

  @Test
  void aDamagedCopyIsNamedWithItsFault() {
    damage();
    Run run = compare(one.resolve("orders-0"), other.resolve("orders-0"));
    assertEquals(1, run.exitCode());
    assertTrue(run.out().startsWith("1 difference in 1 of 1 partition\n"), run::out);
    assertTrue(run.out().contains("DIFFERENCE COPY_DAMAGED\n    offsets 2 to 3: "), run::out);
    assertTrue(run.out().contains("BATCH_CRC_MISMATCH"), run::out);
    assertTrue(run.out().contains("--explain COPY_DAMAGED\n"), run::out);
    run.out().lines().forEach(line -> assertTrue(isShort(line), line));
  }

  /** Paths may not fit. */
  private static boolean isShort(String line) {
    return line.length() <= 80 || line.contains("/orders-0");
  }

  @Test
  void jsonNamesWhatEachCopyHas() {
    damage();
    Run run = Run.json("compare", one, other);
    assertEquals(1, run.exitCode());
    JsonNode difference = run.objects("difference").get(0);
    assertEquals("COPY_DAMAGED", difference.get("reason").asText());
    assertEquals(2, difference.get("firstOffset").asLong());
    assertEquals(3, difference.get("lastOffset").asLong());
    assertEquals("sound", difference.get("parts").get(0).get("state").asText());
    assertEquals("damaged", difference.get("parts").get(1).get("state").asText());
    assertEquals("BATCH_CRC_MISMATCH", difference.get("parts").get(1).get("fault").asText());
    assertEquals(6, run.objects("comparison").get(0).get("endOffset").asLong());
    assertEquals(1, run.objects("compareSummary").get(0).get("differing").asLong());
  }

  @Test
  void quietPrintsNothingOfEqualCopies() {
    assertEquals("", compare("-q", one, other).out());
  }

  @Test
  void verboseNamesTheBounds() {
    String out = compare("-v", one, other).out();
    assertTrue(out.contains("  offsets 0 to 5 of 2 copies\n    from the log start of "), out);
    assertTrue(out.contains("    to the high watermark of "), out);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void recordsOfOldMagicAreNotComparedInCompactedPartitions(int magic) throws IOException {
    for (String broker : List.of("one", "other")) {
      byte[] value = broker.getBytes(StandardCharsets.UTF_8);
      Path directory = write(broker, LegacyMessage.of(magic).value(value).toBytes());
      Files.delete(directory.resolve("replication-offset-checkpoint"));
    }
    assertEquals(1, compare(one, other).exitCode());
    Run run = compare("--compacted", one, other);
    assertEquals(0, run.exitCode(), run::out);
    String text = run.out().replaceAll("\\s+", " ");
    String why = "1 batch not compared: the bytes differ, and only records of magic 2 are compared";
    assertTrue(text.contains(why), run::out);
  }

  @Test
  void aPartitionWithoutASecondCopyIsNoAnswer() {
    Run run = compare(one);
    assertEquals(3, run.exitCode());
    assertTrue(run.err().contains("only one copy of each partition was found"), run::err);
  }

  @Test
  void aDigestIsNoSecondCopyOfItself() throws IOException {
    assertEquals(0, digest(one, "one.digest").exitCode());
    Path digest = data.resolve("one.digest");
    Path link = Files.createSymbolicLink(data.resolve("link.digest"), digest);
    for (Path same : List.of(digest, link)) {
      Run run = compare(digest, same);
      assertEquals(3, run.exitCode(), run::out);
      assertTrue(run.err().contains("only one copy of each partition was found"), run::err);
    }
  }

  /** No copy says where the compared offsets end. */
  @Test
  void copiesThatEndInDamageHaveNoLastOffset() throws IOException {
    for (String broker : List.of("one", "other")) {
      Path directory = write(broker, "no segment".repeat(30).getBytes(StandardCharsets.UTF_8));
      Files.delete(directory.resolve("replication-offset-checkpoint"));
    }
    Run run = compare(one, other);
    assertEquals(1, run.exitCode(), run::err);
    String text = run.out().replaceAll("\\s+", " ");
    assertTrue(text.contains(" offsets from 0 of 2 copies "), run::out);
    assertTrue(text.contains(" to an unknown end: all copies end in damage "), run::out);
    assertTrue(text.contains(" COPY_DAMAGED offset 0: damaged in 1 of 2 copies "), run::out);
    Run json = Run.json("compare", one, other);
    for (JsonNode difference : json.objects("difference")) {
      assertEquals(0, difference.get("firstOffset").asLong());
      assertEquals(0, difference.get("lastOffset").asLong());
    }
    assertTrue(json.objects("comparison").get(0).get("endOffset").isNull(), json::out);
  }

  @Test
  void aMissingDirectoryIsAnError() {
    Run run = compare(one, other, data.resolve("third"));
    assertEquals(3, run.exitCode());
    assertTrue(run.err().contains("third: no such file or directory"), run::err);
    assertTrue(run.out().startsWith("equal: 1 partition, 1 file not read to the end"), run::out);
  }

  @Test
  void filesAreNoCopies() {
    Run run = compare(one.resolve("orders-0").resolve(SEGMENT), other);
    assertEquals(3, run.exitCode());
    assertTrue(run.err().contains("not a directory"), run::err);
  }

  @Test
  void wrongUsageExitsWith2() {
    assertEquals(2, compare().exitCode());
    assertEquals(2, compare("-q", "-v", one, other).exitCode());
    assertEquals(2, compare("--threads", "0", one, other).exitCode());
  }

  @Test
  void theReasonsAreExplained() {
    String page = Run.of("--explain", "copy_diverged").out();
    assertTrue(page.contains("unclean leader election"), page);
    assertTrue(page.contains("what to do: "), page);
  }

  private Run digest(Path directory, String file, String... options) {
    List<String> words = new ArrayList<>(List.of("digest", directory.toString()));
    words.addAll(List.of("--into", data.resolve(file).toString()));
    words.addAll(List.of(options));
    return Run.of(words.toArray(String[]::new));
  }

  @Test
  void digestsAreComparedWithEachOtherAndWithDirectories() {
    assertEquals(0, digest(one, "one.digest").exitCode());
    assertEquals(0, digest(other, "other.digest").exitCode());
    Run run = compare("-v", data.resolve("one.digest"), data.resolve("other.digest"), one);
    assertEquals(0, run.exitCode(), run::err);
    assertTrue(run.out().contains("offsets 0 to 5 of 3 copies\n    digests, with "), run::out);
  }

  @Test
  void aRangeThatDiffersIsNamedWithACloserLook() {
    assertEquals(0, digest(one, "one.digest").exitCode());
    damage();
    Run digest = digest(other, "other.digest");
    assertEquals(1, digest.exitCode());
    assertTrue(digest.out().contains("bytes are damaged"), digest::out);
    Run run = compare(data.resolve("one.digest"), data.resolve("other.digest"));
    assertEquals(1, run.exitCode());
    assertTrue(run.out().contains("DIFFERENCE COPY_RANGE_DIFFERS\n    offsets 0 to 5: "), run::out);
    assertTrue(
        run.out()
            .replaceAll("\\s+", " ")
            .contains(" digest DIR/orders-0 --offsets 0-5 --range 256"),
        run::out);
  }

  @Test
  void aDigestOfSomeOffsetsNarrowsARange() {
    assertEquals(0, digest(one, "one.digest", "--offsets", "2-3", "--range", "16").exitCode());
    damage();
    digest(other, "other.digest", "--offsets", "2-3", "--range", "16");
    Run run = compare(data.resolve("one.digest"), data.resolve("other.digest"));
    assertTrue(run.out().contains("offsets 2 to 3: "), run::out);
  }

  /** The machine that has lost the range takes the closer look, too. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aLostRangeIsWrittenAndCompared(boolean hasWatermarks) throws IOException {
    SegmentBytes whole = SegmentBytes.of(3, 2);
    byte[] all = whole.toByteArray();
    byte[] lost =
        new SegmentBytes()
            .addRaw(Arrays.copyOf(all, whole.position(1)))
            .addRaw(Arrays.copyOfRange(all, whole.position(2), all.length))
            .toByteArray();
    SegmentBytes.write(other.resolve("orders-0"), SEGMENT, lost);
    if (!hasWatermarks) {
      Files.delete(one.resolve("replication-offset-checkpoint"));
      Files.delete(other.resolve("replication-offset-checkpoint"));
    }
    assertEquals(0, digest(one, "one.digest", "--offsets", "2-3", "--range", "16").exitCode());
    Run digest = digest(other, "other.digest", "--offsets", "2-3", "--range", "16");
    assertEquals(0, digest.exitCode(), digest::err);
    Run run = compare(data.resolve("one.digest"), data.resolve("other.digest"));
    assertEquals(1, run.exitCode(), run::err);
    assertTrue(run.out().contains("offsets 2 to 3: "), run::out);
    assertEquals(3, digest(other, "after.digest", "--offsets", "6-9").exitCode());
  }

  @Test
  void aDigestWithACheckpointThatCannotBeReadIsIncomplete() throws IOException {
    Path checkpoint = one.resolve("replication-offset-checkpoint");
    Files.delete(checkpoint);
    Files.createSymbolicLink(checkpoint, checkpoint);
    Run run = digest(one, "one.digest");
    assertEquals(3, run.exitCode());
    assertTrue(run.err().contains("orders-0: " + checkpoint + ": "), run::err);
    assertEquals(3, compare(one, other).exitCode());
  }

  @Test
  void wrongOptionsOfADigestAreNamed() {
    assertEquals(2, digest(one, "one.digest", "--range", "15").exitCode());
    assertEquals(2, digest(one, "one.digest", "--offsets", "3").exitCode());
    assertEquals(2, digest(one, "one.digest", "--offsets", "3-2").exitCode());
    assertEquals(3, digest(one, "nothing.digest", "--offsets", "900-999").exitCode());
    assertEquals(0, digest(one, "one.digest").exitCode());
    Run run = digest(one, "one.digest");
    assertEquals(2, run.exitCode());
    assertTrue(run.err().contains("--into must be a file that does not exist"), run::err);
    assertEquals(3, digest(data.resolve("none"), "none.digest").exitCode());
  }

  @Test
  void aDigestHasOneCopyOfEachPartition() {
    Run run = digest(data, "all.digest");
    assertEquals(3, run.exitCode());
    assertTrue(run.err().contains("left out, another copy is in "), run::err);
  }
}
