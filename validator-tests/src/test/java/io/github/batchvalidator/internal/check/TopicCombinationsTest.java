// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.SchemaIds;
import io.github.batchvalidator.rule.SchemaPlace;
import io.github.batchvalidator.rule.TopicRule;
import io.github.batchvalidator.rule.TopicRules;
import io.github.batchvalidator.rule.Verdict;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.HeaderField;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rules of a topic that look at the same field: each finds what it would find alone. */
final class TopicCombinationsTest {
  private static final long NOW = Batches.nowMs();
  private static final String KEY_ID = "__key_schema_id";
  private static final String VALUE_ID = "__value_schema_id";
  private static final SchemaIds SEVEN = SchemaIds.builder().ids(7, 7).build();

  private final BatchValidator validator = new BatchValidator();
  private final MutableVerdict verdict = new MutableVerdict();

  @AfterEach
  void close() {
    validator.close();
  }

  /** Checks the second of two records, or the batch if {@code record} is -1. */
  private void assertRefused(Reason reason, int record, ByteBuffer batch, TopicRules rules) {
    Policy policy = policy(Origin.CLIENT, rules);
    assertEquals(false, inspect(batch, policy));
    assertEquals(reason, verdict.reason());
    assertEquals(record, verdict.recordIndex());
    assertTrue(inspect(batch, policy.toBuilder().observing(true).build()), () -> "" + verdict);
    assertTrue(verdict.findings().has(reason), () -> "" + verdict.findings());
  }

  private void assertAccepted(ByteBuffer batch, Origin origin, TopicRules rules) {
    assertTrue(inspect(batch, policy(origin, rules)), () -> "" + verdict);
  }

  private boolean inspect(ByteBuffer batch, Policy policy) {
    return validator.inspect(batch, policy, NOW, verdict);
  }

  private static Policy policy(Origin origin, TopicRules rules) {
    return Policy.builder(origin).topicRules(rules).build();
  }

  // ---- a header with a schema id that is also required or forbidden

  private static SimpleRecord record(
      @Nullable String key, @Nullable String value, Header... headers) {
    return new SimpleRecord(NOW, bytes(key), bytes(value), headers);
  }

  private static byte @Nullable [] bytes(@Nullable String hex) {
    return hex == null ? null : HexFormat.of().parseHex(hex);
  }

  private static Header header(String key, @Nullable String value) {
    return new RecordHeader(key, bytes(value));
  }

  @ParameterizedTest
  @EnumSource(Codec.class)
  void requiredHeaderMayAlsoCarryTheSchemaId(Codec codec) {
    SimpleRecord good =
        record(null, "0000000009", header("t", null), header(VALUE_ID, "0000000007"));
    SimpleRecord badId =
        record(null, "0000000007", header("t", null), header(VALUE_ID, "0000000008"));
    SimpleRecord noId = record(null, "0000000007", header("t", null), header("other", null));
    for (SchemaPlace place : List.of(SchemaPlace.HEADER, SchemaPlace.EITHER)) {
      TopicRules rules =
          TopicRules.NONE
              .with(TopicRule.HEADERS_REQUIRED, List.of("t", VALUE_ID))
              .with(TopicRule.VALUE_SCHEMA, place)
              .with(TopicRule.VALUE_SCHEMA_IDS, SEVEN);
      assertAccepted(Batches.of(codec, good, good), Origin.CLIENT, rules);
      assertRefused(
          Reason.TOPIC_VALUE_SCHEMA_NOT_ALLOWED, 1, Batches.of(codec, good, badId), rules);
      assertRefused(
          place == SchemaPlace.HEADER
              ? Reason.TOPIC_VALUE_SCHEMA_MISSING
              : Reason.TOPIC_HEADER_MISSING,
          1,
          Batches.of(codec, good, noId),
          rules);
    }
  }

  /** The payload has an allowed id, so that only the header can break the rule about ids. */
  @ParameterizedTest
  @EnumSource(Codec.class)
  void forbiddenHeaderMayAlsoCarryTheSchemaId(Codec codec) {
    SimpleRecord good = record("0000000007", null);
    for (Header header :
        List.of(
            header(KEY_ID, "0000000008"), header("apicurio.key.globalId", "0000000000000008"))) {
      ByteBuffer bad = Batches.of(codec, good, record("0000000007", null, header));
      TopicRules rules =
          TopicRules.NONE.with(TopicRule.HEADERS_FORBIDDEN, List.of("debug", header.key()));
      assertRefused(Reason.TOPIC_HEADER_FORBIDDEN, 1, bad, rules);
      rules =
          rules
              .with(TopicRule.KEY_SCHEMA, SchemaPlace.EITHER)
              .with(TopicRule.KEY_SCHEMA_IDS, SEVEN);
      assertAccepted(Batches.of(codec, good, good), Origin.CLIENT, rules);
      assertRefused(Reason.TOPIC_KEY_SCHEMA_NOT_ALLOWED, 1, bad, rules);
      assertTrue(verdict.findings().has(Reason.TOPIC_HEADER_FORBIDDEN));
    }
  }

  // ---- timestamps of a client that claims log append time

  /**
   * Kafka drops the claim. In place, it keeps the records, and the maximum as that of the batch.
   */
  @ParameterizedTest
  @EnumSource(Codec.class)
  void claimOfLogAppendTimeHidesNoTimestamp(Codec codec) {
    TopicRules rules = TopicRules.NONE.with(TopicRule.TIMESTAMPS_MILLISECONDS, true);
    ByteBuffer good = claiming(codec, NOW, NOW);
    ByteBuffer badRecord = claiming(codec, NOW * 1000, NOW);
    ByteBuffer badMaximum = claiming(codec, NOW, NOW / 1000);
    assertAccepted(good, Origin.CLIENT, rules);
    assertRefused(Reason.TOPIC_TIMESTAMP_IN_MICROSECONDS, 1, badRecord, rules);
    assertRefused(Reason.TOPIC_TIMESTAMP_IN_SECONDS, Verdict.NO_RECORD, badMaximum, rules);
    for (ByteBuffer stored : List.of(good, badRecord, badMaximum)) {
      assertAccepted(stored, Origin.STORED, rules); // the broker has set the time
    }
  }

  private static ByteBuffer claiming(Codec codec, long secondTimestamp, long maximum) {
    SimpleRecord second = new SimpleRecord(secondTimestamp, null, new byte[1]);
    ByteBuffer batch = Batches.of(codec, record(null, "00"), second);
    HeaderField.ATTRIBUTES.set(batch, codec.id() | BatchLayout.TIMESTAMP_TYPE_MASK);
    HeaderField.MAX_TIMESTAMP.set(batch, maximum);
    return Batches.fixCrc(batch);
  }
}
