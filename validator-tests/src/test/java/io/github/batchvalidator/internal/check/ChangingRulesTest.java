// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.BatchRebuilder;
import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.internal.codec.snappy.WalkGates;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Prefix;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.SchemaIds;
import io.github.batchvalidator.rule.SchemaPlace;
import io.github.batchvalidator.rule.TopicRule;
import io.github.batchvalidator.rule.TopicRules;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Batches of topics with different rules, one after the other through one validator: nothing that
 * it keeps of earlier records, batches and rules changes a verdict.
 */
class ChangingRulesTest {
  private static final String VALUE_HEADER = "__value_schema_id";
  private static final String GLOBAL_HEADER = "apicurio.value.globalId";

  private final BatchValidator validator = new BatchValidator();
  private final BatchRebuilder rebuilder = new BatchRebuilder();
  private final MutableVerdict verdict = new MutableVerdict();

  @BeforeEach
  void openGate() {
    WalkGates.open();
  }

  @AfterEach
  void close() {
    WalkGates.putBack();
    validator.close();
    rebuilder.close();
  }

  /** Asserts the verdict on the last record; the other records pass. Null means that all pass. */
  private void expect(@Nullable Reason reason, TopicRules rules, SimpleRecord... records) {
    Policy policy = Policy.builder(Origin.CLIENT).topicRules(rules).build();
    for (Codec codec : Codec.values()) {
      ByteBuffer batch = Batches.of(codec, records);
      boolean accepted = validator.inspect(batch, policy, Batches.nowMs(), verdict);
      assertVerdict(reason, accepted, records.length);
      Policy stored = Batches.storing(policy, codec == Codec.LZ4 ? Codec.ZSTD : Codec.LZ4);
      accepted = rebuilder.rebuild(batch, stored, Batches.nowMs(), verdict);
      assertVerdict(reason, accepted, records.length);
    }
  }

  private void assertVerdict(@Nullable Reason reason, boolean accepted, int records) {
    assertEquals(reason == null, accepted, () -> "" + verdict);
    if (reason != null) {
      assertEquals(reason, verdict.reason());
      assertEquals(1, verdict.failureTotal());
      assertEquals(records - 1, verdict.failureIndex(0));
    }
  }

  private static SimpleRecord record(String value, Header... headers) {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    return new SimpleRecord(Batches.nowMs(), bytes, bytes, headers);
  }

  private static SimpleRecord schema(String header, String hex) {
    return record("value", new RecordHeader(header, HexFormat.of().parseHex(hex)));
  }

  private static SimpleRecord payload(String hex) {
    byte[] bytes = HexFormat.of().parseHex(hex);
    return new SimpleRecord(Batches.nowMs(), bytes, bytes);
  }

  private static Header[] headers(String... keys) {
    return Arrays.stream(keys)
        .map(key -> new RecordHeader(key, new byte[] {1}))
        .toArray(Header[]::new);
  }

  @Test
  void headersThatOtherRulesName() {
    SimpleRecord record = record("value", headers("tenant", "b3"));
    for (int i = 0; i < 3; i++) {
      expect(null, TopicRules.NONE.with(TopicRule.HEADERS_REQUIRED, List.of("tenant")), record);
      expect(
          Reason.TOPIC_HEADER_FORBIDDEN,
          TopicRules.NONE.with(TopicRule.HEADERS_FORBIDDEN, List.of("tenant")),
          record);
      expect(
          Reason.TOPIC_HEADER_MISSING,
          TopicRules.NONE.with(TopicRule.HEADERS_REQUIRED, List.of("trace")),
          record);
      expect(
          null, TopicRules.NONE.with(TopicRule.HEADERS_REQUIRED, List.of("b3", "tenant")), record);
    }
  }

  @Test
  void headersThatDifferInOneByteFromThoseOfTheLastRecord() {
    for (int size : new int[] {1, 2, 6, 7, 8, 9, 15, 16, 17, 23, 31, 62, 63, 64, 65, 200, 255}) {
      String key = "k".repeat(size);
      TopicRules rules = TopicRules.NONE.with(TopicRule.HEADERS_REQUIRED, List.of(key));
      SimpleRecord good = record("value", headers(key));
      for (int i = 0; i < size; i++) {
        String other = "k".repeat(i) + "x" + "k".repeat(size - i - 1);
        SimpleRecord bad = record("value", headers(other));
        expect(Reason.TOPIC_HEADER_MISSING, rules, good, good, bad);
      }
      SimpleRecord shorter = record("value", headers("k".repeat(size - 1)));
      expect(Reason.TOPIC_HEADER_MISSING, rules, good, shorter);
    }
  }

