// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

  @Test
  void aPartitionWithoutASecondCopyIsNoAnswer() {
    Run run = compare(one);
    assertEquals(3, run.exitCode());
    assertTrue(run.err().contains("only one copy of each partition was found"), run::err);
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
}
