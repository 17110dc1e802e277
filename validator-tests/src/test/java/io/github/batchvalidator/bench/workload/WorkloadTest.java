// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.rule.Codec;
import java.nio.ByteBuffer;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The batches are what a benchmark's parameters say. */
class WorkloadTest {
  @ParameterizedTest
  @EnumSource(PayloadKind.class)
  void hasSoManyRecordsOfSuchASize(PayloadKind payload) {
    for (int valueBytes : new int[] {100, 1024, 10_240}) {
      ProducedBatch batch = Workload.json(Codec.LZ4, 10, valueBytes).of(payload).first();
      int records = 0;
      for (Record each : MemoryRecords.readableRecords(batch.copy()).records()) {
        assertEquals(valueBytes, each.valueSize());
        assertEquals(-1, each.keySize());
        assertEquals(0, each.headers().length);
        records++;
      }
      assertEquals(10, records);
      assertEquals(10, batch.records());
    }
  }

  @ParameterizedTest
  @EnumSource(PayloadKind.class)
  void theSameSeedGivesTheSameBatch(PayloadKind payload) {
    Workload workload = Workload.json(Codec.GZIP, 10, 1024).of(payload);
    assertEquals(workload.first().copy(), workload.first().copy());
    ProducedBatch[] several = workload.batches(2);
    assertEquals(workload.first().copy(), several[0].copy());
    assertNotEquals(several[0].copy(), several[1].copy());
  }

  /** What zstd makes of them: real events and logs of 1 KiB are between 3 and 6 times smaller. */
  @ParameterizedTest
  @CsvSource({"JSON, 3, 5", "LOG_LINES, 3, 6", "INCOMPRESSIBLE, 0.99, 1.02"})
  void compressesLikeWhatItIs(PayloadKind payload, double least, double most) {
    ProducedBatch batch = Workload.json(Codec.ZSTD, 125, 1024).of(payload).first();
    double ratio = (double) batch.plainBytes() / batch.storedBytes();
    assertTrue(ratio > least && ratio < most, () -> "compressed " + ratio + " times");
  }

  @Test
  void mayHaveKeysAndHeaders() {
    ProducedBatch batch =
        Workload.json(Codec.NONE, 10, 100).shaped(RecordShape.KEY_AND_TWO_HEADERS).first();
    for (Record each : MemoryRecords.readableRecords(batch.copy()).records()) {
      assertEquals(16, each.keySize());
      assertEquals(2, each.headers().length);
      assertEquals(100, each.valueSize());
    }
  }

  @ParameterizedTest
  @EnumSource(Memory.class)
  void liesWhereItShall(Memory memory) {
    ProducedBatch batch = Workload.json(Codec.NONE, 10, 100).in(memory).first();
    ByteBuffer copy = batch.copy();
    assertEquals(memory == Memory.DIRECT, copy.isDirect());
    assertEquals(0, copy.position());
    assertEquals(batch.storedBytes(), copy.remaining());
  }
}
