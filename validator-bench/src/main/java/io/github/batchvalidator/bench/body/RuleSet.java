// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.body;

import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.bench.workload.ProducedBatch;
import io.github.batchvalidator.bench.workload.RecordShape;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Prefix;
import io.github.batchvalidator.rule.SchemaIds;
import io.github.batchvalidator.rule.SchemaRule;
import io.github.batchvalidator.rule.SizeRange;
import io.github.batchvalidator.rule.TopicRules;
import java.util.UUID;

/**
 * Rules of a topic, all of which the records of {@link RecordShape#KEY_AND_SCHEMA_ID} pass. Those
 * of {@link RecordShape#KEY} pass the rules up to {@link #SIMPLE}.
 */
public enum RuleSet {
  /** Without rules. */
  NONE {
    @Override
    void add(TopicRules.Builder rules) {}
  },
  /** Which codecs, and whether keys and values are there. */
  REQUIRED {
    @Override
    void add(TopicRules.Builder rules) {
      rules.codecs(Codec.values()).keyRequired(true).valueRequired(true);
    }
  },
  /** Sizes of keys and values. */
  SIZES {
    @Override
    void add(TopicRules.Builder rules) {
      rules.keyBytes(new SizeRange(1, 1000)).valueBytes(new SizeRange(1, 1 << 20));
    }
  },
  /** First bytes of values. */
  STARTS {
    @Override
    void add(TopicRules.Builder rules) {
      rules.valueStarts(Prefix.of((byte) '['), Prefix.of((byte) '{'));
    }
  },
  /** The unit of timestamps. */
  TIMESTAMPS {
    @Override
    void add(TopicRules.Builder rules) {
      rules.millisecondsRequired(true);
    }
  },
  /** All of these, none of which looks at headers. */
  SIMPLE {
    @Override
    void add(TopicRules.Builder rules) {
      REQUIRED.add(rules);
      SIZES.add(rules);
      STARTS.add(rules);
      TIMESTAMPS.add(rules);
    }
  },
  /** Required and forbidden headers, and UTF-8. */
  HEADERS {
    @Override
    void add(TopicRules.Builder rules) {
      rules.requiredHeaders("traceparent").forbiddenHeaders("debug").headerKeysUtf8(true);
    }
  },
  /** A schema GUID in a header, one of a thousand. */
  SCHEMA_IDS {
    @Override
    void add(TopicRules.Builder rules) {
      SchemaIds.Builder ids = SchemaIds.builder().guid(RecordShape.SCHEMA);
      for (int i = 0; i < 1000; i++) {
        ids.guid(new UUID(i, i));
      }
      rules.valueSchema(new SchemaRule(SchemaRule.Place.HEADER, ids.build()));
    }
  },
  /** All rules. */
  ALL {
    @Override
    void add(TopicRules.Builder rules) {
      SIMPLE.add(rules);
      HEADERS.add(rules);
      SCHEMA_IDS.add(rules);
    }
  };

  /** Returns whether records of a shape pass the rules. */
  public boolean passes(RecordShape shape) {
    return shape == RecordShape.KEY_AND_SCHEMA_ID
        || (shape == RecordShape.KEY && compareTo(SIMPLE) <= 0);
  }

  abstract void add(TopicRules.Builder rules);

  /** Prepares the work on copies of batches of one codec, at least one. */
  public Body open(ProducedBatch... batches) {
    TopicRules.Builder rules = TopicRules.builder();
    add(rules);
    return new CoreBody(
        new BatchValidator(),
        Policies.topic().checkedByHost(true).topicRules(rules.build()).build(),
        batches);
  }
}
