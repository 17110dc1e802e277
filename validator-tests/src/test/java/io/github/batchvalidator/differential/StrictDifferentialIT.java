// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.differential;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.OffsetStamp;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Verdict;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.HeaderField;
import io.github.batchvalidator.testing.RecordArbitraries;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterProperty;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What level STRICT accepts, level KAFKA accepts, and Kafka's full reader, that of its consumers,
 * reads to the end: over honest batches, over every bit and length of small ones, and over random
 * damage. Observing changes no verdict.
 */
final class StrictDifferentialIT {
  private static final int RANDOM_BATCHES = 3_000;
  private static final long SEED = 20_261_121L;

  private final KafkaOracle kafka = new KafkaOracle();
  private final BatchValidator validator = new BatchValidator();
  private final BatchValidator lowMemory = BatchValidator.lowMemory();
  private final MutableVerdict verdict = new MutableVerdict();
  private final MutableVerdict observed = new MutableVerdict();
  private final MutableVerdict strict = new MutableVerdict();

  /** Batches that a broker keeps and its consumers cannot read. */
  private int poisonous;

  private int accepted;

  @AfterEach
  @AfterProperty
  void close() {
    validator.close();
    lowMemory.close();
  }

  @Provide
  Arbitrary<Codec> codecs() {
    return RecordArbitraries.codecs();
  }

  @Provide
  Arbitrary<List<SimpleRecord>> records() {
    return RecordArbitraries.recordLists().filter(records -> !records.isEmpty());
  }

  /** Whatever Kafka's producer writes. */
  @Property(tries = 300)
  void honestBatchesHaveNoFinding(
      @ForAll("codecs") Codec codec, @ForAll("records") List<SimpleRecord> records) {
    SimpleRecord[] written =
        records.stream().map(StrictDifferentialIT::writable).toArray(SimpleRecord[]::new);
    byte[] batch = Batches.of(codec, written).array();
    for (Origin origin : Origin.values()) {
      check(batch, origin);
      assertTrue(strict.accepted(), () -> origin + ": " + strict + Batches.base64(batch));
    }
    assertEquals(strict.plainBytes(), kafka.bytesOfRecords(batch));
  }

  /** Kafka's builder takes no timestamp below -1. */
  private static SimpleRecord writable(SimpleRecord record) {
    return new SimpleRecord(
        Math.max(-1, record.timestamp()), record.key(), record.value(), record.headers());
  }

  @ParameterizedTest
  @EnumSource(Codec.class)
  @Tag("unvaried")
  void everyBit(Codec codec) {
    Faults.everyBit(MutationSweepIT.golden(codec), this::checkAll);
    assertTrue(accepted > 0, "values and keys may be anything");
  }

  @ParameterizedTest
  @EnumSource(Codec.class)
  @Tag("unvaried")
  void everyLength(Codec codec) {
    Faults.everyLength(MutationSweepIT.golden(codec), this::checkAll);
    assertEquals(0, accepted);
  }

  static Stream<LegacyGolden> messages() {
    return LegacyGolden.all();
  }

  /** The same of messages of magic 0 and 1, in a compressed one too. */
  @ParameterizedTest
  @MethodSource("messages")
  @Tag("unvaried")
  void faultsOfMessages(LegacyGolden golden) {
    sweep(golden, Faults.modest(this::checkAll));
  }

  @ParameterizedTest
  @MethodSource("messages")
  @Tag("slow")
  void everyFaultOfMessages(LegacyGolden golden) {
    sweep(golden, this::checkAll);
  }

  private void sweep(LegacyGolden golden, Consumer<byte[]> judge) {
    Faults.everyLength(golden.bytes(), judge);
    if (golden.codec() != Codec.NONE) {
      Faults.everyStreamLength(golden, judge);
    }
    assertEquals(0, accepted);
    Faults.everyBit(golden.bytes(), judge);
    if (golden.codec() != Codec.NONE) {
      Faults.everyInnerBit(golden, judge);
      Faults.everyInnerLength(golden, judge);
    }
    assertEquals(golden.isReadable(), accepted > 0, "values and keys may be anything");
  }

  /** Flips each bit of the plain records before compression, which no codec checksum can detect. */
  @ParameterizedTest
  @EnumSource(Codec.class)
  @Tag("unvaried")
  void everyPlainBit(Codec codec) {
    EveryFault.plainBits(codec, this::checkAll);
    assertTrue(accepted > 0, "values and keys may be anything");
    assertEquals(codec != Codec.NONE, poisonous > 0, poisonous + " poisonous batches");
  }

