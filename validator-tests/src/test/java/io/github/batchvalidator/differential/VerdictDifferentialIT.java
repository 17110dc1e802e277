// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.differential;

import static io.github.batchvalidator.differential.KnownDifference.CODEC_FAILURE_UNWRAPPED;
import static io.github.batchvalidator.differential.KnownDifference.CODEC_ID_UNKNOWN;
import static io.github.batchvalidator.differential.KnownDifference.HEADER_CUT;
import static io.github.batchvalidator.differential.KnownDifference.LEGACY_FIELD_BEYOND_END;
import static io.github.batchvalidator.differential.KnownDifference.LEGACY_RECORD_WITHOUT_TEXT;
import static io.github.batchvalidator.differential.KnownDifference.LENGTH_NEAR_OVERFLOW;
import static io.github.batchvalidator.differential.KnownDifference.OFFSETS_NOT_SEQUENTIAL;
import static io.github.batchvalidator.differential.KnownDifference.PLAIN_LENGTH_ENDLESS;
import static io.github.batchvalidator.differential.KnownDifference.SECOND_BATCH_AND_OTHER_FAULT;
import static io.github.batchvalidator.differential.KnownDifference.STREAM_AND_RECORD_AT_FAULT;
import static io.github.batchvalidator.differential.KnownDifference.WRONG_CHECKSUM_KEPT;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.HeaderField;
import io.github.batchvalidator.testing.LegacyMessage;
import io.github.batchvalidator.testing.RecordArbitraries;
import io.github.batchvalidator.testing.RecordBytes;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterProperty;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Verdict, answer, failing records and stamped bytes are Kafka's, over random batches. */
final class VerdictDifferentialIT {
  private final Referee referee = new Referee();

  @AfterEach
  @AfterProperty
  void close() {
    referee.close();
  }

  /** Compares the answers, which may differ only in what this damage can lead to. */
  private void judge(byte[] batch, Policy policy, KnownDifference... possible) {
    KnownDifference difference = referee.judge(batch, policy);
    assertTrue(
        difference == null || List.of(possible).contains(difference),
        () -> difference + "\n  " + Referee.describe(policy) + "\n  " + Batches.base64(batch));
  }

  @Provide
  Arbitrary<Codec> codecs() {
    return RecordArbitraries.codecs();
  }

  @Provide
  Arbitrary<Policy> policies() {
    return RecordArbitraries.appendPolicies();
  }

  @Provide
  Arbitrary<List<SimpleRecord>> records() {
    return RecordArbitraries.recordLists();
  }

  @Provide
  Arbitrary<List<SimpleRecord>> fewRecords() {
    return RecordArbitraries.fewRecords();
  }

  @Provide
  Arbitrary<Map<HeaderField, Long>> fields() {
    return Arbitraries.maps(Arbitraries.of(HeaderField.class), RecordArbitraries.fieldValues())
        .ofMinSize(1)
        .ofMaxSize(3);
  }

  @Provide
  Arbitrary<List<Integer>> damages() {
    return Arbitraries.integers().list().ofMinSize(1).ofMaxSize(3);
  }

  /** Honest batches: what is refused is refused for the topic's policy only. */
  @Property
  void honestBatches(
      @ForAll("codecs") Codec codec,
      @ForAll("records") List<SimpleRecord> records,
      @ForAll("policies") Policy policy) {
    referee.agree(Batches.ofAny(codec, records).array(), policy);
  }

  /** One to three header fields hold anything; the checksum is made right again. */
  @Property
  void damagedHeaders(
      @ForAll("codecs") Codec codec,
      @ForAll("fewRecords") List<SimpleRecord> records,
      @ForAll("fields") Map<HeaderField, Long> fields,
      @ForAll("policies") Policy policy) {
    ByteBuffer batch = Batches.ofAny(codec, records);
    fields.forEach((field, value) -> field.set(batch, value));
    judge(
        (fields.containsKey(HeaderField.CRC) ? batch : Batches.fixCrc(batch)).array(),
        policy,
        CODEC_ID_UNKNOWN,
        HEADER_CUT,
        LEGACY_FIELD_BEYOND_END,
        LEGACY_RECORD_WITHOUT_TEXT,
        LENGTH_NEAR_OVERFLOW,
        OFFSETS_NOT_SEQUENTIAL,
        SECOND_BATCH_AND_OTHER_FAULT,
        WRONG_CHECKSUM_KEPT);
  }

  /** A sound plain message of magic 1, then a message with a wrong length field. */
  @Test
  void aDamagedMessageBehindASoundOne() {
    ByteBuffer first = LegacyMessage.of(1).value(new byte[9]).toBuffer();
    ByteBuffer both = ByteBuffer.allocate(first.remaining() + 60).put(first);
    both.putInt(both.position() + Long.BYTES, 1).position(0);
    Policy policy = Policy.builder(Origin.COORDINATOR).checkedByHost(true).build();
    judge(both.array(), policy);
  }

