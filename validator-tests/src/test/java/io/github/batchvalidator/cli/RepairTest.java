// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.audit.SampleLog;
import io.github.batchvalidator.audit.StoredLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ObjIntConsumer;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code check repair}. */
class RepairTest {
  @TempDir private static Path samples;

  @TempDir private Path data;

  private Path one;
  private Path other;
  private Path out;

  @BeforeAll
  static void writeSample() throws IOException {
    SampleLog.write(samples);
  }

  @BeforeEach
  void copySample() throws IOException {
    one = copy("a");
    other = copy("b");
    out = data.resolve("out");
  }

  private Path copy(String name) throws IOException {
    Path copy = Files.createDirectories(data.resolve(name)).resolve("orders-3");
    StoredLog.copy(samples.resolve("orders-3"), copy);
    return copy;
  }

  private static void flip(Path directory, int segment, int from, int to) throws IOException {
    StoredLog log = new StoredLog(directory);
    log.edit(
        log.file(segment, ".log"),
        all -> {
          for (int at = from; at < to; at++) {
            all.put(at, (byte) ~all.get(at));
          }
        });
  }

  private Run repair(Object... more) {
    Object[] words = {"repair", "--from", one, "--from", other, "--into", out};
    return Run.of(
        Stream.concat(Stream.of(words), Stream.of(more))
            .map(String::valueOf)
            .toArray(String[]::new));
  }

  @Test
  void eachBatchComesFromASoundCopy() throws IOException {
    flip(one, 0, 200, 300);
    flip(other, 3, 100, 110);
    Run run = repair();
    assertEquals(0, run.exitCode(), () -> run.out() + run.err());
    assertTrue(run.out().contains("repaired " + out.resolve("orders-3")), run::out);
    assertTrue(run.out().contains("offsets 0 to 251 in 6 segments"), run::out);
    assertTrue(run.out().contains("recovery-point-offset-checkpoint: orders 3 252"), run::out);
    assertEquals(0, Run.of(out.toString()).exitCode());
    assertIsSample();
  }

  private void assertIsSample() throws IOException {
    for (int segment = 0; segment < 6; segment++) {
      Path log = new StoredLog(samples.resolve("orders-3")).file(segment, ".log");
      assertEquals(-1, Files.mismatch(log, out.resolve("orders-3").resolve(log.getFileName())));
    }
  }

  @Test
  void offsetsThatNoCopyHasAreNamed() throws IOException {
    flip(one, 0, 200, 300);
    flip(other, 0, 200, 300);
    Run run = repair();
    assertEquals(1, run.exitCode(), () -> run.out() + run.err());
    assertTrue(run.out().contains("not repaired, nothing was written"), run::out);
    assertTrue(run.out().contains("lost offset"), run::out);
    assertTrue(run.out().contains("--lose-records writes the partition without them"), run::out);
    assertNothingIn(out);
    Run told = repair("--lose-records");
    assertEquals(0, told.exitCode(), () -> told.out() + told.err());
    assertTrue(told.out().contains("lost offset"), told::out);
    assertEquals(0, Run.of("--compacted", out.toString()).exitCode());
  }

  @Test
  void soundCopiesThatDifferAreBothNamed() throws IOException {
    replaceFirstBatch(other);
    Run run = repair();
    assertEquals(1, run.exitCode(), () -> run.out() + run.err());
    String name = "00000000000000000000.log at byte 0";
    String text = run.out().replaceAll("\\s+", " ");
    assertTrue(text.contains(one.resolve(name) + " and " + other.resolve(name)), run::out);
    assertNothingIn(out);
    Run preferred = repair("--prefer", other);
    assertEquals(0, preferred.exitCode(), () -> preferred.out() + preferred.err());
    StoredLog log = new StoredLog(other);
    Path first = out.resolve("orders-3").resolve(log.file(0, ".log").getFileName());
    assertEquals(-1, Files.mismatch(log.file(0, ".log"), first));
  }

  /** A broker keeps such a batch: its recovery looks at the checksum only. */
  @Test
  void aBatchThatBreaksARuleInAllCopiesIsTakenAsStoredIfAsked() throws IOException {
    breakRule(one);
    breakRule(other);
    flip(one, 3, 100, 110);
    Run run = repair();
    assertEquals(1, run.exitCode(), run.out());
    String text = run.out().replaceAll("\\s+", " ");
    assertTrue(
        text.contains("a batch there has a right checksum but breaks a rule: --as-st"), text);
    assertNothingIn(out);
    Run told = repair("--as-stored");
    assertEquals(0, told.exitCode(), () -> told.out() + told.err());
    assertTrue(told.out().contains("1 batch taken as stored: a rule is broken"), told::out);
    StoredLog log = new StoredLog(other);
    for (int segment = 0; segment < 6; segment++) {
      Path same = out.resolve("orders-3").resolve(log.file(segment, ".log").getFileName());
      assertEquals(-1, Files.mismatch(log.file(segment, ".log"), same));
    }
    assertEquals(List.of("PAYLOAD_RECORDS_MISSING@0"), Run.json(out).faults());
  }

  @Test
  void aBatchThatBreaksARuleInOneCopyComesFromAnother() throws IOException {
    breakRule(one);
    Run told = repair("--as-stored");
    assertEquals(1, told.exitCode(), told.out());
    assertTrue(told.out().contains("--prefer takes the batches of one copy"), told::out);
    assertEquals(0, repair().exitCode());
    assertEquals(0, Run.of(out.toString()).exitCode());
  }

