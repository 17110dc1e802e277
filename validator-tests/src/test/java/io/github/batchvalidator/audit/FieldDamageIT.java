// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.format.BatchLayout;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * One damaged field is one fault, which names the batch that has the field. The partition has all
 * of its other files, so that each of them could seem to be wrong.
 */
class FieldDamageIT {
  @TempDir private static Path samples;

  @TempDir private Path data;

  @BeforeAll
  static void writeSample() throws IOException {
    SampleLog.write(samples);
  }

  /** The high bits of a base offset, in a batch of any place. */
  @ParameterizedTest
  @CsvSource({
    "0, 0, 0x0000100000000000", // the first batch of the partition
    "0, 9, 0x4000000000000000",
    "0, 9, 0x8000000000000000",
    "0, 39, 0x0000000100000000", // the last batch of a segment, five segments follow
    "0, 39, 0x0000000000000010",
    "1, 0, 0x0000000000000001", // the first batch of a transaction
    "1, 3, 0x0000000000000100", // a marker
    "3, 0, 0x0000000000008000",
    "5, 5, 0x0000000000010000", // the last batch of the partition
    "5, 5, 0x0000000000000004",
  })
  void aBaseOffset(int segment, int batch, String mask) throws Exception {
    long bits = Long.parseUnsignedLong(mask.substring(2), 16);
    StoredLog log = copy();
    int at = log.batches(segment).get(batch).position();
    log.edit(log.file(segment, ".log"), all -> all.putLong(at, all.getLong(at) ^ bits));
    Audited audited = Audited.ofOld(data);
    String expected = "SEGMENT_BASE_OFFSET_WRONG " + log.at(segment, ".log", at);
    assertEquals(List.of(expected), audited.faults(), audited::text);
    assertEquals(251, audited.partition().lastOffset());
  }

  /** Without any other file, only the batches around it say that the field is wrong. */
  @Test
  void aBaseOffsetWithoutOtherFiles() throws Exception {
    StoredLog log = copy();
    for (int i = 0; i < SampleLog.SEGMENTS; i++) {
      log.deleteIndexes(i);
    }
    log.deleteSnapshots();
    int at = log.batches(0).get(20).position();
    log.edit(log.file(0, ".log"), all -> all.putLong(at, all.getLong(at) + (1L << 40)));
    Audited audited = Audited.ofOld(data);
    assertEquals(List.of("SEGMENT_BASE_OFFSET_WRONG " + log.at(0, ".log", at)), audited.faults());
    assertTrue(
        audited.text().contains("the batch before it and the batch after it show that it is "),
        audited::text);
  }

  /** Nothing follows the last batch of the partition, but the offset index has an entry for it. */
  @Test
  void aBaseOffsetThatOnlyTheIndexKnows() throws Exception {
    StoredLog log = copy();
    log.deleteSnapshots();
    int at = log.batches(5).get(5).position();
    log.edit(log.file(5, ".log"), all -> all.putLong(at, all.getLong(at) + 4));
    Audited audited = Audited.ofOld(data);
    assertEquals(List.of("SEGMENT_BASE_OFFSET_WRONG " + log.at(5, ".log", at)), audited.faults());
    assertTrue(audited.text().contains("the entry of the offset index show"), audited::text);
  }

  /**
   * Three bits of each field are changed in each batch. In the first, the middle and the last batch
   * of a segment, each bit of the fields that no checksum covers is changed.
   */
  @ParameterizedTest
  @CsvSource({
    "base offset, 0, 8",
    "length, 8, 4",
    "leader epoch, 12, 4",
    "magic, 16, 1",
    "checksum, 17, 4",
    "attributes, 21, 2",
    "last offset delta, 23, 4",
    "timestamps, 27, 16",
    "producer id, 43, 8",
    "producer epoch, 51, 2",
    "base sequence, 53, 4",
    "record count, 57, 4",
  })
  void oneBitOfAField(String field, int from, int bytes) throws Exception {
    StoredLog log = copy();
    List<String> wrong = new ArrayList<>();
    for (int segment = 0; segment < SampleLog.SEGMENTS; segment++) {
      List<StoredLog.Batch> batches = log.batches(segment);
      Path file = log.file(segment, ".log");
      for (int i = 0; i < batches.size(); i++) {
        int last = batches.size() - 1;
        boolean isFirstMiddleOrLast = i == 0 || i == batches.size() / 2 || i == last;
        boolean isAll = isFirstMiddleOrLast && from < BatchLayout.ATTRIBUTES_OFFSET;
        for (int bit : bits(i, bytes * Byte.SIZE, isAll)) {
          int at = batches.get(i).position() + from + bit / Byte.SIZE;
          flip(file, at, 0x80 >>> bit % Byte.SIZE);
          String what = what(Audited.ofOld(data), file, batches.get(i).position());
          flip(file, at, 0x80 >>> bit % Byte.SIZE);
          if (!what.isEmpty()) {
            wrong.add(
                String.format(
                    Locale.ROOT,
                    "bit %d of %s of batch %d of segment %d: %s",
                    bit,
                    field,
                    i,
                    segment,
                    what));
          }
        }
      }
    }
    assertEquals(List.of(), wrong, () -> String.join("\n", wrong));
  }

  /** Returns which bits are changed: of the fields that the checksum covers, a few will do. */
  private static int[] bits(int batch, int bits, boolean isAll) {
    return isAll
        ? IntStream.range(0, bits).toArray()
        : new int[] {0, (7 * batch + 5) % bits, bits - 1};
  }

  /** Changes bits of a byte in place, because to truncate a file and write it again takes long. */
  private static void flip(Path file, int at, int bits) throws IOException {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      open.seek(at);
      int before = open.read();
      open.seek(at);
      open.write(before ^ bits);
    }
  }

  /** Returns what is wrong with the answer, or an empty text. */
  private static String what(Audited audited, Path file, int position) {
    String name = String.valueOf(file.getFileName());
    List<String> faults = audited.messages();
    if (!audited.errors().isEmpty() || faults.size() != 1) {
      return audited.errors() + audited.text();
    }
    String fault = faults.get(0);
    boolean isAtBatch = fault.contains(" " + name + "@" + position + ": ");
    boolean namesBatch = fault.contains("(" + name + ", byte " + position + ")");
    return isAtBatch || namesBatch ? "" : fault;
  }

  private StoredLog copy() throws IOException {
    StoredLog.copy(samples.resolve("orders-3"), data.resolve("orders-3"));
    assertEquals(BatchLayout.HEADER_BYTES, 61);
    return new StoredLog(data.resolve("orders-3"));
  }
}
