// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.keep;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.audit.source.SegmentNames;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bytes that are kept before a cut, and those that are not. */
class CutGuardTest {
  private static final long QUOTA = 1 << 20;
  private static final String KEPT = "batchvalidator-kept-t-0-20261127-213000000-";
  private static final String FIRST = "00000000000000000000";

  @TempDir private Path root;

  private final CutReport report = new CutReport();
  private Path partition;
  private Path segment;

  @BeforeEach
  void writeSegment() throws IOException {
    partition = Files.createDirectories(root.resolve("logs/t-0"));
    segment = partition.resolve(FIRST + ".log");
    Files.write(segment, concat(batch(1), batch(2), batch(3)));
  }

  private CutGuard guard(boolean enforce, @Nullable Path directory, long quota) {
    Clock clock = Clock.fixed(Instant.parse("2026-11-27T21:30:00Z"), ZoneOffset.UTC);
    return new CutGuard(new KeptFiles(directory, quota), enforce, report, clock);
  }

  private CutGuard guard() {
    return guard(true, null, QUOTA);
  }

  @Test
  void copiesTheRestIntoTheRootOfTheLogDirectory() throws IOException {
    guard().keepRest(segment, 80, CutCause.TRUNCATED);
    byte[] all = Files.readAllBytes(segment);
    Path kept = root.resolve("logs").resolve(KEPT + FIRST + ".log");
    assertArrayEquals(Arrays.copyOfRange(all, 80, all.length), Files.readAllBytes(kept));
    assertFalse(SegmentNames.isSearched(KEPT + FIRST + ".log"), "./check of the log directory");
    assertEquals(Map.of("t-0", all.length - 80L), report.keptBytes());
    String description = Files.readString(Path.of(kept + ".txt"));
    assertTrue(description.contains("partition: t-0\n"), description);
    assertTrue(description.contains("bytes: 80 to " + all.length + "\n"), description);
    assertTrue(description.contains("./check " + kept + "\n"), description);
  }

  @Test
  void copiesIntoAConfiguredDirectory() throws IOException {
    Path directory = root.resolve("kept");
    guard(true, directory, QUOTA).keepRest(segment, 0, CutCause.EMPTIED);
    assertEquals(List.of(KEPT + FIRST + ".log", KEPT + FIRST + ".log.txt"), names(directory));
    assertEquals(List.of("t-0"), names(root.resolve("logs")));
  }

  @Test
  void keepsEachCutUnderANameOfItsOwn() throws IOException {
    guard().keepRest(segment, 80, CutCause.TRUNCATED);
    guard().keepRest(segment, 0, CutCause.EMPTIED);
    assertTrue(Files.exists(root.resolve("logs").resolve(KEPT + FIRST + ".1.log")));
  }

  @Test
  void keepsNothingOfATornLastBatch() throws IOException {
    byte[] all = Files.readAllBytes(segment);
    for (int torn = 1; torn < batch(3).length; torn++) {
      Files.write(segment, Arrays.copyOf(all, all.length - torn));
      guard().keepRest(segment, 2L * batch(1).length, CutCause.TRUNCATED);
    }
    assertEquals(List.of("t-0"), names(root.resolve("logs")));
    assertEquals(batch(3).length - 1, report.tornCuts());
  }

  @Test
  void keepsNothingOfZeros() throws IOException {
    Files.write(segment, concat(batch(1), new byte[5000]));
    guard().keepRest(segment, batch(1).length, CutCause.TRUNCATED);
    assertEquals(List.of("t-0"), names(root.resolve("logs")));
    assertEquals(1, report.tornCuts());
  }

  @Test
  void keepsSoundBatchesAfterAFalseLength() throws IOException {
    byte[] all = Files.readAllBytes(segment);
    ByteBuffer.wrap(all).putInt(8, 1 << 20); // looks like a torn batch
    Files.write(segment, all);
    guard().keepRest(segment, 0, CutCause.TRUNCATED);
    assertEquals(Map.of("t-0", (long) all.length), report.keptBytes());
  }

