// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.differential;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.OffsetStamp;
import io.github.batchvalidator.differential.KafkaOracle.KafkaAnswer;
import io.github.batchvalidator.format.LegacyLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Reason.Answer;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.rule.Verdict;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.HeaderField;
import io.github.batchvalidator.testing.LegacyMessage;
import io.github.batchvalidator.testing.RecordArbitraries;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterProperty;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Messages of magic 0 and 1, alone and in compressed ones: verdict and bytes are Kafka's. */
final class LegacyDifferentialIT {
  private final Referee referee = new Referee();

  @AfterEach
  @AfterProperty
  void close() {
    referee.close();
  }

  /** What numbers the messages in a compressed one have. */
  enum Numbering {
    FROM_ZERO,
    OUTER_ZERO,
    OUTER_HIGHER,
    OUTER_LOWER,
    ALL_ZERO,
    FROM_SEVEN,
    WITH_GAP,
    DESCENDING;

    void apply(LegacyMessage outer, LegacyMessage[] inner) {
      int last = inner.length - 1;
      for (int i = 0; i < inner.length; i++) {
        inner[i].offset(
            switch (this) {
              case ALL_ZERO -> 0;
              case FROM_SEVEN -> i + 7L;
              case WITH_GAP -> i == last ? i + 1L : i;
              case DESCENDING -> last - i;
              default -> i;
            });
      }
      outer.offset(
          switch (this) {
            case OUTER_ZERO -> 0;
            case OUTER_HIGHER -> last + 50L;
            case OUTER_LOWER -> last - 1L;
            case FROM_SEVEN -> last + 7L;
            case WITH_GAP -> last + 1L;
            default -> last;
          });
    }
  }

  /** A fault of one message inside a compressed message. */
  enum InnerDamage {
    NONE,
    CHECKSUM,
    MAGIC,
    MAGIC_OF_NONE,
    COMPRESSED,
    CODEC_OF_NONE,
    OTHER_ATTRIBUTES,
    KEY_TOO_LONG,
    KEY_NEGATIVE,
    VALUE_TOO_LONG,
    CUT_SHORT,
    CUT_TO_HEAD,
    TIMESTAMP_TYPE;

    void apply(LegacyMessage message, int magic) {
      switch (this) {
        case NONE -> {}
        case CHECKSUM -> message.crcError(1 << 20);
        case MAGIC -> message.magicByte(1 - magic);
        case MAGIC_OF_NONE -> message.magicByte(7);
        case COMPRESSED -> message.attributes(Codec.SNAPPY.id());
        case CODEC_OF_NONE -> message.attributes(6);
        case OTHER_ATTRIBUTES -> message.attributes(0xF0);
        case KEY_TOO_LONG -> message.keySizeError(1000);
        case KEY_NEGATIVE -> message.keySizeError(-30);
        case VALUE_TOO_LONG -> message.valueSizeError(3);
        case CUT_SHORT -> message.key(null).value(null).cut(magic == 0 ? 0 : 5);
        case CUT_TO_HEAD -> message.key(null).value(null).cut(magic == 0 ? 0 : 8);
        case TIMESTAMP_TYPE -> message.logAppendTime();
      }
    }
  }

  @Provide
  Arbitrary<Codec> codecs() {
    return Arbitraries.of(Codec.GZIP, Codec.SNAPPY, Codec.LZ4);
  }

  @Provide
  Arbitrary<Policy> policies() {
    return RecordArbitraries.policiesOfAnyLog();
  }

  /** The timestamp of a message, whether it has a key, and its value size; null if negative. */
  record Shape(long timestamp, boolean hasKey, int valueBytes) {
    LegacyMessage message(int magic) {
      byte[] key = hasKey ? new byte[] {'k', 'e', 'y'} : null;
      byte[] value = valueBytes < 0 ? null : new byte[valueBytes];
      return LegacyMessage.of(magic).timestamp(timestamp).key(key).value(value);
    }
  }

