// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.differential;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.BatchRebuilder;
import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.internal.codec.snappy.WalkGates;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Prefix;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.SchemaIds;
import io.github.batchvalidator.rule.SchemaRule;
import io.github.batchvalidator.rule.SizeRange;
import io.github.batchvalidator.rule.TopicRules;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.BufferKind;
import io.github.batchvalidator.testing.HeaderField;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterProperty;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.jspecify.annotations.Nullable;

/**
 * Random rules and records: the validator finds the violations of {@link TopicReference}, wherever
 * windows cut keys, values and headers.
 */
class TopicRulesDifferentialTest {
  private static final String[] HEADERS = {
    "a",
    "trace",
    "__key_schema_id",
    "__value_schema_id",
    "apicurio.key.globalId",
    "apicurio.value.globalId",
    "debug",
    "x".repeat(300)
  };
  private static final long[] TIMES = {
    -1,
    0,
    5,
    Batches.nowMs(),
    Batches.nowMs() / 1000,
    Batches.nowMs() * 1000,
    Batches.nowMs() * 1_000_000,
    946_684_799,
    946_684_800,
    4_102_444_800_001L
  };

  private final BatchValidator usual = new BatchValidator();
  private final BatchValidator small = BatchValidator.lowMemory();
  private final BatchRebuilder rebuilder = new BatchRebuilder();
  private final MutableVerdict verdict = new MutableVerdict(1000);

  @AfterProperty
  void close() {
    WalkGates.putBack();
    usual.close();
    small.close();
    rebuilder.close();
  }

  @Property(tries = 1500)
  void violationsAreThoseOfTheReference(@ForAll long seed) {
    Random random = new Random(seed);
    TopicRules rules = rules(random);
    Codec codec = any(random, Codec.values());
    SimpleRecord[] records = records(random);
    ByteBuffer batch = Batches.of(codec, records);
    Long claimed = random.nextInt(4) == 0 ? TIMES[1 + random.nextInt(TIMES.length - 1)] : null;
    Expected expected = new Expected(rules, codec, batch, claimed, true);
    Expected rebuilt = new Expected(rules, codec, batch, claimed, claimed == null);
    if (claimed != null) {
      HeaderField.ATTRIBUTES.set(batch, codec.id() | BatchLayout.TIMESTAMP_TYPE_MASK);
      HeaderField.MAX_TIMESTAMP.set(batch, claimed);
      Batches.fixCrc(batch);
    }
    BufferKind kind = any(random, BufferKind.values());
    ByteBuffer buffer = kind.holding(Batches.copy(batch).array(), (byte) 0x11);
    Policy policy = Policy.builder(Origin.CLIENT).topicRules(rules).build();
    for (BatchValidator validator : new BatchValidator[] {usual, small}) {
      WalkGates.open();
      assertEnforced(expected, validator.inspect(buffer, policy, Batches.nowMs(), verdict));
      WalkGates.shut();
      assertEnforced(expected, validator.inspect(buffer, policy, Batches.nowMs(), verdict));
      Policy observing = policy.toBuilder().observing(true).build();
      assertTrue(validator.inspect(buffer, observing, Batches.nowMs(), verdict));
      assertObserved(expected);
    }
    Policy stored = Batches.storing(policy, codec == Codec.LZ4 ? Codec.ZSTD : Codec.LZ4);
    assertEnforced(rebuilt, rebuilder.rebuild(buffer, stored, Batches.nowMs(), verdict));
  }

  private void assertEnforced(Expected expected, boolean accepted) {
    assertEquals(expected.accepts(), accepted, () -> expected + ", " + verdict);
    if (!expected.ofBatch.isEmpty()) {
      assertEquals(expected.ofBatch.get(0), verdict.reason());
    } else if (!accepted) {
      List<String> found = new ArrayList<>();
      for (int i = 0; i < verdict.failureCount(); i++) {
        found.add(verdict.failureIndex(i) + " " + verdict.failureReason(i));
      }
      assertEquals(expected.firsts, found);
      assertEquals(expected.firsts.get(0), verdict.recordIndex() + " " + verdict.reason());
    }
  }

  private void assertObserved(Expected expected) {
    Map<Reason, Long> found = new EnumMap<>(Reason.class);
    for (int i = 0; i < verdict.findings().count(); i++) {
      if (verdict.findings().reason(i).isTopicRule()) {
        found.put(verdict.findings().reason(i), verdict.findings().total(i));
      }
    }
    assertEquals(expected.totals, found);
  }

  /** The violations of a batch. */
  private static final class Expected {
    final List<Reason> ofBatch;
    final List<String> firsts = new ArrayList<>();
    final Map<Reason, Long> totals = new EnumMap<>(Reason.class);

    Expected(
        TopicRules rules,
        Codec codec,
        ByteBuffer batch,
        @Nullable Long claimed,
        boolean ownTimesStored) {
      TopicReference reference = new TopicReference(rules);
      ofBatch = reference.ofBatch(codec, claimed);
      ofBatch.forEach(reason -> totals.put(reason, 1L));
      int index = 0;
      for (Record record : MemoryRecords.readableRecords(batch.duplicate()).records()) {
        List<Reason> violations = reference.ofRecord(record, ownTimesStored);
        if (!violations.isEmpty()) {
          firsts.add(index + " " + violations.get(0));
        }
        violations.forEach(reason -> totals.merge(reason, 1L, Long::sum));
        index++;
      }
    }

    boolean accepts() {
      return ofBatch.isEmpty() && firsts.isEmpty();
    }

    @Override
    public String toString() {
      return ofBatch + " " + firsts;
    }
  }