  /** The search reads windows of 64 KiB. */
  @Test
  void keepsASoundBatchThatLiesInSeveralWindows() throws IOException {
    for (int before : new int[] {1 << 16, (1 << 16) - 5, (1 << 16) - 26, (1 << 17) - 61}) {
      byte[] torn = new byte[before];
      Arrays.fill(torn, (byte) 9);
      Files.write(segment, concat(torn, batch(1, 200_000)));
      long bytes = report.keptBytes().getOrDefault("t-0", 0L);
      guard(true, null, 1 << 23).keepRest(segment, 0, CutCause.TRUNCATED);
      assertEquals(Map.of("t-0", bytes + Files.size(segment)), report.keptBytes());
    }
    byte[] wrong = batch(1, 200_000);
    wrong[150_000] ^= 1;
    Files.write(segment, concat(new byte[1 << 16], wrong));
    guard(true, null, 1 << 23).keepRest(segment, 0, CutCause.TRUNCATED);
    assertEquals(1, report.tornCuts());
  }

  @Test
  void keepsASoundMessageOfMagicOne() throws IOException {
    Files.write(segment, concat(batch(1), new byte[7], legacy()));
    guard().keepRest(segment, batch(1).length, CutCause.TRUNCATED);
    assertEquals(Map.of("t-0", 7L + legacy().length), report.keptBytes());
  }

  /** A gap remains, whatever is cut. */
  @Test
  void keepsATornBatchBeforeALaterSegment() throws IOException {
    Files.write(partition.resolve("00000000000000000100.log"), batch(100));
    byte[] all = Files.readAllBytes(segment);
    Files.write(segment, Arrays.copyOf(all, all.length - 5));
    guard().keepRest(segment, 2L * batch(1).length, CutCause.TRUNCATED);
    assertEquals(Map.of("t-0", batch(1).length - 5L), report.keptBytes());
  }

  @Test
  void linksDeletedSegmentsWithTheirTransactionsAndProducers() throws IOException {
    Files.write(partition.resolve(FIRST + ".txnindex"), new byte[34]);
    Files.write(partition.resolve(FIRST + ".snapshot"), new byte[9]);
    Files.write(partition.resolve(FIRST + ".index"), new byte[8]);
    guard().keepDeleted(List.of(segment), CutCause.AFTER_CUT);
    byte[] all = Files.readAllBytes(segment);
    Files.delete(segment);
    Path logs = root.resolve("logs");
    assertArrayEquals(all, Files.readAllBytes(logs.resolve(KEPT + FIRST + ".log")));
    assertTrue(Files.exists(logs.resolve(KEPT + FIRST + ".txnindex")));
    assertTrue(Files.exists(logs.resolve(KEPT + FIRST + ".snapshot")));
    assertFalse(Files.exists(logs.resolve(KEPT + FIRST + ".index")));
  }

  @Test
  void reportsACutBeyondTheQuota() throws IOException {
    guard(true, null, 100).keepRest(segment, 0, CutCause.TRUNCATED);
    guard(true, null, 100).keepDeleted(List.of(segment), CutCause.AFTER_CUT);
    assertEquals(2, report.lostCuts());
    assertEquals(List.of("t-0"), names(root.resolve("logs")));
    assertEquals(Map.of(), report.keptBytes());
  }

  @Test
  void countsWhatIsKeptAlreadyInTheQuota() throws IOException {
    CutGuard guard = guard(true, null, Files.size(segment) + 1000);
    guard.keepRest(segment, 0, CutCause.TRUNCATED);
    Files.write(segment, concat(Files.readAllBytes(segment), new byte[1000]));
    guard.keepRest(segment, 0, CutCause.TRUNCATED);
    assertEquals(1, report.lostCuts());
  }

  /** Threads that recover logs at the same time share a quota. */
  @Test
  void countsWhatIsBeingKeptInTheQuota() throws IOException {
    KeptFiles files = new KeptFiles(null, 100);
    Path first = root.resolve(KEPT + "1.log");
    Path second = root.resolve(KEPT + "2.log");
    files.reserve(root, first, 60);
    assertThrows(IOException.class, () -> files.reserve(root, second, 41));
    files.reserve(root, second, 40);
    files.release(first);
    files.reserve(root, first, 60);
    Path logs = root.resolve("logs");
    files.reserve(logs, logs.resolve(KEPT + "1.log"), 100);
  }

  @Test
  void countsAFileThatWasJustKeptOnce() throws IOException {
    KeptFiles files = new KeptFiles(null, 100);
    Path first = root.resolve(KEPT + "1.log");
    files.reserve(root, first, 60);
    Files.write(first, new byte[60]);
    files.reserve(root, root.resolve(KEPT + "2.log"), 40);
  }