  /** Whatever ids the headers had whose shape was learned. */
  @Test
  void idsThatWereNotAllowedBefore() {
    SchemaIds one = SchemaIds.builder().ids(1, 1).build();
    Policy policy =
        Policy.builder(Origin.CLIENT)
            .topicRules(
                TopicRules.NONE
                    .with(TopicRule.VALUE_SCHEMA, SchemaPlace.HEADER)
                    .with(TopicRule.VALUE_SCHEMA_IDS, one))
            .build();
    SimpleRecord good = schema(VALUE_HEADER, "0000000001");
    SimpleRecord bad = schema(VALUE_HEADER, "0000000009");
    SimpleRecord[] records = {bad, bad, bad, good, good, good, good, good, bad, good};
    for (Codec codec : Codec.values()) {
      assertFalse(validator.inspect(Batches.of(codec, records), policy, Batches.nowMs(), verdict));
      assertEquals(4, verdict.failureTotal(), () -> codec + ": " + verdict);
      assertEquals(8, verdict.failureIndex(3));
    }
  }

  @Test
  void headersThatComeAndGo() {
    TopicRules rules =
        TopicRules.NONE
            .with(TopicRule.HEADERS_REQUIRED, List.of("one"))
            .with(TopicRule.HEADERS_FORBIDDEN, List.of("three"));
    SimpleRecord few = record("value", headers("one"));
    SimpleRecord more = record("value", headers("two", "one", ""));
    SimpleRecord bad = record("value", headers("two", "one", "three"));
    expect(null, rules, few, more, few, more, more);
    expect(Reason.TOPIC_HEADER_FORBIDDEN, rules, few, more, bad);
    expect(Reason.TOPIC_HEADER_MISSING, rules, few, more, record("value", headers("two")));
    expect(Reason.TOPIC_HEADER_MISSING, rules, few, more, record("value"));
  }

  @Test
  void moreHeadersThanAreKept() {
    String[] keys = new String[40];
    Arrays.setAll(keys, i -> "header-" + i);
    TopicRules rules = TopicRules.NONE.with(TopicRule.HEADERS_REQUIRED, List.of(keys));
    SimpleRecord good = record("value", headers(keys));
    keys[39] = "header-x";
    expect(Reason.TOPIC_HEADER_MISSING, rules, good, good, record("value", headers(keys)));
  }

  @Test
  void headerValuesOfOtherSizes() {
    TopicRules rules =
        TopicRules.NONE
            .with(TopicRule.HEADERS_REQUIRED, List.of("last"))
            .with(TopicRule.VALUE_SCHEMA, SchemaPlace.HEADER)
            .with(TopicRule.VALUE_SCHEMA_IDS, SchemaIds.builder().ids(7, 7).build());
    Header last = new RecordHeader("last", null);
    Header id = new RecordHeader(VALUE_HEADER, HexFormat.of().parseHex("0000000007"));
    Header bad = new RecordHeader(VALUE_HEADER, HexFormat.of().parseHex("0000000008"));
    for (int size : new int[] {0, 1, 63, 64, 127, 128, 8191, 8192, 20_000}) {
      Header other = new RecordHeader("other", new byte[size]);
      SimpleRecord good = record("value", other, id, last);
      expect(null, rules, good, record("value", last, other, id), good);
      expect(Reason.TOPIC_VALUE_SCHEMA_NOT_ALLOWED, rules, good, record("value", other, bad, last));
    }
  }

  @Test
  void schemaIdsThatOtherRulesAllow() {
    for (int i = 0; i < 3; i++) {
      for (String id : new String[] {"0000000007", "0000000000"}) {
        int number = Integer.parseInt(id.substring(8));
        SchemaIds own = SchemaIds.builder().ids(number, number).build();
        SchemaIds other = SchemaIds.builder().ids(8, 8).guid(new UUID(1, 1)).build();
        Reason reason = Reason.TOPIC_VALUE_SCHEMA_NOT_ALLOWED;
        expectSchema(reason, other, schema(VALUE_HEADER, id));
        expectSchema(null, own, schema(VALUE_HEADER, id));
        expectSchema(reason, other, payload(id));
        expectSchema(null, own, payload(id));
        expectSchema(null, SchemaIds.ANY, payload(id));
      }
    }
  }

  @Test
  void globalIdsThatOtherRulesAllow() {
    for (int i = 0; i < 3; i++) {
      for (String id : new String[] {"0000000000000007", "0000000000000000"}) {
        long number = Long.parseLong(id);
        SchemaIds own = SchemaIds.builder().globalIds(number, number).build();
        SchemaIds other = SchemaIds.builder().ids(number, number).globalIds(8, 8).build();
        expectSchema(Reason.TOPIC_VALUE_SCHEMA_NOT_ALLOWED, other, schema(GLOBAL_HEADER, id));
        expectSchema(null, own, schema(GLOBAL_HEADER, id));
        expectSchema(Reason.TOPIC_VALUE_SCHEMA_NOT_ALLOWED, other, schema(GLOBAL_HEADER, id));
      }
    }
  }