  /** One field alone, a little more or less than it was. */
  @Property
  void headersSlightlyOff(
      @ForAll("codecs") Codec codec,
      @ForAll("fewRecords") List<SimpleRecord> records,
      @ForAll HeaderField field,
      @ForAll @IntRange(min = -9, max = 9) int change,
      @ForAll("policies") Policy policy) {
    ByteBuffer batch = Batches.ofAny(codec, records);
    field.set(batch, field.get(batch) + change);
    judge(
        Batches.fixCrc(batch).array(),
        policy,
        CODEC_ID_UNKNOWN,
        LEGACY_FIELD_BEYOND_END,
        LEGACY_RECORD_WITHOUT_TEXT,
        OFFSETS_NOT_SEQUENTIAL);
  }

  /** Damage inside a record, a wrong count, stray bytes at the end: one of each, or all. */
  @Property(tries = 1500)
  void damagedRecords(
      @ForAll("codecs") Codec codec,
      @ForAll Damage damage,
      @ForAll @IntRange(min = 1, max = 6) int count,
      @ForAll @IntRange(min = 0, max = 5) int at,
      @ForAll @IntRange(min = 0, max = 9) int batchFault,
      @ForAll("policies") Policy policy) {
    ByteArrayOutputStream plain = new ByteArrayOutputStream();
    for (int i = 0; i < count; i++) {
      RecordBytes record = new RecordBytes().offsetDelta(RecordBytes.varint(i, 1));
      plain.writeBytes((i == at % count ? damage.apply(record, i) : record).toBytes());
    }
    int declared = batchFault == 1 ? count + 1 : batchFault == 2 ? count - 1 : count;
    byte[] stray = new byte[batchFault == 3 ? 1 : batchFault == 4 ? 3 : 0];
    plain.writeBytes(stray);
    judge(
        Batches.ofPlain(codec, declared, plain.toByteArray()).array(),
        policy,
        OFFSETS_NOT_SEQUENTIAL,
        PLAIN_LENGTH_ENDLESS);
  }

  /** The plain bytes of honest records end anywhere. */
  @Property
  void cutRecords(
      @ForAll("codecs") Codec codec,
      @ForAll("fewRecords") List<SimpleRecord> records,
      @ForAll int seed,
      @ForAll("policies") Policy policy) {
    byte[] plain = Batches.plainRecords(records.toArray(SimpleRecord[]::new));
    byte[] cut = Arrays.copyOf(plain, Math.floorMod(seed, plain.length));
    judge(Batches.ofPlain(codec, records.size(), cut).array(), policy);
  }

  /** One to three bytes of the payload hold anything, in batches of several blocks too. */
  @Property
  void damagedPayloads(
      @ForAll("codecs") Codec codec,
      @ForAll("records") List<SimpleRecord> records,
      @ForAll("damages") List<Integer> damages,
      @ForAll("policies") Policy policy) {
    byte[] batch = Batches.ofAny(codec, records).array();
    int bytes = batch.length - BatchLayout.HEADER_BYTES;
    for (int damage : damages) {
      if (bytes > 0) {
        batch[BatchLayout.HEADER_BYTES + (damage >>> Byte.SIZE) % bytes] = (byte) damage;
      }
    }
    judge(
        Batches.fixCrc(ByteBuffer.wrap(batch)).array(),
        policy,
        CODEC_FAILURE_UNWRAPPED,
        OFFSETS_NOT_SEQUENTIAL,
        PLAIN_LENGTH_ENDLESS,
        STREAM_AND_RECORD_AT_FAULT);
  }

  /** Attribute bits without a meaning stay, unless the attributes are rewritten anyway. */
  @Property(tries = 100)
  void unknownAttributes(
      @ForAll("codecs") Codec codec,
      @ForAll("fewRecords") List<SimpleRecord> records,
      @ForAll short attributes,
      @ForAll TimestampType type) {
    ByteBuffer batch = Batches.ofAny(codec, records);
    int kept = BatchLayout.CONTROL_MASK | BatchLayout.CODEC_MASK;
    HeaderField.ATTRIBUTES.set(batch, (attributes & ~kept) | codec.id());
    Policy policy =
        Policy.builder(Origin.CLIENT).target(Target.PRODUCER.withTimestampType(type)).build();
    referee.agree(Batches.fixCrc(batch).array(), policy);
  }

  /** Each damage for sure, not by chance, alone in the middle of a batch. */
  @ParameterizedTest
  @EnumSource(Damage.class)
  void eachDamage(Damage damage) {
    for (Codec codec : Codec.values()) {
      for (int at = 0; at < 3; at++) {
        judge(damage.batch(codec, at), Policy.CLIENT, OFFSETS_NOT_SEQUENTIAL, PLAIN_LENGTH_ENDLESS);
      }
    }
  }
}
