// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.rebuild;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.internal.payload.WindowDecoders;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.TopicRule;
import io.github.batchvalidator.rule.TopicRules;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.HeaderField;
import io.github.batchvalidator.testing.LegacyMessage;
import io.github.batchvalidator.testing.RecordBytes;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules of a topic apply to batches and messages that are rebuilt, whatever their magic. */
final class RebuildTopicRulesTest {
  private static final TopicRules KEYS = TopicRules.NONE.with(TopicRule.KEY_REQUIRED, true);
  private static final TopicRules LZ4_ONLY =
      TopicRules.NONE.with(TopicRule.CODECS, Set.of(Codec.LZ4));

  private final RebuildEngine rebuilder = new RebuildEngine(WindowDecoders.fastest());
  private final MutableVerdict verdict = new MutableVerdict();

  @AfterEach
  void close() {
    rebuilder.close();
  }

  private static Policy.Builder policy(TopicRules rules) {
    return Policy.builder(Origin.CLIENT).checkedByHost(true).topicRules(rules);
  }

  private boolean rebuild(ByteBuffer batches, Policy policy) {
    return rebuilder.rebuild(
        batches, Batches.storing(policy, Codec.ZSTD), 5, Batches.nowMs(), verdict);
  }

  private void assertRefused(Reason reason, ByteBuffer batches, TopicRules rules) {
    for (Level level : Level.values()) {
      assertFalse(rebuild(batches, policy(rules).level(level).build()));
      assertEquals(reason, verdict.reason());
      assertThrows(IllegalStateException.class, rebuilder::batch);
    }
  }

  private void assertFound(Reason reason, long total, ByteBuffer batches, TopicRules rules) {
    assertTrue(rebuild(batches, policy(rules).observing(true).build()), verdict::toString);
    assertTrue(verdict.findings().has(reason), verdict.findings()::describe);
    assertEquals(total, verdict.findings().total(0));
    assertTrue(rebuild(batches, policy(TopicRules.NONE).build()), verdict::toString);
  }

  private static ByteBuffer several(int magic) {
    return ByteBuffer.wrap(LegacyMessage.join(LegacyMessage.several(magic, 3)));
  }

