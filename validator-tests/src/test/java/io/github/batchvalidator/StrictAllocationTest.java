// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.RecordBytes;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Level STRICT and observing allocate nothing either, with and without findings. */
@Tag("unvaried")
class StrictAllocationTest {
  private static final int RECORDS = 400;
  private static final long SEED = 20_261_121L;

  @ParameterizedTest
  @EnumSource(Codec.class)
  void honestRecords(Codec codec) {
    byte[] plain = plain(0, "trace".getBytes(StandardCharsets.US_ASCII));
    assertEquals(null, measure(codec, plain));
  }

  @ParameterizedTest
  @EnumSource(Codec.class)
  void findingsInEveryRecord(Codec codec) {
    byte[] plain = plain(1, new byte[] {(byte) 0xFF});
    assertEquals(Reason.RECORD_ATTRIBUTES_RESERVED, measure(codec, plain));
  }

  private static @Nullable Reason measure(Codec codec, byte[] plain) {
    ByteBuffer heap = Batches.ofPlain(codec, RECORDS, plain);
    ByteBuffer direct = Batches.direct(heap);
    Policy strict = Policy.builder(Origin.CLIENT).level(Level.STRICT).build();
    Policy observing = Policy.builder(Origin.CLIENT).observing(true).build();
    MutableVerdict verdict = new MutableVerdict();
    try (BatchValidator validator = new BatchValidator();
        BatchValidator small = BatchValidator.lowMemory()) {
      Runnable call =
          () -> {
            validator.inspect(heap, observing, Batches.nowMs(), verdict);
            validator.inspect(direct, strict, Batches.nowMs(), verdict);
            small.inspect(direct, observing, Batches.nowMs(), verdict);
            validator.inspect(heap, strict, Batches.nowMs(), verdict);
          };
      assertEquals(0, AllocationMeter.bytesPerCall(AllocationMeter.FEW_CALLS, call));
    }
    assertEquals(verdict.accepted() ? 0 : 2, verdict.findings().count());
    return verdict.reason();
  }

  private static byte[] plain(int attributes, byte[] headerKey) {
    Random random = new Random(SEED);
    ByteArrayOutputStream plain = new ByteArrayOutputStream();
    for (int i = 0; i < RECORDS; i++) {
      byte[] value = new byte[random.nextInt(300)];
      random.nextBytes(value);
      plain.writeBytes(
          new RecordBytes()
              .offsetDelta(RecordBytes.varint(i, 1))
              .attributes(attributes)
              .value(RecordBytes.varint(value.length, 1), value)
              .headerCount(RecordBytes.varint(1, 1))
              .header(headerKey, value)
              .toBytes());
    }
    return plain.toByteArray();
  }
}
