// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.body;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.bench.workload.Fault;
import io.github.batchvalidator.bench.workload.Memory;
import io.github.batchvalidator.bench.workload.PayloadKind;
import io.github.batchvalidator.bench.workload.ProducedBatch;
import io.github.batchvalidator.bench.workload.RecordShape;
import io.github.batchvalidator.bench.workload.Workload;
import io.github.batchvalidator.dropin.line.LineAppend;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Verdict;
import io.github.batchvalidator.testing.Batches;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.storage.internals.log.LogValidator;
import org.apache.kafka.storage.internals.log.LogValidator.ValidationResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The contenders of {@code InPlaceValidation} compute what their names say. */
class BodyTest {
  private static final Contender[] IN_BROKER = {Contender.KAFKA_LOG_VALIDATOR, Contender.DROP_IN};
  private static final Contender[] CORES = {
    Contender.CORE, Contender.CORE_2KB, Contender.CORE_CHECKED, Contender.CORE_STRICT
  };

  /** A refused batch would throw. */
  @ParameterizedTest
  @EnumSource(RuleSet.class)
  void recordsPassTheRulesOfTopics(RuleSet rules) {
    for (Codec codec : Codec.values()) {
      for (RecordShape shape : RecordShape.values()) {
        if (rules.passes(shape)) {
          Workload workload = Workload.json(codec, 10, 500).shaped(shape);
          try (Body body = rules.open(workload.batches(2))) {
            body.run();
            assertEquals(10, body.records());
          }
        }
      }
    }
  }

  /** The corners of the grid and its middle, for each codec. */
  static Stream<Workload> cells() {
    return Stream.of(Codec.values())
        .flatMap(
            codec ->
                Stream.of(
                    Workload.json(codec, 1, 100).in(Memory.DIRECT).of(PayloadKind.LOG_LINES),
                    Workload.json(codec, 10, 10_240).of(PayloadKind.INCOMPRESSIBLE),
                    Workload.json(codec, 125, 1024).shaped(RecordShape.KEY_AND_TWO_HEADERS),
                    Workload.json(codec, 1000, 100).in(Memory.DIRECT)));
  }

  static Stream<Arguments> cellsInBroker() {
    return cells()
        .flatMap(cell -> Stream.of(IN_BROKER).map(contender -> Arguments.of(cell, contender)));
  }

