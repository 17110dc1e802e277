// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.body;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.bench.workload.PayloadKind;
import io.github.batchvalidator.bench.workload.ProducedBatch;
import io.github.batchvalidator.bench.workload.Workload;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import java.nio.ByteBuffer;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Both ways to stamp write the same bytes, others each time. */
class StampBodyTest {
  @ParameterizedTest
  @ValueSource(ints = {1024, 16_384, 1_048_576})
  void splicedAndRecomputedAreTheSame(int valueBytes) {
    ProducedBatch[] batches =
        Workload.json(Codec.NONE, 1, valueBytes).of(PayloadKind.INCOMPRESSIBLE).batches(2);
    try (Body spliced = StampContender.SPLICED.open(batches);
        Body recomputed = StampContender.RECOMPUTED.open(batches)) {
      ByteBuffer before = ByteBuffer.allocate(0);
      for (int run = 0; run < 5; run++) {
        ByteBuffer stamped = (ByteBuffer) spliced.run();
        assertEquals(recomputed.run(), stamped);
        assertIsStamped(stamped);
        assertNotEquals(before, stamped);
        before = Batches.copy(stamped);
      }
    }
  }

  /** A batch with append time in it already would be stamped faster than any that is produced. */
  @ParameterizedTest
  @EnumSource
  void eachStampIsTheFirst(StampContender contender) {
    ProducedBatch[] batches = Workload.json(Codec.NONE, 1, 1024).batches(1);
    try (StampBody body = (StampBody) contender.open(batches)) {
      ByteBuffer produced = Batches.copy(body.next());
      body.run();
      ByteBuffer again = body.next();
      RecordBatch read = MemoryRecords.readableRecords(again).batches().iterator().next();
      assertTrue(read.isValid());
      assertEquals(TimestampType.CREATE_TIME, read.timestampType());
      int at = BatchLayout.CRC_OFFSET;
      assertEquals(produced.slice(at, produced.limit() - at), again.slice(at, again.limit() - at));
    }
  }

  private static void assertIsStamped(ByteBuffer batch) {
    RecordBatch read = MemoryRecords.readableRecords(batch).batches().iterator().next();
    assertTrue(read.isValid());
    assertEquals(TimestampType.LOG_APPEND_TIME, read.timestampType());
    assertEquals(AppendBody.FIRST_OFFSET, read.baseOffset());
    assertEquals(AppendBody.LEADER_EPOCH, read.partitionLeaderEpoch());
  }
}
