// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.dropin.line.LineAppend;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.requests.ProduceResponse.RecordError;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.PrimitiveRef;
import org.apache.kafka.storage.internals.log.RecordValidationException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A batch of nothing but failures gets an answer that does not grow with it. */
class RecordErrorsTest {
  /** The default of {@code batchvalidator.limits.recordErrors}. */
  private static final int MOST = 65_536;

  private final RecordedMetrics metrics = new RecordedMetrics();

  /** In place, compressed and uncompressed, and rebuilt. */
  @ParameterizedTest
  @CsvSource({"NONE, NONE", "LZ4, LZ4", "LZ4, GZIP"})
  void reportsAndCountsTheFirstOnes(Codec source, Codec target) {
    for (int records : new int[] {MOST, MOST + 1}) {
      List<RecordError> errors = refuse(records, source, target).recordErrors();
      assertEquals(MOST, errors.size());
      assertEquals(0, errors.get(0).batchIndex);
      assertEquals(MOST - 1, errors.get(MOST - 1).batchIndex);
      assertEquals(MOST, metrics.called().size());
      metrics.called().clear();
    }
  }

  private RecordValidationException refuse(int records, Codec source, Codec target) {
    LineAppend validator = Validators.of(withoutKeys(records, source), source, target, true);
    RecordValidationException refusal =
        assertThrows(
            RecordValidationException.class,
            () ->
                validator.validateMessagesAndAssignOffsets(
                    PrimitiveRef.ofLong(0), metrics, BufferSupplier.NO_CACHING));
    String message = String.valueOf(refusal.invalidException().getMessage());
    assertTrue(message.contains("due to " + records + " record errors in total"), message);
    return refusal;
  }

  private static ByteBuffer withoutKeys(int count, Codec codec) {
    SimpleRecord[] records = new SimpleRecord[count];
    Arrays.fill(records, new SimpleRecord(Batches.nowMs(), new byte[1]));
    return Batches.of(codec, records);
  }
}