  @ParameterizedTest
  @MethodSource("cells")
  void everyContenderReadsEveryRecordEveryTime(Workload cell) {
    ProducedBatch batch = cell.first();
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
  void coreAcceptsAndCountsThePlainBytes(Workload cell) throws IOException {
    ProducedBatch batch = cell.first();
    for (Contender contender : CORES) {
      try (Body body = contender.open(batch)) {
        Verdict verdict = (Verdict) body.run();
        assertTrue(verdict.accepted());
        assertEquals(plainRecords(batch).length, verdict.plainBytes());
        assertEquals(batch.storedBytes(), verdict.batchBytes());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("cellsInBroker")
  void kafkaAndDropInAcceptInPlaceAndAgreeWithCore(Workload cell, Contender contender) {
    ProducedBatch batch = cell.first();
    try (Body broker = contender.open(batch);
        Body core = Contender.CORE.open(batch)) {
      ValidationResult result = (ValidationResult) broker.run();
      assertFalse(result.messageSizeMaybeChanged());
      assertEquals(((Verdict) core.run()).maxTimestamp(), result.maxTimestampMs());
      assertIsStamped(result.validatedRecords().batches().iterator().next());
    }
  }

  @ParameterizedTest
  @MethodSource("cells")
  void iteratorsAndTheCursorFindTheLargestTimestamp(Workload cell) {
    ProducedBatch batch = cell.first();
    try (Body skipping = Contender.KAFKA_SKIP_ITERATOR.open(batch);
        Body cursor = Contender.RECORD_CURSOR.open(batch);
        Body allocating = Contender.ALLOCATING_BASELINE.open(batch);
        Body core = Contender.CORE.open(batch)) {
      long expected = ((Verdict) core.run()).maxTimestamp();
      assertEquals(0, ((RecordBatch) skipping.run()).baseOffset());
      assertEquals(expected, ((KafkaIteratorBody) skipping).maxTimestamp());
      assertEquals(0, ((RecordBatch) cursor.run()).baseOffset());
      assertEquals(expected, ((CursorBody) cursor).maxTimestamp());
      assertIsStamped((RecordBatch) allocating.run());
      assertEquals(expected, ((KafkaIteratorBody) allocating).maxTimestamp());
    }
  }

  /** A bit of the attributes that means nothing: what one level keeps and the other does not. */
  @ParameterizedTest
  @EnumSource(Codec.class)
  void strictIsStrict(Codec codec) {
    ProducedBatch batch = Workload.json(codec, 10, 100).first();
    ByteBuffer reserved = batch.copy();
    int at = BatchLayout.ATTRIBUTES_OFFSET;
    reserved.putShort(at, (short) (reserved.getShort(at) | 1 << 14));
    try (CoreBody core = (CoreBody) Contender.CORE.open(batch);
        CoreBody strict = (CoreBody) Contender.CORE_STRICT.open(batch)) {
      assertTrue(core.inspect(core.validator(), reserved));
      assertFalse(strict.inspect(strict.validator(), reserved));
      assertEquals(Reason.BATCH_ATTRIBUTES_RESERVED, strict.answer().reason());
    }
  }

  private static void assertIsStamped(RecordBatch stamped) {
    assertTrue(stamped.isValid());
    assertEquals(AppendBody.FIRST_OFFSET, stamped.baseOffset());
    assertEquals(AppendBody.LEADER_EPOCH, stamped.partitionLeaderEpoch());
  }

  /** By the stack of what it throws: at garbage, since exceptions about records have none. */
  @Test
  void eachRunsTheClassThatItSays() {
    ProducedBatch[] bad = Fault.GARBAGE.batches(Workload.json(Codec.LZ4, 10, 100), 1);
    try (Body stock = Contender.KAFKA_LOG_VALIDATOR.open(bad);
        Body dropIn = Contender.DROP_IN.open(bad)) {
      Set<String> inStock = classesOnStack(stock);
      assertTrue(inStock.contains(LogValidator.class.getName()));
      assertFalse(inStock.contains(LineAppend.class.getName()));
      Set<String> inDropIn = classesOnStack(dropIn);
      assertTrue(inDropIn.contains(LineAppend.class.getName()));
      assertFalse(inDropIn.contains(LogValidator.class.getName()));
    }
    String from = LogValidator.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    assertTrue(from.contains("kafka-storage-"), from);
  }

  private static Set<String> classesOnStack(Body body) {
    KafkaException thrown = assertThrows(KafkaException.class, body::run);
    return Stream.of(thrown.getStackTrace())
        .map(StackTraceElement::getClassName)
        .collect(Collectors.toSet());
  }

  @ParameterizedTest
  @EnumSource(Codec.class)
  void theFirstBatchOfAValidatorIsAcceptedEachTime(Codec codec) {
    ProducedBatch[] batches = Workload.json(codec, 10, 1024).batches(2);
    for (ColdContender contender : ColdContender.values()) {
      try (Body body = contender.open(batches)) {
        for (int run = 0; run < 5; run++) {
          Object answer = body.run();
          assertEquals(10, body.records());
          if (answer instanceof ValidationResult result) {
            assertIsStamped(result.validatedRecords().batches().iterator().next());
          } else {
            assertTrue(((Verdict) answer).accepted());
          }
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("cells")
  void bareDecompressionGivesThePlainBytes(Workload cell) throws IOException {
    ProducedBatch batch = cell.first();
    byte[] plain = plainRecords(batch);
    try (DecompressionBody body = (DecompressionBody) Contender.DECOMPRESS_ONLY.open(batch)) {
      assertArrayEquals(plain, Arrays.copyOf(bytes(body.gather()), body.plainBytes()));
      assertStartsWith(lastBlock(batch.codec(), plain), body.run());
      assertEquals(plain.length, body.plainBytes());
    }
  }

  /** Each block is written over the one before it. */
  private static byte[] lastBlock(Codec codec, byte[] plain) {
    int blockBytes =
        switch (codec) {
          case NONE, GZIP, ZSTD -> plain.length;
          case SNAPPY -> 32 * 1024;
          case LZ4 -> 64 * 1024;
        };
    int from = (plain.length - 1) / blockBytes * blockBytes;
    return Arrays.copyOfRange(plain, from, plain.length);
  }

  private static void assertStartsWith(byte[] expected, Object plain) {
    assertArrayEquals(expected, Arrays.copyOf(bytes(plain), expected.length));
  }

  @ParameterizedTest
  @EnumSource(Codec.class)
  void differentBatchesTakeTurns(Codec codec) throws IOException {
    ProducedBatch[] batches = Workload.json(codec, 125, 1024).batches(3);
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

  private static void assertIsAbout(ProducedBatch batch, Object answer) throws IOException {
    byte[] expected = plainRecords(batch);
    if (answer instanceof Verdict verdict) {
      assertEquals(expected.length, verdict.plainBytes());
    } else if (answer instanceof ValidationResult result) {
      assertEquals(batch.storedBytes(), result.validatedRecords().sizeInBytes());
    } else if (answer instanceof RecordBatch read) {
      assertEquals(batch.storedBytes(), read.sizeInBytes());
    } else {
      assertStartsWith(lastBlock(batch.codec(), expected), answer);
    }
  }

  private static byte[] bytes(Object plain) {
    return plain instanceof ByteBuffer direct
        ? Batches.copy(direct.clear()).array()
        : (byte[]) plain;
  }

  private static byte[] plainRecords(ProducedBatch batch) throws IOException {
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
