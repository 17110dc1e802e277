// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.AllocationCase.Input;
import io.github.batchvalidator.AllocationCase.Memory;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.GzipInflater;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.RecordShapes;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The memory that a validator reports depends on the codecs used, is bounded, and stays there. */
class MemoryTest {
  private static final long KIB = 1024;

  /** The most that an unused validator holds: a piece for checksums, and what rules remember. */
  private static final int BASE_HEAP_KIB = 10;

  /** The heap bytes of an unused validator. */
  private static final long BASE_HEAP_BYTES = unused();

  /** The heap of all windows together in low-memory mode. */
  private static final int LOW_MEMORY_HEAP_KIB = 300;

  private final MutableVerdict verdict = new MutableVerdict();

  private static long unused() {
    try (BatchValidator validator = new BatchValidator()) {
      return validator.heapBytes();
    }
  }

  @Test
  void anUnusedValidatorHoldsLittleMemory() {
    try (BatchValidator validator = new BatchValidator()) {
      assertTrue(BASE_HEAP_BYTES > 0 && BASE_HEAP_BYTES <= BASE_HEAP_KIB * KIB);
      assertEquals(0, validator.nativeBytes());
    }
  }

  @ParameterizedTest
  @EnumSource(Codec.class)
  void memoryFollowsTheCodecsUsed(Codec codec) {
    try (BatchValidator validator = new BatchValidator()) {
      inspectAll(validator, batches(codec));
      long heap = validator.heapBytes() - BASE_HEAP_BYTES;
      assertTrue(heap > 0 && heap <= heapKib(codec) * KIB, heap + " bytes on the heap");
      long outside = validator.nativeBytes();
      assertTrue(outside <= nativeKib(codec) * KIB, outside + " bytes outside");
      assertEquals(nativeKib(codec) > 0, outside > 0);
    }
  }

  @Test
  void theJdksInflaterHoldsLess() {
    try (BatchValidator validator = new BatchValidator(GzipInflater.JDK)) {
      inspectAll(validator, batches(Codec.GZIP));
      long heap = validator.heapBytes() - BASE_HEAP_BYTES;
      assertTrue(heap > 0 && heap <= 128 * KIB, heap + " bytes on the heap");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void memoryStaysFlatOverManyBatches(boolean lowMemory) {
    List<ByteBuffer> mixed = new ArrayList<>();
    for (Codec codec : Codec.values()) {
      mixed.addAll(batches(codec));
    }
    Collections.shuffle(mixed, new Random(7));
    try (BatchValidator validator = lowMemory ? BatchValidator.lowMemory() : new BatchValidator()) {
      inspectAll(validator, mixed);
      long heap = validator.heapBytes();
      long outside = validator.nativeBytes();
      for (int seen = 0; seen < 10_000; seen += mixed.size()) {
        inspectAll(validator, mixed);
        assertEquals(heap, validator.heapBytes());
        assertEquals(outside, validator.nativeBytes());
      }
      int all = Arrays.stream(Codec.values()).mapToInt(MemoryTest::heapKib).sum() + BASE_HEAP_KIB;
      assertTrue(heap <= (lowMemory ? LOW_MEMORY_HEAP_KIB : all) * KIB, heap + " bytes");
    }
  }

  @Test
  void closingFreesWhatIsHeld() {
    BatchValidator validator = new BatchValidator();
    for (Codec codec : Codec.values()) {
      inspectAll(validator, batches(codec));
    }
    validator.close();
    assertEquals(BASE_HEAP_BYTES, validator.heapBytes());
    assertEquals(0, validator.nativeBytes());
  }

  /** The most that one codec holds on the heap, as documented. */
  private static int heapKib(Codec codec) {
    return switch (codec) {
      case NONE -> 16;
      case GZIP -> 296;
      case LZ4 -> 128;
      case SNAPPY -> 430;
      case ZSTD -> 544;
    };
  }

  /** The same outside of the heap; zstd with the window of 2 MiB of Kafka's default level. */
  private static int nativeKib(Codec codec) {
    return switch (codec) {
      case NONE, SNAPPY, LZ4 -> 0;
      case GZIP -> 40;
      case ZSTD -> (ZstdForeignCalls.inUse() ? 805 : 673) + 2048;
    };
  }

  /** Batches of one codec: small ones on and off the heap, and one that takes every window. */
  private static List<ByteBuffer> batches(Codec codec) {
    List<ByteBuffer> batches = new ArrayList<>();
    batches.add(batch(codec, Memory.DIRECT, 10_000));
    for (int records : new int[] {1, 10, 50, 100, 500}) {
      batches.add(batch(codec, Memory.HEAP, records));
      batches.add(batch(codec, Memory.DIRECT, records));
    }
    SimpleRecord[] large = RecordShapes.JSON_1_KIB.records(new Random(8), 140);
    batches.add(Batches.of(codec, large)); // Snappy: walked in compressed form
    batches.add(Batches.direct(Batches.of(codec, large)));
    return batches;
  }

  private static ByteBuffer batch(Codec codec, Memory memory, int records) {
    return new AllocationCase(codec, memory, records, Input.ACCEPTED, TimestampType.CREATE_TIME)
        .batch();
  }

  private void inspectAll(BatchValidator validator, List<ByteBuffer> batches) {
    for (ByteBuffer batch : batches) {
      assertTrue(validator.inspect(batch, Policy.CLIENT, Batches.nowMs(), verdict));
    }
  }
}