  private static <T> T any(Random random, T[] values) {
    return values[random.nextInt(values.length)];
  }

  // ---- random rules

  private static TopicRules rules(Random random) {
    TopicRules.Builder rules = TopicRules.builder();
    if (random.nextInt(3) == 0) {
      rules.codecs(any(random, Codec.values()), any(random, Codec.values()));
    }
    rules.keyRequired(random.nextInt(4) == 0).valueRequired(random.nextInt(4) == 0);
    rules.millisecondsRequired(random.nextInt(4) == 0);
    if (random.nextInt(3) == 0) {
      boolean twoUses = random.nextBoolean();
      rules.requiredHeaders(twoUses ? "__value_schema_id" : "trace");
      rules.forbiddenHeaders("debug", twoUses ? "apicurio.key.globalId" : "missing");
    }
    if (random.nextInt(3) == 0) {
      rules.keySchema(schema(random));
    }
    if (random.nextInt(2) == 0) {
      rules.valueSchema(schema(random));
    }
    if (random.nextInt(3) == 0) {
      rules.keyStarts(Prefix.of((byte) 0), Prefix.of(new byte[32]));
    }
    if (random.nextInt(3) == 0) {
      rules.valueStarts(Prefix.of((byte) '{'), Prefix.of((byte) 0, (byte) 0));
    }
    if (random.nextInt(3) == 0) {
      rules.keyBytes(new SizeRange(1, 40)).valueBytes(new SizeRange(0, 1000));
    }
    return rules.build();
  }

  private static SchemaRule schema(Random random) {
    SchemaIds ids =
        random.nextBoolean()
            ? SchemaIds.ANY
            : SchemaIds.builder().ids(0, 1).globalIds(1, 1).guid(new UUID(1, 1)).build();
    return new SchemaRule(any(random, SchemaRule.Place.values()), ids);
  }

  // ---- random records

  private static SimpleRecord[] records(Random random) {
    SimpleRecord[] records = new SimpleRecord[1 + random.nextInt(random.nextBoolean() ? 5 : 60)];
    boolean honest = random.nextBoolean();
    Header[] headers = headers(random);
    for (int i = 0; i < records.length; i++) {
      long time = honest ? Batches.nowMs() + i : TIMES[random.nextInt(TIMES.length)];
      byte[] value = data(random, random.nextInt(20) == 0 ? 20_000 : 1500);
      headers = random.nextBoolean() ? like(headers, random) : headers(random);
      records[i] = new SimpleRecord(time, data(random, 80), value, headers);
    }
    return records;
  }

  private static byte @Nullable [] data(Random random, int most) {
    if (random.nextInt(8) == 0) {
      return null;
    }
    byte[] data = new byte[random.nextInt(random.nextInt(4) == 0 ? most : 12)];
    int kind = random.nextInt(4);
    for (int i = 0; i < data.length; i++) {
      data[i] = (byte) (kind == 0 ? random.nextInt() : kind == 1 ? '{' + i % 7 : i == 4 ? kind : 0);
    }
    return data;
  }

  private static Header[] headers(Random random) {
    Header[] headers = new Header[random.nextInt(3) == 0 ? random.nextInt(5) : 0];
    for (int i = 0; i < headers.length; i++) {
      String key = HEADERS[random.nextInt(HEADERS.length)];
      headers[i] = new RecordHeader(key, headerValue(random));
    }
    return headers;
  }

  /** Headers of the same number and, mostly, of the same size in all. */
  private static Header[] like(Header[] last, Random random) {
    Header[] headers = last.clone();
    if (headers.length > 0) {
      int at = random.nextInt(headers.length);
      Header header = headers[at];
      switch (random.nextInt(7)) {
        case 0 -> headers[at] = shifted(header);
        case 1 -> headers[at] = new RecordHeader(header.key(), headerValue(random));
        case 2 -> {
          headers[at] = headers[0];
          headers[0] = header;
        }
        case 3 -> headers[at] = new RecordHeader(changed(header.key(), random), header.value());
        case 4 -> headers[at] = new RecordHeader(header.key(), ended(header.value(), random));
        default -> {} // the same headers
      }
    }
    return headers;
  }

  /** A header whose key has one byte less, and whose value has one byte more. */
  private static Header shifted(Header header) {
    byte[] value = header.value();
    return header.key().isEmpty() || value == null
        ? header
        : new RecordHeader(
            header.key().substring(0, header.key().length() - 1),
            Arrays.copyOf(value, value.length + 1));
  }

  /** A value of the same size, with another id if it is one. */
  private static byte @Nullable [] ended(byte @Nullable [] value, Random random) {
    if (value == null || value.length == 0) {
      return value;
    }
    byte[] other = value.clone();
    other[other.length - 1] = (byte) random.nextInt(3);
    return other;
  }

  private static String changed(String key, Random random) {
    StringBuilder changed = new StringBuilder(key);
    if (!key.isEmpty()) {
      changed.setCharAt(random.nextInt(key.length()), '-');
    }
    return changed.toString();
  }

  private static byte @Nullable [] headerValue(Random random) {
    return switch (random.nextInt(6)) {
      case 0 -> null;
      case 1 -> new byte[random.nextInt(300)];
      case 2 ->
          ByteBuffer.allocate(5).put((byte) random.nextInt(2)).putInt(random.nextInt(4)).array();
      case 3 -> ByteBuffer.allocate(8).putLong(random.nextInt(3)).array();
      default ->
          ByteBuffer.allocate(17).put((byte) 1).putLong(1).putLong(random.nextInt(3)).array();
    };
  }
}
