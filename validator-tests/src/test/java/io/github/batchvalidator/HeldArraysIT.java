// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.engine.BatchEngine;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.GzipInflater;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.HeldMemory;
import io.github.batchvalidator.testing.LegacyMessage;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What validators and rebuilders hold between batches, and say that they do. */
class HeldArraysIT {
  /** What does not depend on batches, such as the room for one number, is not stated. */
  private static final long UNSTATED_BYTES = 2048;

  private static final int LARGE = 300_000;

  /** The number of batches after which a Scratch drops an array that is too large. */
  private static final int PATIENCE = 128;

  private static final Policy COORDINATOR =
      Policy.builder(Origin.COORDINATOR).checkedByHost(true).build();
  private static final Policy STRICT =
      Policy.builder(Origin.COORDINATOR).level(Level.STRICT).build();

  private static final Set<Boolean> BOTH_ANSWERS = Set.of(true, false);

  private final MutableVerdict verdict = new MutableVerdict();

  /** Each way to have a validator. */
  enum Kind {
    FASTEST,
    GZIP_IN_JAVA,
    LOW_MEMORY,
    LIKE_KAFKA;

    BatchValidator open() {
      return switch (this) {
        case FASTEST -> new BatchValidator();
        case GZIP_IN_JAVA -> new BatchValidator(GzipInflater.JAVA);
        case LOW_MEMORY -> BatchValidator.lowMemory();
        case LIKE_KAFKA -> KafkaReads.validator();
      };
    }
  }

  /** Sound batches of every magic and codec, whose records are as large as that together. */
  private static List<byte[]> soundBatches(int bytes) {
    byte[] value = new byte[bytes / 2];
    new Random(bytes).nextBytes(value);
    List<byte[]> all = new ArrayList<>();
    for (Codec codec : Codec.values()) {
      SimpleRecord record = new SimpleRecord(Batches.nowMs(), new byte[] {1}, value);
      all.add(Batches.of(codec, record, record).array());
      for (int magic = 0; magic <= 1 && codec != Codec.ZSTD; magic++) {
        LegacyMessage first = LegacyMessage.of(magic).value(value);
        LegacyMessage second = LegacyMessage.of(magic).value(value).offset(1);
        boolean plain = codec == Codec.NONE;
        all.add((plain ? first : LegacyMessage.holding(magic, codec, first, second)).toBytes());
      }
    }
    return all;
  }

  /** The same with the last byte changed. */
  private static List<byte[]> damagedBatches(int bytes) {
    List<byte[]> all = soundBatches(bytes);
    for (byte[] each : all) {
      each[each.length - 1] ^= 1;
      Batches.fixCrc(ByteBuffer.wrap(each));
    }
    return all;
  }

  @ParameterizedTest
  @EnumSource
  void memoryForARefusedBatchIsStated(Codec target) {
    try (BatchRebuilder rebuilder = new BatchRebuilder()) {
      Set<Boolean> answers = new HashSet<>();
      for (ByteBuffer sound : buffers(soundBatches(LARGE))) {
        assertTrue(rebuild(rebuilder, sound, target), verdict::toString);
      }
      for (ByteBuffer damaged : buffers(damagedBatches(8 * LARGE))) {
        answers.add(rebuild(rebuilder, damaged, target));
        assertStated(rebuilder);
      }
      assertTrue(answers.contains(false));
    }
  }

  /** On and off the heap. */
  private static List<ByteBuffer> buffers(List<byte[]> batches) {
    List<ByteBuffer> all = new ArrayList<>();
    for (byte[] each : batches) {
      all.add(ByteBuffer.wrap(each));
      all.add(Batches.direct(ByteBuffer.wrap(each)));
    }
    return all;
  }

  private static void assertStated(long stated, long held) {
    assertTrue(
        stated <= held && stated >= held - UNSTATED_BYTES, () -> stated + " stated, held " + held);
  }

  private static void assertStated(BatchValidator validator) {
    HeldMemory held = new HeldMemory(validator);
    assertStated(validator.heapBytes(), held.arrayBytes());
    assertTrue(validator.nativeBytes() >= held.directBytes());
  }

  private static void assertStated(BatchRebuilder rebuilder) {
    HeldMemory held = new HeldMemory(rebuilder);
    assertStated(rebuilder.heapBytes(), held.arrayBytes());
    assertTrue(rebuilder.nativeBytes() >= held.directBytes());
  }