  @Test
  void aWrongChecksumIsNeverTakenAsStored() throws IOException {
    flip(one, 0, 200, 210);
    flip(other, 0, 200, 210);
    assertEquals(1, repair("--as-stored").exitCode());
    assertNothingIn(out);
  }

  @Test
  void aWrongBaseOffsetIsNeverTakenAsStored() throws IOException {
    StoredLog log = new StoredLog(one);
    log.edit(
        log.file(0, ".log"),
        all -> {
          int second = all.getInt(8) + 12;
          all.putLong(second, all.getLong(second) + 1);
        });
    Run told = repair("--as-stored");
    assertEquals(0, told.exitCode(), () -> told.out() + told.err());
    assertIsSample();
  }

  /** Writes other values with a right checksum into the first batch, which is not compressed. */
  private static void replaceFirstBatch(Path directory) throws IOException {
    changeFirstBatch(directory, (all, bytes) -> all.put(bytes - 3, (byte) ~all.get(bytes - 3)));
  }

  /** Declares a record more than the first batch has. */
  private static void breakRule(Path directory) throws IOException {
    changeFirstBatch(directory, (all, bytes) -> all.putInt(57, all.getInt(57) + 1));
  }

  private static void changeFirstBatch(Path directory, ObjIntConsumer<ByteBuffer> change)
      throws IOException {
    StoredLog log = new StoredLog(directory);
    log.edit(
        log.file(0, ".log"),
        all -> {
          int bytes = all.getInt(8) + 12;
          change.accept(all, bytes);
          CRC32C crc = new CRC32C();
          crc.update(all.slice(21, bytes - 21));
          all.putInt(17, (int) crc.getValue());
        });
  }

  @Test
  void inputsAreNeverWrittenTo() throws IOException {
    assertRefused(
        "--into",
        Run.of("repair", "--from", one.toString(), "--into", data.resolve("a").toString()));
    assertRefused(
        "named twice",
        Run.of(
            "repair",
            "--from",
            one.toString(),
            "--from",
            one.toString(),
            "--into",
            out.toString()));
    Path link =
        Files.createSymbolicLink(Files.createDirectory(data.resolve("c")).resolve("orders-3"), one);
    assertRefused(
        "named twice",
        Run.of(
            "repair",
            "--from",
            one.toString(),
            "--from",
            link.toString(),
            "--into",
            out.toString()));
    assertRefused(
        "inside of each other",
        Run.of("repair", "--from", one.toString(), "--into", one.toString()));
    Files.createDirectories(out.resolve("orders-3"));
    assertEquals(0, repair().exitCode()); // it was empty
    assertRefused("not empty", repair());
    assertRefused("name each copy with --from", repair("some.log"));
    assertRefused("--prefer must be one of the copies", repair("--prefer", "elsewhere"));
  }

  private static void assertRefused(String why, Run run) {
    assertEquals(2, run.exitCode(), () -> run.out() + run.err());
    assertTrue(run.err().contains(why), run::err);
  }

  @Test
  void copiesAreOfOnePartition() throws IOException {
    Files.move(other, other.resolveSibling("orders-4"));
    Run run =
        Run.of(
            "repair",
            "--from",
            one.toString(),
            "--from",
            other.resolveSibling("orders-4").toString(),
            "--into",
            out.toString());
    assertRefused("has no copy of orders-3", run);
  }

  /** Its directory has more than segments. */
  @Test
  void theMetadataLogIsRefused() throws IOException {
    Path metadata = Files.move(one, one.resolveSibling("__cluster_metadata-0"));
    for (Path named : List.of(metadata, data.resolve("a"))) {
      Run run = Run.of("repair", "--from", named.toString(), "--into", out.toString());
      assertRefused("__cluster_metadata-0: a repair cannot build its snapshots", run);
    }
    assertFalse(Files.exists(out));
  }

  /** It may name offsets that no copy has. */
  @Test
  void aCheckpointThatCannotBeReadIsAnError() throws IOException {
    Path checkpoint = one.resolveSibling("recovery-point-offset-checkpoint");
    Files.createSymbolicLink(checkpoint, checkpoint);
    String watermarks = "0\n1\norders 3 300\n";
    Files.writeString(one.resolveSibling("replication-offset-checkpoint"), watermarks);
    Run run = repair();
    assertEquals(3, run.exitCode(), () -> run.out() + run.err());
    String text = run.out().replaceAll("\\s+", " ");
    String end = "the copies end before offset 252, but ";
    assertTrue(text.contains(end + "a checkpoint cannot be read: " + checkpoint + ": "), text);
    assertTrue(text.contains(end + "replication-offset-checkpoint has 300 as "), text);
    assertNothingIn(out);
    Run told = repair("--lose-records");
    assertEquals(0, told.exitCode(), () -> told.out() + told.err());
    assertIsSample();
  }

  @Test
  void aGapThatCompactionMayHaveLeftIsNotFilledUnasked() throws IOException {
    StoredLog log = new StoredLog(one);
    Files.delete(log.file(2, ".log"));
    Run run = repair();
    assertEquals(1, run.exitCode(), () -> run.out() + run.err());
    assertTrue(
        run.out()
            .replaceAll("\\s+", " ")
            .contains("if the topic is compacted, add --compacted, otherwise --not-compacted"),
        run::out);
    assertEquals(0, repair("--not-compacted").exitCode());
  }

  private static void assertNothingIn(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      assertEquals(List.of(), files.toList());
    }
    assertFalse(Files.exists(directory.resolve("orders-3")));
  }
}