  /** A broker was killed during a copy, and Kafka had not cut the segment. */
  @Test
  void deletesCopiesThatAnEarlierStartHasNotFinished() throws IOException {
    Path logs = root.resolve("logs");
    Path earlier = Files.write(logs.resolve(KEPT + "1.log.unfinished"), new byte[5000]);
    Path now = Files.write(logs.resolve(KEPT + "2.log.unfinished"), new byte[5000]);
    Files.setLastModifiedTime(earlier, FileTime.fromMillis(0));
    guard(true, null, Files.size(segment)).keepRest(segment, 0, CutCause.TRUNCATED);
    assertEquals(0, report.lostCuts());
    assertFalse(Files.exists(earlier));
    assertTrue(Files.exists(now), "another broker may be at work");
    assertTrue(Files.exists(logs.resolve(KEPT + FIRST + ".log")));
    assertFalse(Files.exists(logs.resolve(KEPT + FIRST + ".log.unfinished")));
  }

  /** A copy may get its name after the directory was listed. The link leads to no file, too. */
  @Test
  void keepsACutBesideACopyThatIsJustFinished() throws IOException {
    Path logs = root.resolve("logs");
    Files.createSymbolicLink(logs.resolve(KEPT + "1.log.unfinished"), Path.of("nowhere"));
    guard().keepRest(segment, 0, CutCause.TRUNCATED);
    assertEquals(0, report.lostCuts());
    assertTrue(Files.exists(logs.resolve(KEPT + FIRST + ".log")));
  }

  @Test
  void deletesNoCopyOfThisStartAfterTheClockWasSetBack() throws IOException {
    KeptFiles files = new KeptFiles(null, 100);
    Path first = root.resolve(KEPT + "1.log");
    files.reserve(root, first, 60);
    Path copy = Files.write(root.resolve(KEPT + "1.log.unfinished"), new byte[30]);
    Files.setLastModifiedTime(copy, FileTime.fromMillis(0));
    files.reserve(root, root.resolve(KEPT + "2.log"), 40);
    assertTrue(Files.exists(copy));
  }

  @Test
  void keepsPartitionsWhoseNamesAreLong() throws IOException {
    for (int length : new int[] {160, 161, 249}) {
      partition = Files.createDirectories(root.resolve("logs").resolve("n".repeat(length) + "-7"));
      segment = Files.write(partition.resolve(FIRST + ".log"), concat(batch(1), batch(2)));
      guard().keepRest(segment, 81, CutCause.TRUNCATED);
      guard().keepDeleted(List.of(segment), CutCause.AFTER_CUT);
      assertEquals(243L, report.keptBytes().get(partition.getFileName().toString()));
    }
    assertEquals(0, report.lostCuts());
    assertEquals(12, names(root.resolve("logs")).stream().filter(CutGuardTest::isKept).count());
  }

  /** Kafka takes each directory in a log directory for a partition, and does not start. */
  @Test
  void makesNoDirectoryInsideOfTheLogDirectory() throws IOException {
    Path inside = root.resolve("logs/kept");
    guard(true, inside, QUOTA).keepRest(segment, 0, CutCause.TRUNCATED);
    assertEquals(1, report.lostCuts());
    assertFalse(Files.exists(inside));
  }

  @Test
  void makesNoDirectoryInsideOfAnotherLogDirectory() throws IOException {
    Path other = Files.createDirectories(root.resolve("others"));
    Files.createFile(other.resolve("recovery-point-offset-checkpoint"));
    guard(true, other.resolve("kept/here"), QUOTA).keepRest(segment, 0, CutCause.TRUNCATED);
    assertEquals(1, report.lostCuts());
    assertEquals(List.of("recovery-point-offset-checkpoint"), names(other));
    guard(true, other, QUOTA).keepRest(segment, 0, CutCause.TRUNCATED);
    assertEquals(Map.of("t-0", Files.size(segment)), report.keptBytes(), "in its root");
  }

  @Test
  void keepsBytesWithoutADescriptionIfItCannotBeWritten() throws IOException {
    Files.createDirectories(root.resolve("logs").resolve(KEPT + FIRST + ".log.txt"));
    guard().keepRest(segment, 0, CutCause.TRUNCATED);
    assertEquals(Map.of("t-0", Files.size(segment)), report.keptBytes());
    assertEquals(0, report.lostCuts());
  }

