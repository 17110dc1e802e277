// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Prefix;
import io.github.batchvalidator.rule.SchemaIds;
import io.github.batchvalidator.rule.SchemaRule;
import io.github.batchvalidator.rule.SizeRange;
import io.github.batchvalidator.rule.TopicRules;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
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
      void add(TopicRules.Builder rules, boolean violated) {
        rules.keyRequired(true).valueRequired(true);
        rules.keyBytes(new SizeRange(violated ? 100 : 1, 1000));
      }
    },
    VALUE_BYTES {
      @Override
      void add(TopicRules.Builder rules, boolean violated) {
        rules.valueBytes(new SizeRange(violated ? 10_000 : 1, 100_000));
      }
    },
    KEY_STARTS {
      @Override
      void add(TopicRules.Builder rules, boolean violated) {
        rules.keyStarts(Prefix.of((byte) (violated ? 1 : 0)), Prefix.of((byte) 2));
      }
    },
    VALUE_STARTS {
      @Override
      void add(TopicRules.Builder rules, boolean violated) {
        rules.valueStarts(Prefix.of((byte) 2), Prefix.of((byte) (violated ? 1 : '{')));
      }
    },
    KEY_SCHEMA {
      @Override
      void add(TopicRules.Builder rules, boolean violated) {
        SchemaIds other = SchemaIds.builder().ids(8, 8).build();
        rules.keySchema(new SchemaRule(SchemaRule.Place.PAYLOAD, violated ? other : SEVEN));
      }
    },
    VALUE_SCHEMA {
      @Override
      void add(TopicRules.Builder rules, boolean violated) {
        SchemaIds other = SchemaIds.builder().guid(new UUID(7, 8)).build();
        rules.valueSchema(new SchemaRule(SchemaRule.Place.EITHER, violated ? other : SEVEN));
      }
    },
    HEADERS {
      @Override
      void add(TopicRules.Builder rules, boolean violated) {
        rules.requiredHeaders("trace").forbiddenHeaders(violated ? "tenant" : "debug");
      }
    },
    HEADER_KEYS {
      @Override
      void add(TopicRules.Builder rules, boolean violated) {
        rules.headerKeysUtf8(true).requiredHeaders(violated ? "missing" : "tenant");
      }
    },
    TIMESTAMPS {
      @Override
      void add(TopicRules.Builder rules, boolean violated) {
        rules.millisecondsRequired(true).codecs(Codec.values());
        if (violated) {
          rules.keyBytes(new SizeRange(0, 1));
        }
      }
    },
    ALL {
      @Override
      void add(TopicRules.Builder rules, boolean violated) {
        for (Rule rule : values()) {
          if (rule != ALL) {
            rule.add(rules, violated && rule != KEY_REQUIRED);
          }
        }
      }
    };

    abstract void add(TopicRules.Builder rules, boolean violated);

    TopicRules rules(boolean violated) {
      TopicRules.Builder rules = TopicRules.builder();
      add(rules, violated);
      return rules.build();
    }
  }

  @ParameterizedTest
  @EnumSource(Rule.class)
  void aRuleThatRecordsPass(Rule rule) {
    for (Codec codec : Codec.values()) {
      assertEquals(0, bytes(codec, rule.rules(false), true), codec::name);
    }
  }

  @ParameterizedTest
  @EnumSource(Rule.class)
  void aRuleThatRecordsViolate(Rule rule) {
    for (Codec codec : Codec.values()) {
      assertEquals(0, bytes(codec, rule.rules(true), false), codec::name);
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