  @Provide
  Arbitrary<List<Shape>> shapes() {
    return Combinators.combine(
            RecordArbitraries.timestamps(),
            Arbitraries.of(true, true, true, false),
            Arbitraries.of(-1, 0, 1, 5, 100, 3000))
        .as(Shape::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(6);
  }

  private static LegacyMessage[] messages(int magic, List<Shape> shapes) {
    return shapes.stream().map(shape -> shape.message(magic)).toArray(LegacyMessage[]::new);
  }

  @Property
  void plainMessages(
      @ForAll @IntRange(max = 1) int magic,
      @ForAll("shapes") List<Shape> shapes,
      @ForAll InnerDamage damage,
      @ForAll boolean logAppendTime,
      @ForAll("policies") Policy policy) {
    LegacyMessage message = shapes.get(0).message(magic).offset(shapes.size());
    damage.apply(message, magic);
    if (damage != InnerDamage.COMPRESSED && logAppendTime) {
      message.logAppendTime();
    }
    referee.judge(message.toBytes(), policy);
  }

  @Property
  void compressedMessages(
      @ForAll @IntRange(max = 1) int magic,
      @ForAll("codecs") Codec codec,
      @ForAll("shapes") List<Shape> shapes,
      @ForAll Numbering numbering,
      @ForAll @IntRange(max = 3) int logAppendTime,
      @ForAll("policies") Policy policy) {
    LegacyMessage[] inner = messages(magic, shapes);
    numbering.apply(LegacyMessage.of(magic), inner);
    LegacyMessage outer = LegacyMessage.holding(magic, codec, inner);
    numbering.apply(outer, inner);
    if (logAppendTime == 0) {
      outer.logAppendTime();
    }
    referee.agree(outer.toBytes(), policy);
  }

  /** Two messages are at fault, and perhaps the end of the last one is missing. */
  @Property(tries = 2000)
  void damagedMessages(
      @ForAll @IntRange(max = 1) int magic,
      @ForAll("codecs") Codec codec,
      @ForAll("shapes") List<Shape> shapes,
      @ForAll @Size(2) List<InnerDamage> damages,
      @ForAll @IntRange(max = 40) int cut,
      @ForAll("policies") Policy policy) {
    LegacyMessage[] inner = messages(magic, shapes);
    Numbering.FROM_ZERO.apply(LegacyMessage.of(magic), inner);
    damages.get(0).apply(inner[cut % inner.length], magic);
    damages.get(1).apply(inner[inner.length - 1], magic);
    byte[] plain = LegacyMessage.join(inner);
    byte[] left = Arrays.copyOf(plain, Math.max(0, plain.length - Math.max(0, cut - 10)));
    LegacyMessage outer = LegacyMessage.holdingPlain(magic, codec, left);
    referee.judge(outer.offset(inner.length - 1).toBytes(), policy);
  }

  /** Sizes that lie, above all the one before the first message that cannot be read. */
  @Property
  void sizesThatLie(
      @ForAll @IntRange(max = 1) int magic,
      @ForAll("codecs") Codec codec,
      @ForAll("shapes") List<Shape> shapes,
      @ForAll @IntRange(min = -30, max = 60) int size,
      @ForAll("policies") Policy policy) {
    LegacyMessage[] inner = messages(magic, shapes);
    byte[] plain = LegacyMessage.join(inner);
    ByteBuffer last = ByteBuffer.wrap(plain, 0, plain.length);
    int at = plain.length - inner[inner.length - 1].toBytes().length;
    HeaderField.LENGTH.set(last.position(at).slice(), size);
    referee.judge(LegacyMessage.holdingPlain(magic, codec, plain).toBytes(), policy);
  }

  /**
   * Several messages in one buffer: inspected and stamped one by one they end as in Kafka, which
   * has stamped those before the one that it refuses.
   */
  @Property
  void severalMessages(
      @ForAll @IntRange(max = 1) int magic,
      @ForAll("shapes") List<Shape> shapes,
      @ForAll("policies") Policy policy) {
    LegacyMessage[] messages = messages(magic, shapes);
    byte[] bytes = LegacyMessage.join(messages);
    Policy sameMagic =
        Policy.builder(policy.origin())
            .target(
                Target.PRODUCER
                    .withMagic((byte) magic)
                    .withTimestampType(policy.target().timestampType()))
            .timestampWindowMs(policy.timestampBeforeMaxMs(), policy.timestampAfterMaxMs())
            .compactedTopic(policy.compactedTopic())
            .checkedByHost(true)
            .build();
    KafkaAnswer theirs = referee.kafka.ask(bytes, sameMagic, Referee.PLACE);
    ByteBuffer ours = ByteBuffer.wrap(bytes.clone());
    long next = assignAll(ours, sameMagic);
    assertEquals(theirs.accepted(), !ours.hasRemaining(), () -> Batches.base64(bytes));
    assertArrayEquals(Batches.copy(theirs.bytes()).array(), ours.array());
    assertEquals(theirs.nextOffset(), theirs.accepted() ? next : next + 1);
  }

  /** Moves behind what is accepted; returns the next offset. */
  private static long assignAll(ByteBuffer buffer, Policy policy) {
    MutableVerdict verdict = new MutableVerdict();
    long now = Referee.PLACE.nowMs();
    long next = Referee.PLACE.firstOffset();
    try (BatchValidator validator = new BatchValidator()) {
      while (buffer.hasRemaining() && validator.inspect(buffer, policy, now, verdict)) {
        ByteBuffer message = buffer.slice(buffer.position(), verdict.batchBytes());
        next =
            new OffsetStamp().firstOffset(next).leaderEpoch(0).nowMs(now).assign(message, verdict);
        buffer.position(buffer.position() + verdict.batchBytes());
      }
    }
    return next;
  }

  /** An old log takes neither transactions nor producer ids. */
  @Test
  void whatAnOldLogDoesNotTake() {
    Policy oldLog =
        Policy.builder(Origin.CLIENT)
            .target(Target.PRODUCER.withMagic(LegacyLayout.MAGIC_V1))
            .build();
    ByteBuffer batch =
        Batches.of(Codec.LZ4, new SimpleRecord(Batches.nowMs(), new byte[1], new byte[1]));
    ByteBuffer transactional = HeaderField.ATTRIBUTES.set(Batches.copy(batch), 0x13);
    assertUnsupported(Batches.fixCrc(transactional).array(), oldLog);
    ByteBuffer idempotent = HeaderField.PRODUCER_ID.set(Batches.copy(batch), 5);
    HeaderField.BASE_SEQUENCE.set(idempotent, 0);
    assertUnsupported(Batches.fixCrc(idempotent).array(), oldLog);
  }

  private void assertUnsupported(byte[] batch, Policy policy) {
    Reason ours = Objects.requireNonNull(referee.inspect(batch, policy).reason());
    assertEquals(Answer.UNSUPPORTED_FORMAT, ours.answer());
    assertEquals(ours.answer(), referee.kafka.ask(batch, policy, Referee.PLACE).answer());
  }

  /** A compressed message is alone, or it is refused. */
  @Test
  void aSecondBatchBehindACompressedMessage() {
    byte[] outer = LegacyMessage.holding(1, Codec.GZIP, LegacyMessage.several(1, 2)).toBytes();
    byte[] both = ByteBuffer.allocate(2 * outer.length).put(outer).put(outer).array();
    for (Origin origin : List.of(Origin.COORDINATOR, Origin.REPLICATION)) {
      referee.agree(
          both,
          Policy.builder(origin).target(Target.PRODUCER.withMagic(LegacyLayout.MAGIC_V1)).build());
    }
  }

  /** Messages in a compressed one stay where they are, and it gets the offset of the last. */
  @Test
  void offsetsThatNeedNoRebuild() {
    Policy policy =
        Policy.builder(Origin.COORDINATOR)
            .target(Target.PRODUCER.withMagic(LegacyLayout.MAGIC_V1))
            .build();
    LegacyMessage[] inner = LegacyMessage.several(1, 3);
    for (long offset : new long[] {0, 2, 3, 50}) {
      byte[] batch = LegacyMessage.holding(1, Codec.LZ4, inner).offset(offset).toBytes();
      referee.agree(batch, policy);
      Verdict verdict = referee.inspect(batch, policy);
      assertTrue(verdict.accepted());
      assertEquals(offset > 2, verdict.needsRebuild(), "offset " + offset);
    }
  }
}
