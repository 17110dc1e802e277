// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.testing.Batches;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.jspecify.annotations.Nullable;

/** One batch whose inspection, and stamping if it is accepted, is measured. */
record AllocationCase(
    Codec codec, Memory memory, int records, Input input, TimestampType timestampType) {
  private static final long SEED = 20_240_229L;
  private static final byte MINUS_ONE_AS_VARINT = 1;

  /** The kind of memory that holds the batch. */
  enum Memory {
    HEAP,
    DIRECT,
    READ_ONLY_HEAP,
    READ_ONLY_DIRECT;

    boolean isDirect() {
      return this == DIRECT || this == READ_ONLY_DIRECT;
    }

    boolean isReadOnly() {
      return this == READ_ONLY_HEAP || this == READ_ONLY_DIRECT;
    }
  }

  /** The fault of the batch. */
  enum Input {
    ACCEPTED(null),
    CRC_MISMATCH(Reason.BATCH_CRC_MISMATCH),
    FIRST_RECORD_BAD(Reason.RECORD_HEADER_COUNT_INVALID),
    LAST_RECORD_BAD(Reason.RECORD_HEADER_COUNT_INVALID),
    BYTES_LEFT(Reason.PAYLOAD_BYTES_LEFT),
    RECORDS_MISSING(Reason.PAYLOAD_RECORDS_MISSING),
    EVERY_KEY_MISSING(Reason.RECORD_KEY_MISSING),
    EVERY_TIMESTAMP_OUT_OF_RANGE(Reason.RECORD_TIMESTAMP_OUT_OF_RANGE);

    final @Nullable Reason reason;

    Input(@Nullable Reason reason) {
      this.reason = reason;
    }

    /** Returns whether a topic of this timestamp type can refuse it at all. */
    boolean exists(TimestampType type) {
      return this != EVERY_TIMESTAMP_OUT_OF_RANGE || type == TimestampType.CREATE_TIME;
    }
  }

  /** Returns every case. */
  static List<AllocationCase> all() {
    List<AllocationCase> cases = new ArrayList<>();
    for (Codec codec : Codec.values()) {
      for (int records : new int[] {1, 100, 10_000}) {
        for (Memory memory : Memory.values()) {
          addInputs(cases, codec, memory, records);
        }
      }
    }
    return cases;
  }

  private static void addInputs(
      List<AllocationCase> cases, Codec codec, Memory memory, int records) {
    for (Input input : Input.values()) {
      for (TimestampType type : TimestampType.values()) {
        if (input.exists(type) && isWorthItsTime(records, memory, input, type)) {
          cases.add(new AllocationCase(codec, memory, records, input, type));
        }
      }
    }
  }

  /** Returns false for large batches whose case does not change the walk over the records. */
  private static boolean isWorthItsTime(
      int records, Memory memory, Input input, TimestampType type) {
    return records < 10_000
        || (memory != Memory.READ_ONLY_DIRECT
            && (input == Input.ACCEPTED || type == TimestampType.CREATE_TIME));
  }

  /** Returns what the topic of this case asks for. */
  Policy policy() {
    long window = input == Input.EVERY_TIMESTAMP_OUT_OF_RANGE ? 0 : Long.MAX_VALUE;
    return Policy.builder(Origin.CLIENT)
        .target(Target.PRODUCER.withTimestampType(timestampType))
        .timestampWindowMs(window, window)
        .compactedTopic(input == Input.EVERY_KEY_MISSING)
        .build();
  }

  /** Returns the batch, writable whatever the memory. */
  ByteBuffer batch() {
    ByteBuffer heap = Batches.ofPlain(codec, declaredRecords(), plain());
    if (input == Input.CRC_MISMATCH) {
      heap.putInt(BatchLayout.CRC_OFFSET, ~heap.getInt(BatchLayout.CRC_OFFSET));
    }
    return memory.isDirect() ? Batches.direct(heap) : heap;
  }

  private int declaredRecords() {
    return input == Input.RECORDS_MISSING ? records + 1 : records;
  }

  private byte[] plain() {
    SimpleRecord[] all = new SimpleRecord[records];
    Random random = new Random(SEED);
    for (int i = 0; i < records; i++) {
      all[i] = simpleRecord(random, i);
    }
    byte[] plain = Batches.plainRecords(all);
    return switch (input) {
      case FIRST_RECORD_BAD -> withHeaderCountMinusOne(plain, Batches.plainRecords(all[0]).length);
      case LAST_RECORD_BAD -> withHeaderCountMinusOne(plain, plain.length);
      case BYTES_LEFT -> Arrays.copyOf(plain, plain.length + 1);
      default -> plain;
    };
  }

  /** A record without headers ends with their count. */
  private static byte[] withHeaderCountMinusOne(byte[] plain, int recordEnd) {
    plain[recordEnd - 1] = MINUS_ONE_AS_VARINT;
    return plain;
  }

  private SimpleRecord simpleRecord(Random random, int index) {
    String value = "{\"id\":" + index + ",\"number\":" + random.nextInt(1 << 20) + "}";
    byte[] key =
        input == Input.EVERY_KEY_MISSING ? null : new byte[] {(byte) index, (byte) (index >> 8)};
    return new SimpleRecord(
        Batches.nowMs() + 1 + index % 7, key, value.getBytes(StandardCharsets.UTF_8));
  }
}
