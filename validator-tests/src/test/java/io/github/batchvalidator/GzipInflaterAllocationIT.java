// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.GzipInflater;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Inflating in Java, always or where it is faster, allocates nothing either, and memory stays where
 * it is.
 */
@Tag("unvaried")
@ParameterizedClass
@EnumSource(names = {"JAVA", "AUTO"})
class GzipInflaterAllocationIT {
  /** As documented, and the checksum's piece that every validator has. */
  private static final int MOST_HEAP_BYTES = (232 + 8) << 10;

  private final BatchValidator validator;
  private final MutableVerdict verdict = new MutableVerdict();

  GzipInflaterAllocationIT(GzipInflater gzip) {
    validator = new BatchValidator(gzip);
  }

  static List<AllocationCase> cases() {
    return AllocationCase.all().stream().filter(each -> each.codec() == Codec.GZIP).toList();
  }

  @AfterEach
  void close() {
    validator.close();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void allocatesNothing(AllocationCase given) {
    ByteBuffer batch = given.batch();
    ByteBuffer seen = given.memory().isReadOnly() ? batch.asReadOnlyBuffer() : batch;
    Policy policy = given.policy();
    long now = Batches.nowMs();

    int calls = given.records() < 10_000 ? AllocationMeter.CALLS : AllocationMeter.FEW_CALLS;
    long bytes =
        AllocationMeter.bytesPerCall(calls, 0, () -> validator.inspect(seen, policy, now, verdict));

    assertEquals(given.input().reason, verdict.reason());
    assertEquals(0, bytes);
  }

  @Test
  void holdsAsMuchAsDocumentedWhateverABatchExpandsTo() {
    byte[] stored = Batches.compress(Codec.GZIP, new byte[16 << 20]);
    byte[] damaged = stored.clone();
    damaged[damaged.length / 2] ^= 1;
    for (byte[] payload : new byte[][] {stored, damaged}) {
      ByteBuffer batch = Batches.ofPayload(Codec.GZIP, 1, payload);
      for (ByteBuffer each : new ByteBuffer[] {batch, Batches.direct(batch)}) {
        validator.inspect(each, Policy.CLIENT, Batches.nowMs(), verdict);
        long heap = validator.heapBytes();
        assertTrue(heap > 64 << 10 && heap <= MOST_HEAP_BYTES, () -> heap + " bytes");
      }
    }
  }
}