  @Test
  void goesOnIfNothingCanBeWritten() throws IOException {
    Path file = Files.createFile(root.resolve("file"));
    guard(true, file, QUOTA).keepRest(segment, 0, CutCause.TRUNCATED);
    guard(true, file, QUOTA).keepDeleted(List.of(segment), CutCause.BEFORE_START);
    guard().keepRest(partition.resolve("none.log"), 0, CutCause.TRUNCATED);
    assertEquals(3, report.lostCuts());
  }

  @Test
  void onlyReportsIfItObserves() throws IOException {
    guard(false, null, QUOTA).keepRest(segment, 0, CutCause.TRUNCATED);
    guard(false, null, QUOTA).keepDeleted(List.of(segment), CutCause.AFTER_CUT);
    assertEquals(List.of("t-0"), names(root.resolve("logs")));
    assertEquals(0, report.lostCuts());
  }

  @Test
  void doesNothingIfNothingIsCut() throws IOException {
    guard().keepRest(segment, Files.size(segment), CutCause.TRUNCATED);
    assertEquals(0, report.tornCuts());
    assertEquals(Map.of(), report.keptBytes());
  }

  @Test
  void eachCutIsAnEventOfTheFlightRecorder() throws IOException {
    byte[] all = Files.readAllBytes(segment);
    try (Recording recording = new Recording()) {
      recording.enable(CutEvent.NAME);
      recording.start();
      guard().keepRest(segment, 80, CutCause.TRUNCATED);
      guard(false, null, QUOTA).keepRest(segment, 80, CutCause.TRUNCATED);
      guard(true, null, 0).keepDeleted(List.of(segment), CutCause.AFTER_CUT);
      Files.write(segment, Arrays.copyOf(all, all.length - 1));
      guard().keepRest(segment, 2L * batch(1).length, CutCause.TRUNCATED);
      recording.stop();
      Path file = root.resolve("recording.jfr");
      recording.dump(file);
      List<RecordedEvent> events = RecordingFile.readAllEvents(file);
      events.sort(Comparator.comparing(RecordedEvent::getStartTime)); // stored in any order
      assertEquals(
          List.of(
              "KEPT " + (all.length - 80),
              "OBSERVED " + (all.length - 80),
              "LOST -1",
              "TORN " + (batch(3).length - 1)),
          events.stream()
              .map(each -> each.getString("outcome") + " " + each.getLong("bytes"))
              .toList());
      RecordedEvent kept = events.get(0);
      assertEquals(segment.toString(), kept.getString("segment"));
      assertEquals(
          root.resolve("logs").resolve(KEPT + FIRST + ".log").toString(), kept.getString("kept"));
      assertEquals(CutCause.TRUNCATED.sentence(), kept.getString("reason"));
      String lost = events.get(2).getString("reason");
      assertTrue(lost.contains("the quota of 0 bytes has no room"), lost);
    }
  }

  private static boolean isKept(String name) {
    return name.startsWith("batchvalidator-kept-");
  }

  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(each -> each.getFileName().toString()).sorted().toList();
    }
  }

  private static byte[] concat(byte[]... parts) {
    ByteBuffer all = ByteBuffer.allocate(Arrays.stream(parts).mapToInt(each -> each.length).sum());
    for (byte[] each : parts) {
      all.put(each);
    }
    return all.array();
  }

  private static byte[] batch(long offset) {
    return batch(offset, 81);
  }

  private static byte[] batch(long offset, int size) {
    ByteBuffer batch = ByteBuffer.allocate(size);
    batch.putLong(offset).putInt(batch.capacity() - 12).putInt(0).put((byte) 2);
    batch.putInt(57, 1).putInt(70, (int) offset);
    CRC32C crc = new CRC32C();
    crc.update(batch.array(), 21, batch.capacity() - 21);
    return batch.putInt(17, (int) crc.getValue()).array();
  }

  private static byte[] legacy() {
    ByteBuffer message = ByteBuffer.allocate(40);
    message.putLong(7).putInt(28).putInt(0).put((byte) 1).putInt(36, -1);
    CRC32 crc = new CRC32();
    crc.update(message.array(), 16, 24);
    return message.putInt(12, (int) crc.getValue()).array();
  }
}