  @ParameterizedTest
  @EnumSource
  void validatorStatesTheArraysItHolds(Kind kind) {
    try (BatchValidator validator = kind.open()) {
      assertStated(validator);
      for (ByteBuffer batch : buffers(soundBatches(LARGE))) {
        assertTrue(inspect(validator, COORDINATOR, batch), verdict::toString);
        assertStated(validator);
      }
      List<ByteBuffer> small = buffers(soundBatches(10));
      for (int i = 0; i <= PATIENCE; i++) {
        small.forEach(each -> assertTrue(inspect(validator, STRICT, each), verdict::toString));
      }
      assertStated(validator);
    }
  }

  private boolean inspect(BatchValidator validator, Policy policy, ByteBuffer batch) {
    return validator.inspect(batch, policy, Batches.nowMs(), verdict);
  }

  @ParameterizedTest
  @EnumSource(Codec.class)
  void rebuilderStatesTheArraysItHoldsAndDropsWhatLargeBatchesNeeded(Codec target) {
    List<ByteBuffer> small = buffers(soundBatches(10));
    try (BatchRebuilder rebuilder = new BatchRebuilder()) {
      assertStated(rebuilder);
      small.forEach(each -> assertTrue(rebuild(rebuilder, each, target)));
      long least = rebuilder.heapBytes();
      for (ByteBuffer batch : buffers(soundBatches(LARGE))) {
        assertTrue(rebuild(rebuilder, batch, target));
        assertStated(rebuilder);
      }
      assertTrue(rebuilder.heapBytes() > least + LARGE);
      for (int i = 0; i <= PATIENCE; i++) {
        small.forEach(each -> assertTrue(rebuild(rebuilder, each, target)));
      }
      assertStated(rebuilder);
      assertTrue(rebuilder.heapBytes() < least + LARGE / 2, rebuilder.heapBytes() + " " + least);
    }
  }

  private boolean rebuild(BatchRebuilder rebuilder, ByteBuffer batch, Codec target) {
    return rebuilder.rebuild(batch, Batches.storing(COORDINATOR, target), Batches.nowMs(), verdict);
  }

  @Test
  void closedRebuilderHoldsNothingOutsideOfTheHeap() {
    BatchRebuilder rebuilder = new BatchRebuilder();
    for (Codec target : Codec.values()) {
      buffers(soundBatches(LARGE)).forEach(each -> assertTrue(rebuild(rebuilder, each, target)));
    }
    long heap = rebuilder.heapBytes();
    assertTrue(rebuilder.nativeBytes() > 0);
    rebuilder.close();
    assertEquals(0, rebuilder.nativeBytes());
    HeldMemory held = new HeldMemory(rebuilder);
    assertEquals(0, held.directBytes());
    assertTrue(held.arrayBytes() < heap / 2, () -> held.arrayBytes() + " of " + heap);
  }

  @Test
  void closedValidatorHoldsNothingOutsideOfTheHeap() {
    BatchValidator validator = new BatchValidator();
    for (ByteBuffer batch : buffers(soundBatches(LARGE))) {
      assertTrue(inspect(validator, COORDINATOR, batch), verdict::toString);
    }
    assertTrue(new HeldMemory(validator).directBytes() > 0);
    validator.close();
    assertEquals(0, validator.nativeBytes());
    assertEquals(0, new HeldMemory(validator).directBytes());
  }

  /** The JDK's inflater is given what may not be copied as a whole, in pieces. */
  @ParameterizedTest
  @EnumSource
  void gzipOffTheHeapIsCopiedAsFarAsALimitAllows(GzipInflater inflater) {
    byte[] noise = new byte[8 * LARGE];
    new Random(7).nextBytes(noise);
    ByteBuffer batch = Batches.of(Codec.GZIP, new SimpleRecord(Batches.nowMs(), noise));
    Limits limits = Limits.UNBOUNDED_AS_KAFKA.with(Limit.CODEC_MEMORY_BYTES, 2 * LARGE);
    Policy bounded = Policy.builder(Origin.COORDINATOR).checkedByHost(true).limits(limits).build();
    for (ByteBuffer each : List.of(batch, Batches.direct(batch), batch.asReadOnlyBuffer())) {
      try (BatchValidator validator = new BatchValidator(inflater)) {
        assertTrue(inspect(validator, bounded, each), verdict::toString);
        assertTrue(validator.heapBytes() < 2 * LARGE, () -> validator.heapBytes() + " bytes");
        if (inflater != GzipInflater.JDK) {
          assertTrue(inspect(validator, COORDINATOR, Batches.direct(batch)), verdict::toString);
          assertTrue(validator.heapBytes() > noise.length);
        }
      }
    }
  }

