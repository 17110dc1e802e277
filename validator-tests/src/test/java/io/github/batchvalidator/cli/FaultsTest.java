// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.LegacyMessage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FaultsTest {
  private static final int BATCHES = 5;

  @TempDir private Path directory;

  private final SegmentBytes segment = SegmentBytes.of(BATCHES, 4);
  private final byte[] bytes = segment.toByteArray();
  private final int middle = segment.position(2);

  private Run run(byte[] content) {
    return Run.json(SegmentBytes.write(directory, "some.log", content));
  }

  private Run runWithLength(int length) {
    ByteBuffer.wrap(bytes).putInt(middle + BatchLayout.LENGTH_OFFSET, length);
    return run(bytes);
  }

  private static void assertBatches(int expected, Run run) {
    assertEquals(expected, run.summary().get("batches").asInt(), run.out());
  }

  private static void assertFaults(Run run, String... expected) {
    assertEquals(List.of(expected), run.faults());
    assertEquals(expected.length, run.summary().get("faults").asInt());
    assertEquals(1, run.exitCode());
  }

  @Test
  void corruptBatchInTheMiddle() {
    bytes[segment.position(3) - 1] ^= 1;
    Run run = run(bytes);
    assertFaults(run, "BATCH_CRC_MISMATCH@" + middle);
    assertBatches(BATCHES, run);
    JsonNode fault = run.objects("fault").get(0);
    assertEquals(8, fault.get("offset").asInt());
    assertTrue(fault.get("message").asText().startsWith("the stored CRC is "), run.out());
    assertEquals(16, run.summary().get("records").asInt());
  }

  @Test
  void faultsForPeopleAreBelowTheNameOfTheFile() {
    bytes[segment.position(3) - 1] ^= 1;
    Path path = SegmentBytes.write(directory, "some.log", bytes);
    List<String> lines = Run.of(path.toString()).out().lines().toList();
    assertTrue(lines.get(0).startsWith("1 fault in 1 file; checked 1 file, "), lines.get(0));
    assertEquals(path.toString(), lines.get(2));
    assertEquals("  FAULT BATCH_CRC_MISMATCH", lines.get(3));
    String place = "    byte " + middle + ", offset 8: the stored ";
    assertTrue(lines.get(4).startsWith(place), lines.get(4));
  }

  @Test
  void truncatedAtEveryByte() {
    for (int cut = segment.position(4) + 1; cut < bytes.length; cut++) {
      Run run = Run.ofBytes(Arrays.copyOf(bytes, cut));
      assertFaults(run, "SEGMENT_TRUNCATED_TAIL@" + segment.position(4));
      assertBatches(4, run);
    }
  }

  @Test
  void truncatedTailSaysWhatToDo() {
    JsonNode fault = run(Arrays.copyOf(bytes, bytes.length - 1)).objects("fault").get(0);
    int last = segment.position(4);
    int size = bytes.length - last;
    assertEquals(
        "the file ends inside a batch of "
            + size
            + " bytes; copy the partition before a broker starts, which may truncate the file to "
            + last
            + " bytes and drop "
            + (size - 1),
        fault.get("message").asText());
    assertEquals(16, fault.get("offset").asInt());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 16, 17, 60, 1000, 300_000})
  void zerosAtTheEnd(int zeros) {
    Run run = run(segment.addRaw(new byte[zeros]).toByteArray());
    assertFaults(run, "SEGMENT_TRUNCATED_TAIL@" + bytes.length);
    assertBatches(BATCHES, run);
  }

  /** A broker that starts cuts such a batch off, too. */
  @ParameterizedTest
  @ValueSource(ints = {1, 16, 17, 60, 5000, 300_000})
  void zerosInAndAfterTheLastBatch(int zeros) {
    int last = segment.position(4);
    Arrays.fill(bytes, (last + bytes.length) / 2, bytes.length, (byte) 0);
    Run run = run(Arrays.copyOf(bytes, bytes.length + zeros));
    assertFaults(run, "SEGMENT_TRUNCATED_TAIL@" + last);
    assertBatches(BATCHES - 1, run);
    String message = run.objects("fault").get(0).get("message").asText();
    int size = bytes.length - last;
    assertTrue(message.startsWith("only zeros follow a damaged batch of " + size), message);
  }

  @Test
  void zerosBetweenBatchesLeaveADamagedBatchWhereItIs() {
    int last = segment.position(4);
    bytes[last + BatchLayout.HEADER_BYTES] ^= 1;
    SegmentBytes more = new SegmentBytes().addRaw(Arrays.copyOf(bytes, bytes.length + 100));
    Run run = run(more.addAt(100, SegmentBytes.batch(Codec.LZ4, 2, 4)).toByteArray());
    assertFaults(run, "BATCH_CRC_MISMATCH@" + last, "SEGMENT_FRAMING_CORRUPT@" + bytes.length);
  }

  @Test
  void zerosOnly() {
    assertFaults(run(new byte[5000]), "SEGMENT_TRUNCATED_TAIL@0");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 13, 14, 49, 100, 300, Integer.MAX_VALUE, 1 << 20})
  void corruptLengthInTheMiddle(int length) {
    Run run = runWithLength(length);
    assertFaults(run, "SEGMENT_FRAMING_CORRUPT@" + middle);
    assertBatches(BATCHES - 1, run);
    String message = run.objects("fault").get(0).get("message").asText();
    assertTrue(message.contains("resumes at byte " + segment.position(3) + ","), message);
  }

  @Test
  void lengthThatSpansTheNextBatchToo() {
    Run run = runWithLength(segment.position(4) - middle - BatchLayout.LOG_OVERHEAD);
    assertFaults(run, "BATCH_CRC_MISMATCH@" + middle);
    assertBatches(BATCHES - 1, run);
  }

  @Test
  void garbageAfterGoodBatchesStopsTheScan() {
    byte[] garbage = new byte[500];
    Arrays.fill(garbage, (byte) 0xEE);
    Run run = run(segment.addRaw(garbage).toByteArray());
    assertFaults(run, "SEGMENT_SCAN_STOPPED@" + bytes.length);
    assertBatches(BATCHES, run);
    String message = run.objects("fault").get(0).get("message").asText();
    assertTrue(
        message.endsWith("stopped at byte " + bytes.length + ", 500 bytes are not checked"),
        message);
  }

  @Test
  void garbageOnly() {
    byte[] garbage = new byte[100_000];
    new Random(1).nextBytes(garbage);
    garbage[16] = 77;
    garbage[8] = 0;
    Run run = run(garbage);
    assertFaults(run, "SEGMENT_NOT_RECOGNIZED@0");
    assertBatches(0, run);
  }

  /** The garbage is larger than any window. With 9000 records, so is the batch after it. */
  @ParameterizedTest
  @ValueSource(ints = {1, 9000})
  void theScanGoesOnAfterMuchGarbage(int records) {
    byte[] garbage = new byte[600_000];
    new Random(7).nextBytes(garbage);
    garbage[16] = 77;
    segment.addRaw(garbage).add(SegmentBytes.batch(Codec.NONE, records, 3));
    Run run = run(segment.add(SegmentBytes.batch(Codec.LZ4, 2, 4)).toByteArray());
    assertFaults(run, "SEGMENT_FRAMING_CORRUPT@" + bytes.length);
    assertBatches(BATCHES + 2, run);
    String message = run.objects("fault").get(0).get("message").asText();
    int behind = bytes.length + garbage.length;
    assertTrue(message.contains("resumes at byte " + behind + ","), message);
  }

  /** Many headers each claim the rest of the file. To verify all their checksums takes too long. */
  @Test
  void aSearchThatCostsTooMuchProvesNothing() {
    int headers = 2000;
    ByteBuffer claims = ByteBuffer.allocate(headers * BatchLayout.HEADER_BYTES);
    for (int at = 0; at < claims.capacity(); at += BatchLayout.HEADER_BYTES) {
      claims.putLong(at, 1000 + at);
      claims.putInt(
          at + BatchLayout.LENGTH_OFFSET, claims.capacity() - at - BatchLayout.LOG_OVERHEAD);
      claims.put(at + BatchLayout.MAGIC_OFFSET, BatchLayout.MAGIC_V2);
    }
    claims.putInt(BatchLayout.LENGTH_OFFSET, claims.capacity());
    Run run = run(segment.addRaw(claims.array()).toByteArray());
    assertFaults(run, "SEGMENT_SCAN_STOPPED@" + bytes.length);
  }

  /** Thousands of headers that claim a batch of 33 MB lie within one window of the search. */
  @Test
  @Timeout(20)
  void aSearchGivesUpWithinAWindow() {
    ByteBuffer claims = ByteBuffer.allocate(40 << 20);
    for (int at = BatchLayout.HEADER_BYTES; at < 1 << 18; at += BatchLayout.HEADER_BYTES) {
      claims.putInt(at + BatchLayout.LENGTH_OFFSET, 33 << 20);
      claims.put(at + BatchLayout.MAGIC_OFFSET, BatchLayout.MAGIC_V2);
    }
    Arrays.fill(claims.array(), 0, BatchLayout.PREFIX_BYTES, (byte) -1);
    assertFaults(run(claims.array()), "SEGMENT_SCAN_STOPPED@0");
  }

  /** Most random bytes that look like the start of a batch claim half of the rest of the file. */
  @Test
  @Timeout(60)
  void theScanGoesOnAfterDamageInALargeFile() throws IOException {
    byte[] garbage = new byte[4 << 20];
    new Random(7).nextBytes(garbage);
    garbage[16] = 77;
    segment.addRaw(garbage).add(SegmentBytes.batch(Codec.NONE, 3, 3));
    byte[] front = segment.add(SegmentBytes.batch(Codec.LZ4, 2, 4)).toByteArray();
    Path path = SegmentBytes.write(directory, "some.log", front);
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(1 << 28);
    }
    Run run = Run.json(path);
    assertFaults(
        run, "SEGMENT_FRAMING_CORRUPT@" + bytes.length, "SEGMENT_TRUNCATED_TAIL@" + front.length);
    assertBatches(BATCHES + 2, run);
  }

  /** Damage in many places, each followed by an intact batch whose offset is lower than before. */
  @Test
  @Timeout(60)
  void aSearchThatFindsNothingCostsToo() {
    ByteBuffer empty = Batches.ofPayload(Codec.NONE, 0, new byte[0]);
    byte[] garbage = new byte[BatchLayout.PREFIX_BYTES];
    Arrays.fill(garbage, (byte) -1);
    SegmentBytes falling = new SegmentBytes();
    for (int group = 80_000; group > 0; group--) {
      falling.addAt(2L * group, empty).addAt(2L * group + 1, empty).addRaw(garbage);
    }
    List<String> faults = run(falling.toByteArray()).faults();
    String last = faults.get(faults.size() - 1);
    assertTrue(last.startsWith("SEGMENT_SCAN_STOPPED@"), last);
  }

  /** For programs, which do not read sentences. */
  @Test
  void skippedBytesAreReported() {
    JsonNode corrupt = runWithLength(-1).objects("fault").get(0);
    int resume = segment.position(3);
    assertEquals(resume, corrupt.get("resumeAt").asInt());
    assertEquals(resume - middle, corrupt.get("skippedBytes").asInt());
    JsonNode tail = run(Arrays.copyOf(bytes, middle + 40)).objects("fault").get(0);
    assertEquals(40, tail.get("skippedBytes").asInt());
    assertFalse(tail.has("resumeAt"));
    byte[] garbage = new byte[500];
    Arrays.fill(garbage, (byte) -1);
    JsonNode stopped = run(garbage).objects("fault").get(0);
    assertEquals("SEGMENT_NOT_RECOGNIZED", stopped.get("reason").asText());
    assertEquals(500, stopped.get("skippedBytes").asInt());
    assertFalse(stopped.has("resumeAt"));
  }

  @Test
  void aChangedMagicIsReportedAndSkipped() {
    bytes[middle + BatchLayout.MAGIC_OFFSET] = 1;
    Run run = run(bytes);
    assertFaults(run, "BATCH_CRC_MISMATCH@" + middle);
    assertBatches(BATCHES, run);
  }

  /** A log that was begun by an old broker: magic 0, then 1, then 2. */
  @Test
  void oldMessagesAreChecked() {
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    for (int i = 0; i < 3; i++) {
      log.writeBytes(LegacyMessage.of(0).offset(i).toBytes());
    }
    log.writeBytes(
        LegacyMessage.holding(1, Codec.GZIP, LegacyMessage.several(1, 4)).offset(6).toBytes());
    int damaged = log.size();
    log.writeBytes(LegacyMessage.of(1).offset(7).crcError(1).toBytes());
    int inner = log.size();
    LegacyMessage[] messages = LegacyMessage.several(1, 2);
    messages[1].crcError(1);
    log.writeBytes(LegacyMessage.holding(1, Codec.LZ4, messages).offset(9).toBytes());
    byte[] current =
        new SegmentBytes().addAt(10, SegmentBytes.batch(Codec.NONE, 4, 9)).toByteArray();
    log.writeBytes(current);
    Run run = run(log.toByteArray());
    assertFaults(run, "BATCH_CRC_MISMATCH@" + damaged, "RECORD_CRC_MISMATCH@" + inner);
    assertBatches(7, run);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void anIntactOldMessageBeforeDamageIsChecked(int magic) {
    byte[] garbage = new byte[100];
    Arrays.fill(garbage, (byte) 0xEE);
    byte[] message = LegacyMessage.of(magic).offset(0).toBytes();
    SegmentBytes mixed = new SegmentBytes().addRaw(message).addRaw(garbage);
    mixed.addAt(1, SegmentBytes.batch(Codec.NONE, 4, 9));
    mixed.addAt(5, SegmentBytes.batch(Codec.LZ4, 4, 8));
    Run run = run(mixed.toByteArray());
    assertFaults(run, "SEGMENT_FRAMING_CORRUPT@" + message.length);
    assertBatches(3, run);
  }

  /**
   * The search does not find messages of magic 0 and 1, so the report must not say to drop them.
   */
  @Test
  void aLengthOfAnOldMessageStopsTheScan() {
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    int third = 0;
    for (int i = 0; i < 5; i++) {
      third = i == 2 ? log.size() : third;
      log.writeBytes(LegacyMessage.of(1).offset(i).toBytes());
    }
    byte[] damaged = log.toByteArray();
    ByteBuffer.wrap(damaged).putInt(third + BatchLayout.LENGTH_OFFSET, 1 << 30);
    Run run = run(damaged);
    assertFaults(run, "SEGMENT_SCAN_STOPPED@" + third);
    assertBatches(2, run);
  }

  /** The batch before a damaged one tells a last offset that no other reaches. */
  @Test
  void intactBatchesAreFoundAfterALastOffsetThatIsTooLarge() {
    int before = segment.position(1);
    ByteBuffer.wrap(bytes).putInt(before + BatchLayout.LAST_OFFSET_DELTA_OFFSET, Integer.MAX_VALUE);
    Run run = runWithLength(0x7F00_0000);
    assertFaults(run, "BATCH_CRC_MISMATCH@" + before, "SEGMENT_FRAMING_CORRUPT@" + middle);
    assertBatches(BATCHES - 1, run);
  }

  @Test
  void offsetsOutOfOrder() {
    ByteBuffer batch = SegmentBytes.batch(Codec.NONE, 4, 9);
    SegmentBytes broken = new SegmentBytes().addAt(10, batch).addAt(13, batch).addAt(14, batch);
    Run run = run(broken.addAt(18, batch).toByteArray());
    assertFaults(
        run,
        "SEGMENT_OFFSETS_OUT_OF_ORDER@" + broken.position(1),
        "SEGMENT_OFFSETS_OUT_OF_ORDER@" + broken.position(2));
    JsonNode fault = run.objects("fault").get(0);
    assertEquals(
        "base offset is 13, the batch before it ends at 13", fault.get("message").asText());
    assertEquals(13, fault.get("offset").asInt());
  }

  @Test
  void offsetsBelowTheNameOfTheFile() {
    SegmentBytes good = new SegmentBytes().addAt(42, SegmentBytes.batch(Codec.NONE, 4, 9));
    byte[] content = good.toByteArray();
    Path exact = SegmentBytes.write(directory, "00000000000000000042.log", content);
    Path above = SegmentBytes.write(directory, "00000000000000000043.log", content);
    Path other = SegmentBytes.write(directory, "43.log", content);
    Run run = Run.json(exact, above, other);
    assertFaults(run, "SEGMENT_OFFSET_BELOW_BASE@0");
    assertEquals(above.toString(), run.objects("fault").get(0).get("file").asText());
  }

  @Test
  void negativeBaseOffset() {
    ByteBuffer.wrap(bytes).putLong(0, -5);
    assertFaults(run(bytes), "SEGMENT_BASE_OFFSET_WRONG@0");
  }

  /** No checksum covers the base offset, so one flipped bit makes the least number of 0. */
  @Test
  void leastBaseOffset() {
    ByteBuffer.wrap(bytes).putLong(0, Long.MIN_VALUE);
    String name = "00000000000000000000.log";
    assertFaults(
        Run.json(SegmentBytes.write(directory, name, bytes)), "SEGMENT_BASE_OFFSET_WRONG@0");
    byte[] alone = Arrays.copyOf(bytes, segment.position(1));
    Run run = Run.json(SegmentBytes.write(directory, name, alone));
    assertFaults(run, "SEGMENT_OFFSET_BELOW_BASE@0");
    assertEquals(Long.MIN_VALUE, run.objects("file").get(0).get("firstOffset").asLong());
  }

  @Test
  void failingRecordsAreListedWithTheirIndexes() {
    ByteBuffer batch = Batches.ofPlain(Codec.GZIP, 40, sameOffset(40));
    SegmentBytes broken = new SegmentBytes().add(batch).add(SegmentBytes.batch(Codec.NONE, 2, 1));
    Run run = run(broken.toByteArray());
    List<JsonNode> faults = run.objects("fault");
    assertEquals(16, faults.size());
    assertEquals("RECORD_OFFSET_OUT_OF_ORDER", faults.get(0).get("reason").asText());
    String message = faults.get(3).get("message").asText();
    assertEquals("offset delta is 0 after 0, or beyond the batch's last one", message);
    assertEquals(BatchLayout.HEADER_BYTES, faults.get(3).get("at").asInt());
    assertEquals(4, faults.get(3).get("recordIndex").asInt());
    assertEquals(39, faults.get(3).get("failedRecords").asInt());
    assertEquals(42, run.summary().get("records").asInt());
  }

  @Test
  void failingRecordsOfAPlainBatchHaveTheirPositions() {
    byte[] plain = sameOffset(3);
    ByteBuffer batch = Batches.ofPlain(Codec.NONE, 3, plain);
    int from = segment.position(0) + bytes.length;
    List<JsonNode> faults = run(segment.add(batch).toByteArray()).objects("fault");
    for (int i = 0; i < 2; i++) {
      int record = (i + 1) * plain.length / 3;
      assertEquals(i + 1, faults.get(i).get("recordIndex").asInt());
      assertEquals(
          from + BatchLayout.HEADER_BYTES + record, faults.get(i).get("at").asInt(), "" + i);
    }
  }

  private static byte[] sameOffset(int records) {
    byte[] one = Batches.plainRecords(new SimpleRecord(Batches.nowMs(), null, new byte[10]));
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < records; i++) {
      all.writeBytes(one);
    }
    return all.toByteArray();
  }

  @Test
  void moreFaultsThanAreKept() {
    SegmentBytes many = new SegmentBytes();
    ByteBuffer batch = SegmentBytes.batch(Codec.NONE, 1, 1).putInt(BatchLayout.CRC_OFFSET, 0);
    int count = 12_000;
    for (int i = 0; i < count; i++) {
      many.add(batch);
    }
    Path path = SegmentBytes.write(directory, "some.log", many.toByteArray());
    assertEquals(count, Run.json(path).faults().size());
    List<String> few = Run.of(path.toString()).out().lines().toList();
    assertEquals(11, few.stream().filter(line -> line.startsWith("    byte ")).count());
    assertTrue(few.contains("  FAULT BATCH_CRC_MISMATCH, 12000 times"), few::toString);
    assertTrue(few.contains("    ... 11989 more; --json prints all of them"), few::toString);
    List<String> all = Run.of("-v", path.toString()).out().lines().toList();
    assertEquals(10_001, all.stream().filter(line -> line.startsWith("    byte ")).count());
    assertTrue(all.contains("    ... 1999 more; --json prints all of them"));
  }

  /** Whatever one byte says: no crash, and only what follows the damaged batch may be told. */
  @Test
  void everyByteOfABatchDamaged() {
    int end = segment.position(3);
    for (int at = middle; at < end; at++) {
      byte[] damaged = bytes.clone();
      damaged[at] ^= (byte) 0xA5;
      Run run = Run.ofBytes(damaged);
      boolean leaderEpoch = at - middle >= 12 && at - middle < BatchLayout.MAGIC_OFFSET;
      assertEquals(leaderEpoch ? 0 : 1, run.exitCode(), "byte " + (at - middle));
      boolean baseOffset = at - middle < BatchLayout.LENGTH_OFFSET;
      List<Integer> where = baseOffset ? List.of(middle, end) : List.of(middle);
      for (JsonNode fault : run.objects("fault")) {
        assertTrue(where.contains(fault.get("position").asInt()), run.out());
      }
    }
  }
}
