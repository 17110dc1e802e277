// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Prefix;
import io.github.batchvalidator.rule.SchemaIds;
import io.github.batchvalidator.rule.SchemaPlace;
import io.github.batchvalidator.rule.SizeRange;
import io.github.batchvalidator.rule.TopicRule;
import io.github.batchvalidator.rule.TopicRules;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rules of topics allocate nothing, whether records pass, are refused or are reported. */
@Tag("unvaried")
class TopicAllocationTest {
  private static final int RECORDS = 150;
  private static final byte[] KEY = {0, 0, 0, 0, 7, 'k'};
  private static final UUID GUID = new UUID(7, 7);
  private static final SchemaIds SEVEN =
      SchemaIds.builder().ids(7, 7).ids(100, 200).guid(GUID).build();

  /** A rule that the records pass, and one that all of them violate. */
  enum Rule {
    KEY_REQUIRED {
      @Override
      TopicRules add(TopicRules rules, boolean violated) {
        return rules
            .with(TopicRule.KEY_REQUIRED, true)
            .with(TopicRule.VALUE_REQUIRED, true)
            .with(TopicRule.KEY_BYTES, new SizeRange(violated ? 100 : 1, 1000));
      }
    },
    VALUE_BYTES {
      @Override
      TopicRules add(TopicRules rules, boolean violated) {
        return rules.with(TopicRule.VALUE_BYTES, new SizeRange(violated ? 10_000 : 1, 100_000));
      }
    },
    KEY_STARTS {
      @Override
      TopicRules add(TopicRules rules, boolean violated) {
        return rules.with(TopicRule.KEY_STARTS, starts(violated ? 1 : 0));
      }
    },
    VALUE_STARTS {
      @Override
      TopicRules add(TopicRules rules, boolean violated) {
        return rules.with(TopicRule.VALUE_STARTS, starts(violated ? 1 : '{'));
      }
    },
    KEY_SCHEMA {
      @Override
      TopicRules add(TopicRules rules, boolean violated) {
        SchemaIds other = SchemaIds.builder().ids(8, 8).build();
        return rules
            .with(TopicRule.KEY_SCHEMA, SchemaPlace.PAYLOAD)
            .with(TopicRule.KEY_SCHEMA_IDS, violated ? other : SEVEN);
      }
    },
    VALUE_SCHEMA {
      @Override
      TopicRules add(TopicRules rules, boolean violated) {
        SchemaIds other = SchemaIds.builder().guid(new UUID(7, 8)).build();
        return rules
            .with(TopicRule.VALUE_SCHEMA, SchemaPlace.EITHER)
            .with(TopicRule.VALUE_SCHEMA_IDS, violated ? other : SEVEN);
      }
    },
    HEADERS {
      @Override
      TopicRules add(TopicRules rules, boolean violated) {
        return rules
            .with(TopicRule.HEADERS_REQUIRED, List.of("trace"))
            .with(TopicRule.HEADERS_FORBIDDEN, List.of(violated ? "tenant" : "debug"));
      }
    },
    HEADER_KEYS {
      @Override
      TopicRules add(TopicRules rules, boolean violated) {
        return rules
            .with(TopicRule.HEADERS_UTF8, true)
            .with(TopicRule.HEADERS_REQUIRED, List.of(violated ? "missing" : "tenant"));
      }
    },
    TIMESTAMPS {
      @Override
      TopicRules add(TopicRules rules, boolean violated) {
        return rules
            .with(TopicRule.TIMESTAMPS_MILLISECONDS, true)
            .with(TopicRule.KEY_BYTES, violated ? new SizeRange(0, 1) : SizeRange.ANY);
      }
    },
    ALL {
      @Override
      TopicRules add(TopicRules rules, boolean violated) {
        TopicRules all = rules;
        for (Rule rule : values()) {
          all = rule == ALL ? all : rule.add(all, violated && rule != KEY_REQUIRED);
        }
        return all;
      }
    };

    abstract TopicRules add(TopicRules rules, boolean violated);

    private static List<Prefix> starts(int first) {
      return List.of(Prefix.of((byte) first), Prefix.of((byte) 2));
    }
  }

  @ParameterizedTest
  @EnumSource(Rule.class)
  void aRuleThatRecordsPass(Rule rule) {
    for (Codec codec : Codec.values()) {
      assertEquals(0, bytes(codec, rule.add(TopicRules.NONE, false), true), codec::name);
    }
  }

  @ParameterizedTest
  @EnumSource(Rule.class)
  void aRuleThatRecordsViolate(Rule rule) {
    for (Codec codec : Codec.values()) {
      assertEquals(0, bytes(codec, rule.add(TopicRules.NONE, true), false), codec::name);
    }
  }

  private static long bytes(Codec codec, TopicRules rules, boolean accepted) {
    ByteBuffer heap = Batches.of(codec, records());
    ByteBuffer direct = Batches.direct(heap);
    Policy enforcing = Policy.builder(Origin.CLIENT).topicRules(rules).build();
    Policy observing = enforcing.toBuilder().observing(true).build();
    MutableVerdict verdict = new MutableVerdict();
    try (BatchValidator validator = new BatchValidator();
        BatchValidator small = BatchValidator.lowMemory()) {
      Runnable call =
          () -> {
            validator.inspect(heap, observing, Batches.nowMs(), verdict);
            small.inspect(direct, enforcing, Batches.nowMs(), verdict);
            validator.inspect(direct, enforcing, Batches.nowMs(), verdict);
            validator.inspect(heap, enforcing, Batches.nowMs(), verdict);
          };
      long bytes = AllocationMeter.bytesPerCall(AllocationMeter.FEW_CALLS, call);
      assertEquals(accepted, verdict.accepted(), verdict::toString);
      assertEquals(accepted ? 0 : RECORDS, verdict.failureTotal());
      return bytes;
    }
  }

  private static SimpleRecord[] records() {
    Random random = new Random(20_261_126);
    ByteBuffer guid = ByteBuffer.allocate(17).put((byte) 1);
    guid.putLong(GUID.getMostSignificantBits()).putLong(GUID.getLeastSignificantBits());
    SimpleRecord[] records = new SimpleRecord[RECORDS];
    for (int i = 0; i < RECORDS; i++) {
      String value = "{\"id\":" + random.nextLong() + ",\"text\":\"" + "words ".repeat(i) + "\"}";
      Header[] headers = {
        new RecordHeader("trace", new byte[20]),
        new RecordHeader("tenant", new byte[] {1}),
        new RecordHeader("__value_schema_id", guid.array())
      };
      byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
      records[i] = new SimpleRecord(Batches.nowMs() + i, KEY, bytes, headers);
    }
    return records;
  }
}