  @Test
  void guidsThatOtherRulesAllow() {
    UUID[] guids = {new UUID(0, 0), new UUID(7, 7), new UUID(7, 8), new UUID(8, 7)};
    for (UUID guid : guids) {
      String hex = "01" + guid.toString().replace("-", "");
      for (UUID other : guids) {
        Reason reason = guid.equals(other) ? null : Reason.TOPIC_VALUE_SCHEMA_GUID_NOT_ALLOWED;
        SchemaIds ids = SchemaIds.builder().guid(other).build();
        expectSchema(reason, ids, schema(VALUE_HEADER, hex));
        if (reason != null) {
          SimpleRecord good = schema(VALUE_HEADER, "01" + other.toString().replace("-", ""));
          expectSchema(reason, ids, good, schema(VALUE_HEADER, hex));
        }
      }
    }
  }

  private void expectSchema(@Nullable Reason reason, SchemaIds ids, SimpleRecord... records) {
    expect(
        reason,
        TopicRules.NONE
            .with(TopicRule.VALUE_SCHEMA, SchemaPlace.EITHER)
            .with(TopicRule.VALUE_SCHEMA_IDS, ids),
        records);
  }

  /** The rules for keys and for values each allow an id that the other one rejects. */
  @Test
  void schemaIdsOfKeysAndValues() {
    SchemaIds seven = SchemaIds.builder().ids(7, 7).build();
    SchemaIds eight = SchemaIds.builder().ids(8, 8).build();
    TopicRules rules =
        TopicRules.NONE
            .with(TopicRule.KEY_SCHEMA, SchemaPlace.PAYLOAD)
            .with(TopicRule.KEY_SCHEMA_IDS, seven)
            .with(TopicRule.VALUE_SCHEMA, SchemaPlace.HEADER)
            .with(TopicRule.VALUE_SCHEMA_IDS, eight);
    byte[] key = HexFormat.of().parseHex("0000000007");
    byte[] bad = HexFormat.of().parseHex("0000000008");
    Header header = new RecordHeader(VALUE_HEADER, bad);
    SimpleRecord good = new SimpleRecord(Batches.nowMs(), key, key, new Header[] {header});
    expect(
        Reason.TOPIC_KEY_SCHEMA_NOT_ALLOWED,
        rules,
        good,
        good,
        new SimpleRecord(Batches.nowMs(), bad, key, new Header[] {header}));
  }

  @Test
  void firstBytesThatOtherRulesLookAt() {
    SimpleRecord record = record("{\"a-long-value-that-is-longer-than-what-is-visible\":1}");
    String start = "{\"a-long-value-that-is-longer-tha";
    for (int length = 1; length <= Prefix.MAX_BYTES; length++) {
      byte[] good = start.substring(0, length).getBytes(StandardCharsets.UTF_8);
      byte[] bad = good.clone();
      bad[length - 1]++;
      expect(null, TopicRules.NONE.with(TopicRule.KEY_REQUIRED, true), record);
      expect(null, TopicRules.NONE.with(TopicRule.VALUE_STARTS, List.of(Prefix.of(good))), record);
      expect(
          Reason.TOPIC_VALUE_START_UNEXPECTED,
          TopicRules.NONE.with(TopicRule.VALUE_STARTS, List.of(Prefix.of(bad))),
          record);
      expect(
          Reason.TOPIC_KEY_START_UNEXPECTED,
          TopicRules.NONE.with(TopicRule.KEY_STARTS, List.of(Prefix.of(bad))),
          record);
    }
  }

  /** Kafka's writer cannot write a malformed key. */
  @Test
  void malformedKeysAfterOtherRules() {
    byte[] plain = {18, 0, 0, 0, 1, 1, 2, 2, (byte) 0xFF, 1};
    ByteBuffer batch = Batches.ofPlain(Codec.NONE, 1, plain);
    Policy utf8 =
        Policy.builder(Origin.CLIENT)
            .topicRules(TopicRules.NONE.with(TopicRule.HEADERS_UTF8, true))
            .build();
    Policy other =
        Policy.builder(Origin.CLIENT)
            .topicRules(TopicRules.NONE.with(TopicRule.HEADERS_FORBIDDEN, List.of("debug")))
            .build();
    for (int i = 0; i < 3; i++) {
      assertTrue(validator.inspect(batch, other, Batches.nowMs(), verdict), () -> "" + verdict);
      assertFalse(validator.inspect(batch, utf8, Batches.nowMs(), verdict));
      assertFalse(validator.inspect(batch, utf8, Batches.nowMs(), verdict));
      assertEquals(Reason.TOPIC_HEADER_KEY_NOT_UTF8, verdict.reason());
    }
  }
}