  /** Keys of headers that are not UTF-8 are the only thing that is written in two steps. */
  @Test
  void rewrittenHeadersAreStatedAndDropped() {
    ByteBuffer odd = withHeader(new byte[LARGE]);
    int keyAt = odd.limit() - LARGE - 4;
    odd.put(keyAt, (byte) 0xFF);
    try (BatchRebuilder rebuilder = new BatchRebuilder()) {
      assertTrue(rebuild(rebuilder, odd, Codec.GZIP));
      assertStated(rebuilder);
      long most = rebuilder.heapBytes();
      ByteBuffer even = withHeader(new byte[1]);
      for (int i = 0; i <= PATIENCE; i++) {
        assertTrue(rebuild(rebuilder, even, Codec.GZIP));
      }
      assertTrue(rebuilder.heapBytes() <= most - LARGE);
    }
  }

  private static ByteBuffer withHeader(byte[] value) {
    return Batches.of(
        Codec.NONE,
        new SimpleRecord(
            Batches.nowMs(),
            (byte[]) null,
            null,
            new RecordHeader[] {new RecordHeader("k", value)}));
  }

  private static List<ByteBuffer> soundAndDamaged() {
    List<ByteBuffer> all = buffers(soundBatches(LARGE));
    all.addAll(buffers(damagedBatches(LARGE)));
    return all;
  }

  @ParameterizedTest
  @EnumSource
  void validatorKeepsNoBufferOfItsCaller(Kind kind) {
    Set<Boolean> answers = new HashSet<>();
    try (BatchValidator validator = kind.open()) {
      for (ByteBuffer batch : soundAndDamaged()) {
        for (Policy policy : List.of(COORDINATOR, STRICT)) {
          answers.add(inspect(validator, policy, batch));
          assertFalse(new HeldMemory(validator).holds(batch), verdict::toString);
        }
      }
    }
    assertEquals(BOTH_ANSWERS, answers);
  }

  @ParameterizedTest
  @EnumSource(Codec.class)
  void rebuilderKeepsNoBufferOfItsCaller(Codec target) {
    Set<Boolean> answers = new HashSet<>();
    try (BatchRebuilder rebuilder = new BatchRebuilder();
        BatchEngine engine = BatchEngine.fastest(GzipInflater.AUTO)) {
      for (ByteBuffer batch : soundAndDamaged()) {
        answers.add(rebuild(rebuilder, batch, target));
        assertFalse(new HeldMemory(rebuilder).holds(batch), verdict::toString);
        engine.check(batch, COORDINATOR, Batches.nowMs(), verdict);
        assertFalse(new HeldMemory(engine).holds(batch), verdict::toString);
      }
    }
    assertEquals(BOTH_ANSWERS, answers);
  }

  @Test
  void closedRebuilderKeepsNoBufferOfItsCaller() {
    BatchRebuilder rebuilder = new BatchRebuilder();
    rebuilder.close();
    for (ByteBuffer batch : soundAndDamaged()) {
      assertThrows(IllegalStateException.class, () -> rebuild(rebuilder, batch, Codec.GZIP));
      assertFalse(new HeldMemory(rebuilder).holds(batch));
    }
  }

  @Test
  void heldMemoryFindsArraysAndBuffers() {
    ByteBuffer batch = ByteBuffer.allocate(8);
    ByteBuffer direct = ByteBuffer.allocateDirect(8);
    Object[] holder = {batch.array(), direct};
    assertTrue(new HeldMemory(holder).holds(batch));
    assertTrue(new HeldMemory(holder).holds(direct));
    assertFalse(new HeldMemory(holder).holds(ByteBuffer.allocate(8)));
    assertEquals(8, new HeldMemory(holder).arrayBytes());
    assertEquals(8, new HeldMemory(holder).directBytes());
  }
}
