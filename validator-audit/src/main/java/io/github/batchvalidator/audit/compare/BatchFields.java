// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.compare;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.BigEndian;
import java.util.ArrayList;
import java.util.List;

/** The names of the fields in which two batches differ. */
final class BatchFields {
  private static final int ATTRIBUTES_LOW = BatchLayout.ATTRIBUTES_OFFSET + 1;

  /** A field of the header of magic 2. */
  private record Field(String name, int from, int to) {}

  /** The fields under the checksum, in their order. */
  private static final List<Field> FIELDS =
      List.of(
          new Field(
              "last offset",
              BatchLayout.LAST_OFFSET_DELTA_OFFSET,
              BatchLayout.BASE_TIMESTAMP_OFFSET),
          new Field(
              "base timestamp",
              BatchLayout.BASE_TIMESTAMP_OFFSET,
              BatchLayout.MAX_TIMESTAMP_OFFSET),
          new Field(
              "max timestamp", BatchLayout.MAX_TIMESTAMP_OFFSET, BatchLayout.PRODUCER_ID_OFFSET),
          new Field(
              "producer id", BatchLayout.PRODUCER_ID_OFFSET, BatchLayout.PRODUCER_EPOCH_OFFSET),
          new Field(
              "producer epoch",
              BatchLayout.PRODUCER_EPOCH_OFFSET,
              BatchLayout.BASE_SEQUENCE_OFFSET),
          new Field("sequence", BatchLayout.BASE_SEQUENCE_OFFSET, BatchLayout.RECORD_COUNT_OFFSET),
          new Field("record count", BatchLayout.RECORD_COUNT_OFFSET, BatchLayout.HEADER_BYTES));

  private BatchFields() {}

  /** Returns the names of the fields that differ, for example {@code codec, records}. */
  static String different(CopyCursor one, CopyCursor other) {
    if (one.magic() != BatchLayout.MAGIC_V2 || other.magic() != BatchLayout.MAGIC_V2) {
      return one.magic() == other.magic() ? "the message" : "the magic";
    }
    List<String> names = new ArrayList<>();
    if (one.leaderEpoch() != other.leaderEpoch()) {
      names.add("leader epoch");
    }
    int attributes = attributes(one) ^ attributes(other);
    addIf(names, attributes & BatchLayout.CODEC_MASK, "codec");
    addIf(names, attributes & BatchLayout.TIMESTAMP_TYPE_MASK, "timestamp type");
    addIf(names, attributes & ~BatchLayout.CODEC_MASK & ~BatchLayout.TIMESTAMP_TYPE_MASK, "flags");
    for (Field field : FIELDS) {
      if (!isSame(one, other, field)) {
        names.add(field.name);
      }
    }
    if (!hasSameRecords(one, other)) {
      names.add("records");
    }
    return names.isEmpty() ? "checksum" : String.join(", ", names);
  }

  private static void addIf(List<String> names, int bits, String name) {
    if (bits != 0) {
      names.add(name);
    }
  }

  private static int attributes(CopyCursor batch) {
    return batch.buffer().get(batch.index() + ATTRIBUTES_LOW);
  }

  private static boolean isSame(CopyCursor one, CopyCursor other, Field field) {
    for (int i = field.from; i < field.to; i++) {
      if (one.buffer().get(one.index() + i) != other.buffer().get(other.index() + i)) {
        return false;
      }
    }
    return true;
  }

  private static boolean hasSameRecords(CopyCursor one, CopyCursor other) {
    return one.hasBytesOf(other, BatchLayout.HEADER_BYTES);
  }

  /** Returns true if two batches differ in nothing but their leader epochs. */
  static boolean differInEpochOnly(CopyCursor one, CopyCursor other) {
    return one.magic() == BatchLayout.MAGIC_V2
        && one.leaderEpoch() != other.leaderEpoch()
        && one.hasBytesOf(other, BatchLayout.MAGIC_OFFSET);
  }

  /** Returns true if the header of a batch shows that the cleaner has rewritten it. */
  static boolean showsCompaction(CopyCursor batch) {
    if (batch.magic() != BatchLayout.MAGIC_V2) {
      return false;
    }
    int count = BigEndian.getInt(batch.buffer(), batch.index() + BatchLayout.RECORD_COUNT_OFFSET);
    return count < batch.lastOffset() - batch.baseOffset() + 1
        || (attributes(batch) & BatchLayout.DELETE_HORIZON_MASK) != 0;
  }

  /** Returns the number of records that a batch of magic 2 declares, or 1. */
  static int recordCount(CopyCursor batch) {
    return batch.magic() == BatchLayout.MAGIC_V2
        ? BigEndian.getInt(batch.buffer(), batch.index() + BatchLayout.RECORD_COUNT_OFFSET)
        : 1;
  }
}
