// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Verdict;
import io.github.batchvalidator.testing.Batches;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Exceptions are for misuse of the API, and misuse leaves the bytes alone. */
class MisuseTest {
  private final BatchValidator validator = new BatchValidator();
  private final Verdict verdict = new Verdict();
  private final ByteBuffer batch =
      Batches.of(Codec.ZSTD, new SimpleRecord(Batches.nowMs(), new byte[50]));

  @AfterEach
  void close() {
    validator.close();
  }

  @Test
  void aClosedValidatorInspectsNothing() {
    assertTrue(inspect());
    validator.close();
    assertThrows(IllegalStateException.class, this::inspect);
    assertEquals(0, validator.nativeBytes());
  }

  @Test
  void closingTwiceIsHarmless() {
    assertTrue(inspect());
    validator.close();
    assertDoesNotThrow(validator::close);
  }

  @Test
  void closingUnusedIsHarmless() {
    BatchValidator unused = BatchValidator.lowMemory();
    assertDoesNotThrow(unused::close);
  }

  @Test
  @SuppressWarnings("NullAway") // what callers without null checks may do
  void nullIsRefused() {
    long now = Batches.nowMs();
    assertThrows(
        NullPointerException.class, () -> validator.inspect(null, Policy.CLIENT, now, verdict));
    assertThrows(NullPointerException.class, () -> validator.inspect(batch, null, now, verdict));
    assertThrows(
        NullPointerException.class, () -> validator.inspect(batch, Policy.CLIENT, now, null));
    assertTrue(inspect(), "the validator works on");
    assertThrows(NullPointerException.class, () -> OffsetStamp.assign(null, verdict, 0, 0, now));
    assertThrows(NullPointerException.class, () -> OffsetStamp.assign(batch, null, 0, 0, now));
  }

  @Test
  void onlyAnAcceptedBatchIsStamped() {
    assertThrows(IllegalStateException.class, () -> OffsetStamp.assign(batch, verdict, 0, 0, 0));

    batch.put(batch.limit() - 1, (byte) ~batch.get(batch.limit() - 1));
    ByteBuffer before = Batches.copy(batch);
    assertFalse(inspect());

    IllegalStateException refused =
        assertThrows(
            IllegalStateException.class, () -> OffsetStamp.assign(batch, verdict, 0, 0, 0));
    assertTrue(String.valueOf(refused.getMessage()).contains("BATCH_CRC_MISMATCH"));
    assertEquals(before, batch);
  }

  @Test
  void aReadOnlyBufferIsNotStamped() {
    assertTrue(inspect());
    assertThrows(
        ReadOnlyBufferException.class,
        () -> OffsetStamp.assign(batch.asReadOnlyBuffer(), verdict, 0, 0, 0));
  }

  private boolean inspect() {
    return validator.inspect(batch, Policy.CLIENT, Batches.nowMs(), verdict);
  }
}
