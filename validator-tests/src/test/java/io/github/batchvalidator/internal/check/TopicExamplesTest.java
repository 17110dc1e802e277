// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Prefix;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.SchemaIds;
import io.github.batchvalidator.rule.SchemaPlace;
import io.github.batchvalidator.rule.SizeRange;
import io.github.batchvalidator.rule.TopicRule;
import io.github.batchvalidator.rule.TopicRules;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.LegacyMessage;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * For every rule of a topic, named after it: a record that passes, and one that does not. The batch
 * is refused if it comes from a client or a log, reported if the policy observes, and accepted if
 * the topic has no rules.
 */
final class TopicExamplesTest {
  private static final long NOW = Batches.nowMs();
  private static final UUID GUID = UUID.fromString("8a5b1c0d-1111-2222-3333-444455556666");
  private static final SchemaIds SEVEN = SchemaIds.builder().ids(7, 7).guid(GUID).build();

  private final BatchValidator validator = new BatchValidator();
  private final MutableVerdict verdict = new MutableVerdict();

  @AfterEach
  void close() {
    validator.close();
  }

  private record Operands(long first, long second) {}

  /** Checks a batch of two records, of which the second is the one in question. */
  private void check(
      Reason reason, TopicRules rules, SimpleRecord good, SimpleRecord bad, Operands told) {
    for (Codec codec : Codec.values()) {
      for (Origin origin : Origin.values()) {
        Policy policy = policy(origin, rules);
        assertTrue(inspect(Batches.of(codec, good, good), policy), () -> "" + verdict);
        boolean applies = origin == Origin.CLIENT || origin == Origin.STORED;
        ByteBuffer batch = Batches.of(codec, good, bad);
        assertEquals(!applies, inspect(batch, policy), () -> "" + verdict);
        if (applies) {
          assertEquals(reason, verdict.reason());
          assertEquals(1, verdict.recordIndex());
          assertEquals(1, verdict.failureTotal());
          assertEquals(1, verdict.failureIndex(0));
          assertEquals(told, new Operands(verdict.firstOperand(), verdict.secondOperand()));
          assertShown(reason, told);
        }
        assertObserved(reason, batch, policy, applies);
        assertTrue(inspect(batch, policy(origin, TopicRules.NONE)));
      }
    }
  }

  private static void assertShown(Reason reason, Operands operands) {
    String text = reason.describe(operands.first, operands.second);
    for (long operand : new long[] {operands.first, operands.second}) {
      String hex = String.format("%08x", operand);
      assertTrue(operand == 0 || text.contains("" + operand) || text.contains(hex), text);
    }
  }

  private static Policy policy(Origin origin, TopicRules rules) {
    return Policy.builder(origin).topicRules(rules).build();
  }

  private void assertObserved(Reason reason, ByteBuffer batch, Policy policy, boolean applies) {
    assertTrue(inspect(batch, policy.toBuilder().observing(true).build()), () -> "" + verdict);
    assertEquals(applies, verdict.findings().has(reason), () -> "" + verdict.findings());
    assertEquals(applies, verdict.findings().matterTo(verdict));
    assertEquals(!applies, inspect(batch, policy.toBuilder().level(Level.STRICT).build()));
  }

  private boolean inspect(ByteBuffer batch, Policy policy) {
    return validator.inspect(batch, policy, NOW, verdict);
  }