  @ParameterizedTest
  @EnumSource(Codec.class)
  void everyDamageOfARecord(Codec codec) {
    for (Damage damage : Damage.values()) {
      for (int at = 0; at < 3; at++) {
        checkAll(damage.batch(codec, at));
        boolean honest = damage == Damage.KEY_MISSING || damage == Damage.NONE;
        assertEquals(honest, strict.accepted(), () -> damage + " at " + strict);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Codec.class,
      names = {"GZIP", "SNAPPY", "LZ4", "ZSTD"})
  @Tag("unvaried")
  void randomDamage(Codec codec) {
    EveryFault.randomDamage(codec, this::checkAll);
    assertTrue(accepted > 0, "some are honest");
    assertTrue(poisonous > 0, "some are poisonous");
  }

  /** A batch that is accepted and stamped at level STRICT is sound as a stored batch. */
  @ParameterizedTest
  @EnumSource(Codec.class)
  @Tag("unvaried")
  void aStampedBatchIsSoundInTheLog(Codec codec) {
    Random random = new Random(SEED);
    HeaderField[] fields = HeaderField.values();
    int stamped = 0;
    for (int i = 0; i < RANDOM_BATCHES; i++) {
      ByteBuffer batch = ByteBuffer.wrap(Damage.NONE.batch(codec, 0));
      if (random.nextInt(8) == 0) {
        batch = Batches.ofPayload(codec, 0, new byte[random.nextInt(2)]);
      }
      for (int fault = random.nextInt(3); fault > 0; fault--) {
        HeaderField field = fields[random.nextInt(fields.length)];
        if (field != HeaderField.LENGTH && field != HeaderField.MAGIC) {
          field.set(batch, field.get(batch) + random.nextInt(7) - 3);
        }
      }
      Batches.fixCrc(batch);
      for (Origin origin : List.of(Origin.CLIENT, Origin.COORDINATOR, Origin.REPLICATION)) {
        stamped += isStampedAndSound(batch.array().clone(), origin) ? 1 : 0;
      }
    }
    assertTrue(stamped > RANDOM_BATCHES / 10, stamped + " of " + RANDOM_BATCHES);
  }

  private boolean isStampedAndSound(byte[] bytes, Origin origin) {
    ByteBuffer batch = ByteBuffer.wrap(bytes);
    Policy policy = Policy.builder(origin).level(Level.STRICT).build();
    if (!validator.inspect(batch, policy, Batches.nowMs(), strict) || strict.needsRebuild()) {
      return false;
    }
    String before = Batches.base64(bytes);
    new OffsetStamp().firstOffset(1000).leaderEpoch(7).nowMs(Batches.nowMs()).assign(batch, strict);
    Policy stored = Policy.builder(Origin.STORED).level(Level.STRICT).build();
    boolean sound = validator.inspect(batch, stored, Batches.nowMs(), verdict);
    assertTrue(sound, () -> origin + ": " + verdict + "\n  batch " + before);
    assertNull(kafka.consume(bytes));
    return true;
  }

  private void checkAll(byte[] batch) {
    check(batch, Origin.CLIENT);
    check(batch, Origin.STORED);
  }

  private void check(byte[] batch, Origin origin) {
    try {
      compare(batch, origin, validator);
      compare(batch, origin, lowMemory);
    } catch (AssertionError e) {
      throw new AssertionError(
          origin + ": " + e.getMessage() + "\n  batch " + Batches.base64(batch), e);
    }
  }

  private void compare(byte[] batch, Origin origin, BatchValidator by) {
    inspect(by, batch, Policy.builder(origin).build(), verdict);
    inspect(by, batch, Policy.builder(origin).observing(true).build(), observed);
    inspect(by, batch, Policy.builder(origin).level(Level.STRICT).build(), strict);
    assertEquals(0, verdict.findings().count());
    assertSame(verdict, observed);
    assertEquals(observed.findings().describe(), strict.findings().describe());
    if (!verdict.accepted()) {
      assertSame(verdict, strict);
      return;
    }
    assertEquals(strict.findings().count() == 0, strict.accepted(), strict::toString);
    boolean legacy = batch[BatchLayout.MAGIC_OFFSET] < BatchLayout.MAGIC_V2;
    Throwable theirs = legacy ? kafka.readEveryField(batch) : kafka.consume(batch);
    if (strict.accepted()) {
      assertNull(theirs, strict::toString);
      accepted++;
    } else {
      assertEquals(strict.findings().reason(0), strict.reason());
      poisonous += theirs == null ? 0 : 1;
    }
  }

  private static void inspect(BatchValidator by, byte[] batch, Policy policy, Verdict to) {
    assertEquals(by.inspect(ByteBuffer.wrap(batch), policy, Batches.nowMs(), to), to.accepted());
  }

  private static void assertSame(Verdict expected, Verdict actual) {
    assertEquals(expected.toString(), actual.toString());
    assertEquals(expected.recordIndex(), actual.recordIndex());
    assertEquals(expected.plainPosition(), actual.plainPosition());
    assertEquals(expected.failureTotal(), actual.failureTotal());
    assertEquals(expected.recordCount(), actual.recordCount());
    assertEquals(expected.plainBytes(), actual.plainBytes());
    assertEquals(expected.declaredBytes(), actual.declaredBytes());
    assertEquals(expected.maxTimestamp(), actual.maxTimestamp());
  }
}
