// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.RecordBytes;
import java.nio.ByteBuffer;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.PrimitiveRef;
import org.apache.kafka.storage.internals.log.RecordValidationStats;
import org.junit.jupiter.api.Test;

/** The duration of a rebuild in the statistics, which no other test compares. */
class ConversionTimeTest {
  @Test
  void theTimeIsThatOfTheRebuild() {
    long started = System.nanoTime();
    long reported = append(Codec.LZ4, Codec.ZSTD).conversionTimeNanos();
    long took = System.nanoTime() - started;
    assertTrue(0 < reported && reported <= took, reported + " of " + took);
  }

  @Test
  void inPlaceTheTimeIsZero() {
    assertEquals(0, append(Codec.LZ4, Codec.LZ4).conversionTimeNanos());
  }

  private static RecordValidationStats append(Codec source, Codec target) {
    ByteBuffer batch = Batches.ofPlain(source, 1, new RecordBytes().toBytes());
    return Validators.of(batch, source, target, false)
        .validateMessagesAndAssignOffsets(
            PrimitiveRef.ofLong(0), new RecordedMetrics(), BufferSupplier.NO_CACHING)
        .recordValidationStats();
  }
}