  private static SimpleRecord record(
      byte @Nullable [] key, byte @Nullable [] value, Header... all) {
    return new SimpleRecord(NOW, key, value, all);
  }

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex);
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static Operands none() {
    return new Operands(0, 0);
  }

  // ---- rules for the batch

  @Test
  void topicMagicUnsupported() {
    TopicRules rules = TopicRules.NONE.with(TopicRule.KEY_REQUIRED, true);
    ByteBuffer message = LegacyMessage.of(1).key(text("k")).value(text("v")).toBuffer();
    Policy policy = policy(Origin.STORED, rules);
    assertFalse(inspect(message, policy));
    assertEquals(Reason.TOPIC_MAGIC_UNSUPPORTED, verdict.reason());
    assertEquals(1, verdict.firstOperand());
    assertObserved(Reason.TOPIC_MAGIC_UNSUPPORTED, message, policy, true);
    assertTrue(inspect(message, policy(Origin.STORED, TopicRules.NONE)));
    TopicRules both =
        TopicRules.NONE
            .with(TopicRule.KEY_REQUIRED, true)
            .with(TopicRule.CODECS, Set.of(Codec.LZ4));
    assertFalse(inspect(message, policy(Origin.STORED, both)));
    assertEquals(Reason.TOPIC_MAGIC_UNSUPPORTED, verdict.reason(), "before the codec");
  }

  @Test
  void topicCodecNotAllowed() {
    TopicRules rules = TopicRules.NONE.with(TopicRule.CODECS, Set.of(Codec.LZ4, Codec.ZSTD));
    for (Codec codec : Codec.values()) {
      ByteBuffer batch = Batches.of(codec, record(null, text("v")));
      Policy policy = policy(Origin.CLIENT, rules);
      boolean allowed = codec == Codec.LZ4 || codec == Codec.ZSTD;
      assertEquals(allowed, inspect(batch, policy));
      if (!allowed) {
        assertEquals(Reason.TOPIC_CODEC_NOT_ALLOWED, verdict.reason());
        assertEquals(codec.id(), verdict.firstOperand());
        assertObserved(Reason.TOPIC_CODEC_NOT_ALLOWED, batch, policy, true);
      }
    }
  }

  // ---- rules for keys and values

  @Test
  void topicKeyMissing() {
    check(
        Reason.TOPIC_KEY_MISSING,
        TopicRules.NONE.with(TopicRule.KEY_REQUIRED, true),
        record(text("k"), null),
        record(null, text("v")),
        none());
  }

  @Test
  void topicValueMissing() {
    check(
        Reason.TOPIC_VALUE_MISSING,
        TopicRules.NONE.with(TopicRule.VALUE_REQUIRED, true),
        record(null, text("v")),
        record(text("k"), null),
        none());
  }

  @Test
  void topicKeySizeOutOfRange() {
    TopicRules rules = TopicRules.NONE.with(TopicRule.KEY_BYTES, new SizeRange(2, 4));
    SimpleRecord good = record(text("four"), null);
    Reason reason = Reason.TOPIC_KEY_SIZE_OUT_OF_RANGE;
    check(reason, rules, good, record(text("k"), null), new Operands(1, 2));
    check(reason, rules, record(null, null), record(text("five."), null), new Operands(5, 4));
  }

  @Test
  void topicValueSizeOutOfRange() {
    TopicRules rules = TopicRules.NONE.with(TopicRule.VALUE_BYTES, new SizeRange(2, 4));
    SimpleRecord good = record(null, text("ab"));
    Reason reason = Reason.TOPIC_VALUE_SIZE_OUT_OF_RANGE;
    check(reason, rules, good, record(null, text("v")), new Operands(1, 2));
    check(reason, rules, record(null, null), record(null, text("five.")), new Operands(5, 4));
  }

  @Test
  void topicKeyStartUnexpected() {
    check(
        Reason.TOPIC_KEY_START_UNEXPECTED,
        TopicRules.NONE.with(
            TopicRule.KEY_STARTS, List.of(Prefix.of(text("id-")), Prefix.of((byte) 0))),
        record(text("id-1"), null),
        record(text("id"), null),
        new Operands(0x69640000L, 2));
  }

  @Test
  void topicValueStartUnexpected() {
    check(
        Reason.TOPIC_VALUE_START_UNEXPECTED,
        TopicRules.NONE.with(
            TopicRule.VALUE_STARTS, List.of(Prefix.of(text("{")), Prefix.of(text("[")))),
        record(null, text("[1]")),
        record(null, text("<xml>")),
        new Operands(0x3C786D6CL, 5));
  }

  // ---- rules for schema ids

  private static SimpleRecord keyHeader(String header, String hex) {
    return record(text("key"), null, new RecordHeader(header, bytes(hex)));
  }

  private static SimpleRecord valueHeader(String header, String hex) {
    return record(null, text("value"), new RecordHeader(header, bytes(hex)));
  }

  @Test
  void topicKeySchemaMissing() {
    Reason reason = Reason.TOPIC_KEY_SCHEMA_MISSING;
    TopicRules payload = TopicRules.NONE.with(TopicRule.KEY_SCHEMA, SchemaPlace.PAYLOAD);
    SimpleRecord good = record(bytes("0000000009"), null);
    check(reason, payload, good, record(bytes("00000009"), null), none());
    check(reason, payload, record(null, null), record(bytes("0100000009"), null), none());
    TopicRules header = TopicRules.NONE.with(TopicRule.KEY_SCHEMA, SchemaPlace.HEADER);
    check(reason, header, keyHeader("__key_schema_id", "0000000009"), good, none());
    check(
        reason,
        header,
        keyHeader("apicurio.key.globalId", "0000000000000009"),
        keyHeader("__key_schema_id", "0100000009"),
        none());
  }

  @Test
  void topicKeySchemaNotAllowed() {
    check(
        Reason.TOPIC_KEY_SCHEMA_NOT_ALLOWED,
        TopicRules.NONE
            .with(TopicRule.KEY_SCHEMA, SchemaPlace.EITHER)
            .with(TopicRule.KEY_SCHEMA_IDS, SEVEN),
        record(bytes("0000000007"), null),
        keyHeader("__key_schema_id", "0000000008"),
        new Operands(8, 0));
  }

  @Test
  void topicKeySchemaGuidNotAllowed() {
    check(
        Reason.TOPIC_KEY_SCHEMA_GUID_NOT_ALLOWED,
        TopicRules.NONE
            .with(TopicRule.KEY_SCHEMA, SchemaPlace.HEADER)
            .with(TopicRule.KEY_SCHEMA_IDS, SEVEN),
        keyHeader("__key_schema_id", "01" + hex(GUID)),
        keyHeader("__key_schema_id", "01" + hex(new UUID(0x1234567800000000L, 9))),
        new Operands(0x12345678L, 0));
  }

  private static String hex(UUID guid) {
    return guid.toString().replace("-", "");
  }

  @Test
  void topicValueSchemaMissing() {
    check(
        Reason.TOPIC_VALUE_SCHEMA_MISSING,
        TopicRules.NONE.with(TopicRule.VALUE_SCHEMA, SchemaPlace.EITHER),
        valueHeader("__value_schema_id", "0000000001"),
        valueHeader("__key_schema_id", "0000000001"),
        none());
  }

  @Test
  void topicValueSchemaNotAllowed() {
    SchemaIds ids = SchemaIds.builder().ids(5, 7).globalIds(1, 1).build();
    check(
        Reason.TOPIC_VALUE_SCHEMA_NOT_ALLOWED,
        TopicRules.NONE
            .with(TopicRule.VALUE_SCHEMA, SchemaPlace.EITHER)
            .with(TopicRule.VALUE_SCHEMA_IDS, ids),
        record(null, bytes("0000000006")),
        valueHeader("apicurio.value.globalId", "0000000000000006"),
        new Operands(6, 0));
  }

  @Test
  void topicValueSchemaGuidNotAllowed() {
    check(
        Reason.TOPIC_VALUE_SCHEMA_GUID_NOT_ALLOWED,
        TopicRules.NONE
            .with(TopicRule.VALUE_SCHEMA, SchemaPlace.EITHER)
            .with(TopicRule.VALUE_SCHEMA_IDS, SEVEN),
        valueHeader("__value_schema_id", "01" + hex(GUID)),
        valueHeader("__value_schema_id", "01" + hex(new UUID(-1, 9))),
        new Operands(0xFFFFFFFFL, 0));
  }

  // ---- rules for headers

  @Test
  void topicHeaderMissing() {
    Header one = new RecordHeader("one", text("1"));
    Header two = new RecordHeader("two", null);
    check(
        Reason.TOPIC_HEADER_MISSING,
        TopicRules.NONE.with(TopicRule.HEADERS_REQUIRED, List.of("one", "two")),
        record(null, text("v"), two, one),
        record(null, text("v"), one, one),
        new Operands(1, 0));
  }

  @Test
  void topicHeaderForbidden() {
    Header one = new RecordHeader("one", text("1"));
    check(
        Reason.TOPIC_HEADER_FORBIDDEN,
        TopicRules.NONE
            .with(TopicRule.HEADERS_REQUIRED, List.of("one"))
            .with(TopicRule.HEADERS_FORBIDDEN, List.of("debug", "password")),
        record(null, text("v"), one),
        record(null, text("v"), new RecordHeader("password", text("secret")), one),
        new Operands(1, 0));
  }

  @Test
  void topicHeaderKeyNotUtf8() {
    TopicRules rules = TopicRules.NONE.with(TopicRule.HEADERS_UTF8, true);
    byte[] good = {18, 0, 0, 0, 1, 1, 2, 2, 'k', 1};
    byte[] bad = {18, 0, 0, 0, 1, 1, 2, 2, (byte) 0xFF, 1};
    for (Codec codec : Codec.values()) {
      Policy policy = policy(Origin.CLIENT, rules);
      assertTrue(inspect(Batches.ofPlain(codec, 1, good), policy), () -> "" + verdict);
      ByteBuffer batch = Batches.ofPlain(codec, 1, bad);
      assertFalse(inspect(batch, policy));
      assertEquals(Reason.TOPIC_HEADER_KEY_NOT_UTF8, verdict.reason());
      assertObserved(Reason.TOPIC_HEADER_KEY_NOT_UTF8, batch, policy, true);
    }
  }

  // ---- rules for timestamps

  private void checkTimestamp(Reason reason, long bad) {
    check(
        reason,
        TopicRules.NONE.with(TopicRule.TIMESTAMPS_MILLISECONDS, true),
        record(null, text("v")),
        new SimpleRecord(bad, null, text("v")),
        new Operands(bad, 0));
  }

  @Test
  void topicTimestampInSeconds() {
    checkTimestamp(Reason.TOPIC_TIMESTAMP_IN_SECONDS, NOW / 1000);
  }

  @Test
  void topicTimestampInMicroseconds() {
    checkTimestamp(Reason.TOPIC_TIMESTAMP_IN_MICROSECONDS, NOW * 1000);
  }

  @Test
  void topicTimestampInNanoseconds() {
    checkTimestamp(Reason.TOPIC_TIMESTAMP_IN_NANOSECONDS, NOW * 1_000_000);
  }
}