  private static ByteBuffer keyless(Codec codec, long timestamp) {
    byte[] plain =
        new RecordBytes()
            .key(RecordBytes.varint(-1, 1), new byte[0])
            .timestampDelta(RecordBytes.varint(timestamp - Batches.nowMs(), 7))
            .toBytes();
    return Batches.ofPlain(codec, 1, plain);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void oldMessagesBreakRulesForRecords(int magic) {
    ByteBuffer compressed =
        LegacyMessage.holding(magic, Codec.GZIP, LegacyMessage.several(magic, 3)).toBuffer();
    assertRefused(Reason.TOPIC_MAGIC_UNSUPPORTED, compressed, KEYS);
    assertEquals(magic, verdict.firstOperand());
    assertFound(Reason.TOPIC_MAGIC_UNSUPPORTED, 1, compressed, KEYS);
    assertRefused(Reason.TOPIC_MAGIC_UNSUPPORTED, several(magic), KEYS);
    assertFound(Reason.TOPIC_MAGIC_UNSUPPORTED, 3, several(magic), KEYS);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void oldMessagesNeedAnAllowedCodec(int magic) {
    LegacyMessage[] messages = LegacyMessage.several(magic, 3);
    ByteBuffer gzip = LegacyMessage.holding(magic, Codec.GZIP, messages).toBuffer();
    assertRefused(Reason.TOPIC_CODEC_NOT_ALLOWED, gzip, LZ4_ONLY);
    assertFound(Reason.TOPIC_CODEC_NOT_ALLOWED, 1, gzip, LZ4_ONLY);
    assertRefused(Reason.TOPIC_CODEC_NOT_ALLOWED, several(magic), LZ4_ONLY);
    ByteBuffer lz4 = LegacyMessage.holding(magic, Codec.LZ4, messages).toBuffer();
    assertTrue(rebuild(lz4, policy(LZ4_ONLY).build()), verdict::toString);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void magicIsReportedBeforeTheCodec(int magic) {
    TopicRules both =
        TopicRules.NONE
            .with(TopicRule.KEY_REQUIRED, true)
            .with(TopicRule.CODECS, Set.of(Codec.LZ4));
    LegacyMessage[] messages = LegacyMessage.several(magic, 3);
    ByteBuffer gzip = LegacyMessage.holding(magic, Codec.GZIP, messages).toBuffer();
    assertRefused(Reason.TOPIC_MAGIC_UNSUPPORTED, gzip, both);
    assertFound(Reason.TOPIC_CODEC_NOT_ALLOWED, 1, gzip, both);
  }

  @Test
  void faultOfALaterMessageOutweighsTheRules() {
    LegacyMessage[] messages = LegacyMessage.several(1, 3);
    messages[2].timestamp(-2);
    ByteBuffer batches = ByteBuffer.wrap(LegacyMessage.join(messages));
    assertRefused(Reason.REBUILD_TIMESTAMP_NEGATIVE, batches, KEYS);
  }

  /** The rules count only if Kafka accepts, and Kafka's builder does not. */
  @ParameterizedTest
  @EnumSource(Codec.class)
  void faultOfTheWriterOutweighsTheRules(Codec codec) {
    Codec other = codec == Codec.LZ4 ? Codec.GZIP : Codec.LZ4;
    for (TopicRules rules : List.of(KEYS, TopicRules.NONE.with(TopicRule.CODECS, Set.of(other)))) {
      ByteBuffer negative = keyless(codec, -2);
      assertRefused(Reason.REBUILD_TIMESTAMP_NEGATIVE, negative, rules);
      ByteBuffer noProducer = keyless(codec, 5);
      HeaderField.ATTRIBUTES.set(noProducer, codec.id() | BatchLayout.TRANSACTIONAL_MASK);
      assertRefused(Reason.REBUILD_PRODUCER_ID_MISSING, Batches.fixCrc(noProducer), rules);
    }
  }

  @Test
  void refusedRecordsTakeNoOffsets() {
    ByteBuffer batch = keyless(Codec.GZIP, 5);
    assertRefused(Reason.TOPIC_KEY_MISSING, batch, KEYS);
    assertEquals(0, verdict.recordIndex());
    assertEquals(0, rebuilder.offsetsTaken());
  }

  /** In a rebuild, Kafka stores the maximum timestamp in each record, and drops their own. */
  @ParameterizedTest
  @EnumSource(Codec.class)
  void claimOfLogAppendTimeIsCheckedAsItIsStored(Codec codec) {
    TopicRules rules = TopicRules.NONE.with(TopicRule.TIMESTAMPS_MILLISECONDS, true);
    ByteBuffer batch = keyless(codec, Batches.nowMs() * 1000);
    HeaderField.ATTRIBUTES.set(batch, codec.id() | BatchLayout.TIMESTAMP_TYPE_MASK);
    HeaderField.MAX_TIMESTAMP.set(batch, Batches.nowMs());
    Batches.fixCrc(batch);
    assertTrue(rebuild(batch, policy(rules).build()), verdict::toString);
    assertFalse(rebuilder.check(batch, policy(rules).build(), Batches.nowMs(), verdict));
    assertEquals(0, verdict.recordIndex());
    HeaderField.MAX_TIMESTAMP.set(batch, Batches.nowMs() / 1000);
    assertRefused(Reason.TOPIC_TIMESTAMP_IN_SECONDS, Batches.fixCrc(batch), rules);
    assertFound(Reason.TOPIC_TIMESTAMP_IN_SECONDS, 1, batch, rules);
  }

  /** Compressed, declared uncompressed and kept as it is: {@link RebuildEngine#check}. */
  @Test
  void mislabelledBatchesHaveRulesToo() {
    ByteBuffer batch = keyless(Codec.GZIP, 5);
    for (TopicRules rules : List.of(KEYS, LZ4_ONLY)) {
      assertFalse(rebuilder.check(batch, policy(rules).build(), Batches.nowMs(), verdict));
    }
    ByteBuffer message =
        LegacyMessage.holding(1, Codec.GZIP, LegacyMessage.several(1, 3)).toBuffer();
    for (TopicRules rules : List.of(KEYS, LZ4_ONLY)) {
      assertFalse(rebuilder.check(message, policy(rules).build(), Batches.nowMs(), verdict));
    }
  }
}
