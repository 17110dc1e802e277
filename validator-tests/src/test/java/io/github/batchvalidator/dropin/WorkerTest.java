// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.internal.verdict.MutableVerdict;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.GzipInflater;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.RecordBytes;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;

/** A worker answers with Kafka's exceptions only, and frees what it made. */
class WorkerTest {
  private static final int ERRORS = 10;
  private static final Policy TO_ZSTD = Batches.storing(Policy.CLIENT, Codec.ZSTD);

  private final Worker worker = new Worker(ERRORS, GzipInflater.JDK, 0);

  private static ByteBuffer good() {
    return Batches.ofPlain(Codec.LZ4, 1, new RecordBytes().toBytes());
  }

  private boolean rebuild(ByteBuffer batch) {
    return worker.rebuild(batch, TO_ZSTD, Codec.LZ4, 7, Batches.nowMs());
  }

  @Test
  void aRebuiltBatchHasMemoryOfItsOwn() {
    assertTrue(rebuild(good()));
    ByteBuffer first = Objects.requireNonNull(worker.rebuiltBatch());
    ByteBuffer copy = Batches.copy(first);
    assertTrue(rebuild(good()));
    assertNotSame(first, worker.rebuiltBatch());
    assertEquals(copy, first);
    assertEquals(first.remaining(), first.capacity());
  }

  @Test
  void whatFailsInsideIsAFaultOfItsOwn() {
    KafkaException e = assertThrows(KafkaException.class, () -> worker.rebuiltBatch());
    assertInstanceOf(NullPointerException.class, e.getCause());
    assertTrue(worker.broken());
  }

  @Test
  void aRefusedBatchDoesNotBreakIt() {
    assertFalse(worker.inspect(ByteBuffer.allocate(100), Policy.CLIENT, Codec.LZ4, 0));
    assertFalse(rebuild(ByteBuffer.allocate(100)));
    assertFalse(worker.broken());
  }

  @Test
  void aReadOnlyBufferDoesNotBreakIt() {
    ByteBuffer batch = good().asReadOnlyBuffer();
    assertTrue(worker.inspect(batch, Policy.CLIENT, Codec.LZ4, Batches.nowMs()));
    KafkaException e = assertThrows(KafkaException.class, () -> worker.stamp(batch, 1, 2, 3));
    assertTrue(String.valueOf(e.getMessage()).contains("read-only"), e.toString());
    assertFalse(worker.broken());
  }

  @Test
  void isClosedWithAllThatItMade() {
    assertTrue(rebuild(good()));
    worker.close();
    assertClosed(assertThrows(KafkaException.class, () -> rebuild(good())));
    assertClosed(
        assertThrows(
            KafkaException.class, () -> worker.inspect(good(), Policy.CLIENT, Codec.LZ4, 0)));
  }

  @Test
  void whoOnlyObservesIsNotRefusedWhatCannotBeLookedAtTwice() {
    worker.close();
    Policy observing = Policy.CLIENT.toBuilder().observing(true).build();
    assertFalse(worker.lookStrictly(good(), observing, Codec.LZ4, Batches.nowMs()).accepted());
    assertTrue(worker.broken());
    Policy strict = Policy.CLIENT.toBuilder().level(Level.STRICT).build();
    assertClosed(
        assertThrows(
            KafkaException.class,
            () -> worker.lookStrictly(good(), strict, Codec.LZ4, Batches.nowMs())));
  }

  private static void assertClosed(KafkaException e) {
    assertInstanceOf(IllegalStateException.class, e.getCause());
  }

  @Test
  void aSecondLookIsClosedWithAllThatItMade() {
    SecondLook look = new SecondLook(ERRORS);
    look.close();
    MutableVerdict first = new MutableVerdict(ERRORS);
    look.inspect(good(), Policy.CLIENT, Codec.LZ4, Batches.nowMs(), first);
    look.rebuild(good(), TO_ZSTD, Codec.LZ4, Batches.nowMs(), first);
    look.close();
    assertThrows(
        IllegalStateException.class,
        () -> look.inspect(good(), Policy.CLIENT, Codec.LZ4, 0, first));
    assertThrows(
        IllegalStateException.class, () -> look.rebuild(good(), TO_ZSTD, Codec.LZ4, 0, first));
  }
}
