// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Verdict;
import io.github.batchvalidator.testing.Batches;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.Stream;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.storage.internals.log.LogValidator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What the benchmarks compute is what they say. */
class BodyTest {
  private static final String[] SHAPES = {"125x1024", "1000x100"};

  static Stream<Arguments> cells() {
    return Stream.of(Codec.values())
        .flatMap(codec -> Stream.of(SHAPES).map(shape -> Arguments.of(codec, shape)));
  }

  @ParameterizedTest
  @MethodSource("cells")
  void everyContenderReadsEveryRecordEveryTime(Codec codec, String shape) {
    SmokeBatch batch = SmokeBatch.of(codec, shape);
    assertEquals(shape, batch.records() + "x" + (shape.endsWith("x100") ? 100 : 1024));
    for (Contender contender : Contender.values()) {
      try (Body body = contender.open(batch)) {
        for (int run = 0; run < 3; run++) {
          body.run();
          assertEquals(batch.records(), body.records(), contender.name());
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("cells")
  void coreAcceptsAndCountsThePlainBytes(Codec codec, String shape) throws IOException {
    SmokeBatch batch = SmokeBatch.of(codec, shape);
    try (Body body = Contender.CORE.open(batch);
        Body checked = Contender.CORE_CHECKED.open(batch);
        Body strict = Contender.CORE_STRICT.open(batch)) {
      for (Body each : new Body[] {body, checked, strict}) {
        Verdict verdict = (Verdict) each.run();
        assertTrue(verdict.accepted());
        assertEquals(plainRecords(batch).length, verdict.plainBytes());
        assertEquals(batch.storedBytes(), verdict.batchBytes());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("cells")
  void kafkaAcceptsInPlaceAndAgreesWithCore(Codec codec, String shape) {
    SmokeBatch batch = SmokeBatch.of(codec, shape);
    try (Body kafka = Contender.KAFKA_LOG_VALIDATOR.open(batch);
        Body core = Contender.CORE.open(batch)) {
      LogValidator.ValidationResult result = (LogValidator.ValidationResult) kafka.run();
      assertFalse(result.messageSizeMaybeChanged());
      assertEquals(((Verdict) core.run()).maxTimestamp(), result.maxTimestampMs());
      RecordBatch stamped = result.validatedRecords().batches().iterator().next();
      assertTrue(stamped.isValid());
      assertEquals(Appends.FIRST_OFFSET, stamped.baseOffset());
      assertEquals(Appends.LEADER_EPOCH, stamped.partitionLeaderEpoch());
    }
  }

  @ParameterizedTest
  @MethodSource("cells")
  void bareDecompressionGivesThePlainBytes(Codec codec, String shape) throws IOException {
    SmokeBatch batch = SmokeBatch.of(codec, shape);
    try (Body body = Contender.DECOMPRESS_ONLY.open(batch)) {
      assertArrayEquals(plainRecords(batch), (byte[]) body.run());
    }
  }

  @ParameterizedTest
  @EnumSource(Codec.class)
  void differentBatchesTakeTurns(Codec codec) throws IOException {
    SmokeBatch[] batches = SmokeBatch.several(codec, SHAPES[0], 3);
    assertNotEquals(batches[0].copy(), batches[1].copy());
    for (Contender contender : Contender.values()) {
      try (Body body = contender.open(batches)) {
        for (int run = 0; run < 7; run++) {
          Object answer = body.run();
          assertEquals(batches[run % 3].records(), body.records());
          assertIsAbout(batches[run % 3], answer);
        }
      }
    }
  }

  private static void assertIsAbout(SmokeBatch batch, Object answer) throws IOException {
    byte[] expected = plainRecords(batch);
    if (answer instanceof byte[] plain) {
      assertArrayEquals(expected, Arrays.copyOf(plain, expected.length));
    } else if (answer instanceof Verdict verdict) {
      assertEquals(expected.length, verdict.plainBytes());
    } else {
      LogValidator.ValidationResult result = (LogValidator.ValidationResult) answer;
      assertEquals(batch.storedBytes(), result.validatedRecords().sizeInBytes());
    }
  }

  @ParameterizedTest
  @EnumSource(Codec.class)
  void theSameSeedGivesTheSameBatch(Codec codec) {
    assertEquals(SmokeBatch.of(codec, SHAPES[0]).copy(), SmokeBatch.of(codec, SHAPES[0]).copy());
  }

  @Test
  void eventsCompressLikeEvents() {
    SmokeBatch batch = SmokeBatch.of(Codec.ZSTD, SHAPES[0]);
    double ratio = (double) batch.plainBytes() / batch.storedBytes();
    assertTrue(ratio > 3 && ratio < 5, () -> "compressed " + ratio + " times");
  }

  private static byte[] plainRecords(SmokeBatch batch) throws IOException {
    ByteBuffer bytes = batch.copy();
    MutableRecordBatch read = MemoryRecords.readableRecords(bytes).batches().iterator().next();
    bytes.position(BatchLayout.HEADER_BYTES);
    try (InputStream in =
        Batches.compression(batch.codec())
            .wrapForInput(bytes.slice(), read.magic(), BufferSupplier.NO_CACHING)) {
      return in.readAllBytes();
    }
  }
}
