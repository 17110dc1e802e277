// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.AllocationMeter;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.LegacyMessage;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.requests.ProduceResponse.RecordError;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.PrimitiveRef;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.RecordValidationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The allocation under the partition lock when a batch is refused in which every record fails. It
 * is at most that of Kafka's own class, and no more beyond the cap than at it.
 */
class RefusalCostIT {
  /** The default of {@code batchvalidator.limits.recordErrors}. */
  private static final int MOST = 65_536;

  private static final int MANY = 1 << 20;
  private static final MetricsOfNothing METRICS = new MetricsOfNothing();

  /** The kinds of failing records of an append. */
  private enum Kind {
    KEY_MISSING,
    TIMESTAMP_OUT_OF_RANGE,
    TIMESTAMP_TYPE_INVALID,
    MAGIC_MISMATCH;

    ByteBuffer batch(Codec codec, int count) {
      if (this == MAGIC_MISMATCH) {
        LegacyMessage[] messages = LegacyMessage.several(0, count);
        return LegacyMessage.holding(1, codec, messages).toBuffer();
      }
      SimpleRecord[] records = new SimpleRecord[count];
      for (int i = 0; i < count; i++) {
        records[i] = new SimpleRecord(Batches.nowMs() + i, new byte[1]);
      }
      ByteBuffer batch = Batches.of(codec, records);
      if (this == TIMESTAMP_TYPE_INVALID) {
        int at = BatchLayout.ATTRIBUTES_OFFSET + 1;
        batch.put(at, (byte) (batch.get(at) | BatchLayout.TIMESTAMP_TYPE_MASK));
        Batches.fixCrc(batch);
      }
      return batch;
    }

    AppendSettings settings() {
      long mostAgeMs = this == TIMESTAMP_OUT_OF_RANGE ? 1 : Long.MAX_VALUE;
      return new AppendSettings(
          this == KEY_MISSING,
          this == MAGIC_MISMATCH ? 1 : 2,
          this == TIMESTAMP_TYPE_INVALID
              ? TimestampType.LOG_APPEND_TIME
              : TimestampType.CREATE_TIME,
          mostAgeMs,
          mostAgeMs,
          AppendOrigin.CLIENT);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "KEY_MISSING, NONE, NONE",
    "KEY_MISSING, LZ4, LZ4",
    "KEY_MISSING, LZ4, GZIP",
    "TIMESTAMP_OUT_OF_RANGE, NONE, NONE",
    "TIMESTAMP_OUT_OF_RANGE, LZ4, LZ4",
    "TIMESTAMP_OUT_OF_RANGE, LZ4, GZIP",
    "TIMESTAMP_TYPE_INVALID, NONE, NONE",
    "TIMESTAMP_TYPE_INVALID, LZ4, LZ4",
    "TIMESTAMP_TYPE_INVALID, LZ4, GZIP",
    "MAGIC_MISMATCH, LZ4, LZ4",
    "MAGIC_MISMATCH, LZ4, GZIP"
  })
  void noMoreThanKafka(Kind kind, Codec source, Codec target) {
    ByteBuffer batch = kind.batch(source, MOST);
    assertEquals(MOST, errors(() -> stock(kind, batch, source, target)).size());
    assertEquals(MOST, errors(() -> ours(kind, batch, source, target)).size());
    long stock = bytes(() -> errors(() -> stock(kind, batch, source, target)));
    long ours = bytes(() -> errors(() -> ours(kind, batch, source, target)));
    assertTrue(ours <= stock, () -> ours + " bytes, Kafka's class " + stock);
  }

  /** Equal facts share a string, so each record takes an object and a reference. */
  @Test
  void equalTextsAreMadeOnce() {
    ByteBuffer batch = Kind.KEY_MISSING.batch(Codec.NONE, MOST);
    long bytes = bytes(() -> errors(() -> ours(Kind.KEY_MISSING, batch, Codec.NONE, Codec.NONE)));
    assertTrue(bytes <= 40L * MOST, () -> bytes + " bytes");
  }

  @Test
  void beyondTheCapRecordsAreOnlyCounted() {
    Kind kind = Kind.TIMESTAMP_OUT_OF_RANGE;
    ByteBuffer some = kind.batch(Codec.NONE, MOST);
    ByteBuffer many = kind.batch(Codec.NONE, MANY);
    assertEquals(MOST, errors(() -> ours(kind, many, Codec.NONE, Codec.NONE)).size());
    long atCap = bytes(() -> errors(() -> ours(kind, some, Codec.NONE, Codec.NONE)));
    long beyond = bytes(() -> errors(() -> ours(kind, many, Codec.NONE, Codec.NONE)));
    assertTrue(beyond <= atCap + MOST, () -> beyond + " bytes, at the cap " + atCap);
  }

  private static long bytes(Runnable refusal) {
    return AllocationMeter.bytesPerCall(1, Long.MAX_VALUE, refusal);
  }

  private static List<RecordError> errors(Runnable append) {
    return assertThrows(RecordValidationException.class, append::run).recordErrors();
  }

  private static void ours(Kind kind, ByteBuffer batch, Codec source, Codec target) {
    Validators.of(batch, source, target, kind.settings())
        .validateMessagesAndAssignOffsets(
            PrimitiveRef.ofLong(0), METRICS, BufferSupplier.NO_CACHING);
  }

  private static void stock(Kind kind, ByteBuffer batch, Codec source, Codec target) {
    kind.settings()
        .validator(
            MemoryRecords.readableRecords(batch),
            Batches.compression(source).type(),
            Batches.compression(target))
        .validateMessagesAndAssignOffsets(
            PrimitiveRef.ofLong(0), METRICS, BufferSupplier.NO_CACHING);
  }
}
