// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.GzipInflater;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.RecordBytes;
import io.github.batchvalidator.verdict.BatchSeal;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;

/** Guarded engines throw only exceptions of Kafka, and free what they created. */
class GuardedEnginesTest {
  private static final int ERRORS = 10;
  private static final Policy TO_ZSTD = Batches.storing(Policy.CLIENT, Codec.ZSTD);

  private final GuardedEngines engines = new GuardedEngines(ERRORS, GzipInflater.JDK);

  private static ByteBuffer good() {
    return Batches.ofPlain(Codec.LZ4, 1, new RecordBytes().toBytes());
  }

  private boolean rebuild(ByteBuffer batch) {
    return engines.rebuild(Batches.framed(batch), TO_ZSTD, Codec.LZ4, 7, Batches.nowMs());
  }

  @Test
  void aRebuiltBatchHasMemoryOfItsOwn() {
    assertTrue(rebuild(good()));
    ByteBuffer first = Objects.requireNonNull(engines.rebuiltBatch());
    ByteBuffer copy = Batches.copy(first);
    assertTrue(rebuild(good()));
    assertNotSame(first, engines.rebuiltBatch());
    assertEquals(copy, first);
    assertEquals(first.remaining(), first.capacity());
  }

  @Test
  void aFailureInsideIsAnOwnFault() {
    KafkaException e = assertThrows(KafkaException.class, () -> engines.rebuiltBatch());
    assertInstanceOf(IllegalStateException.class, e.getCause());
    assertTrue(OwnFault.is(e));
    assertTrue(engines.broken());
  }

  @Test
  void aRefusedBatchDoesNotBreakThem() {
    assertFalse(engines.inspect(ByteBuffer.allocate(100), Policy.CLIENT, Codec.LZ4, false, 0));
    assertFalse(rebuild(ByteBuffer.allocate(100)));
    assertFalse(engines.broken());
  }

  @Test
  void aReadOnlyBufferDoesNotBreakThem() {
    ByteBuffer batch = good().asReadOnlyBuffer();
    assertTrue(engines.inspect(batch, Policy.CLIENT, Codec.LZ4, false, Batches.nowMs()));
    KafkaException e = assertThrows(KafkaException.class, () -> engines.stamp(batch, 1, 2, 3));
    assertTrue(String.valueOf(e.getMessage()).contains("read-only"), e.toString());
    assertFalse(engines.broken());
  }

  @Test
  void theirVerdictFitsNoBatchOfACaller() {
    ByteBuffer batch = good();
    assertTrue(engines.inspect(batch, Policy.CLIENT, Codec.LZ4, false, Batches.nowMs()));
    BatchSeal seal = Objects.requireNonNull(engines.verdict().seal());
    seal.takeFields(batch);
    assertTrue(seal.fits(batch));
    assertTrue(engines.inspect(batch, Policy.CLIENT, Codec.LZ4, false, Batches.nowMs()));
    assertFalse(seal.fits(batch));
    assertEquals(2, engines.stamp(batch, 1, 2, 3));
  }

  @Test
  void closeFreesAllThatTheyCreated() {
    assertTrue(rebuild(good()));
    engines.close();
    assertClosed(assertThrows(KafkaException.class, () -> rebuild(good())));
    assertClosed(
        assertThrows(
            KafkaException.class,
            () -> engines.inspect(good(), Policy.CLIENT, Codec.LZ4, false, 0)));
  }

  @Test
  void observingIgnoresAFailureOfTheStrictInspection() {
    engines.close();
    Policy observing = Policy.CLIENT.toBuilder().observing(true).build();
    assertFalse(engines.inspectStrictly(good(), observing, Codec.LZ4, Batches.nowMs()).accepted());
    assertTrue(engines.broken());
    Policy strict = Policy.CLIENT.toBuilder().level(Level.STRICT).build();
    assertClosed(
        assertThrows(
            KafkaException.class,
            () -> engines.inspectStrictly(good(), strict, Codec.LZ4, Batches.nowMs())));
  }

  private static void assertClosed(KafkaException e) {
    assertInstanceOf(IllegalStateException.class, e.getCause());
  }

  @Test
  void aKafkaOrderCheckIsClosedWithAllThatItCreated() {
    KafkaOrderCheck check = new KafkaOrderCheck(ERRORS);
    MutableVerdict first = new MutableVerdict(ERRORS);
    check.inspect(good(), Policy.CLIENT, Codec.LZ4, false, Batches.nowMs(), first);
    check.rebuild(Batches.framed(good()), TO_ZSTD, Codec.LZ4, Batches.nowMs(), first);
    check.close();
    assertThrows(
        IllegalStateException.class,
        () -> check.inspect(good(), Policy.CLIENT, Codec.LZ4, false, 0, first));
    assertThrows(
        IllegalStateException.class,
        () -> check.rebuild(Batches.framed(good()), TO_ZSTD, Codec.LZ4, 0, first));
  }

  @Test
  void aClosedKafkaOrderCheckCreatesNothingThatWorks() {
    KafkaOrderCheck check = new KafkaOrderCheck(ERRORS);
    check.close();
    assertThrows(
        IllegalStateException.class,
        () ->
            check.rebuild(
                Batches.framed(good()), TO_ZSTD, Codec.LZ4, 0, new MutableVerdict(ERRORS)));
  }
}
