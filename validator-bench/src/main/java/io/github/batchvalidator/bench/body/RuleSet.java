// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.body;

import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.bench.workload.ProducedBatch;
import io.github.batchvalidator.bench.workload.RecordShape;
import io.github.batchvalidator.rule.Prefix;
import io.github.batchvalidator.rule.SchemaIds;
import io.github.batchvalidator.rule.SchemaPlace;
import io.github.batchvalidator.rule.SizeRange;
import io.github.batchvalidator.rule.TopicRule;
import io.github.batchvalidator.rule.TopicRules;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;

/**
 * Rules of a topic, all of which the records of {@link RecordShape#KEY_AND_SCHEMA_ID} pass. Those
 * of {@link RecordShape#KEY} pass the rules up to {@link #SIMPLE}.
 */
public enum RuleSet {
  /** Without rules. */
  NONE(rules -> rules),
  /** Which codecs, and whether keys and values are there. */
  REQUIRED(rules -> rules.with(TopicRule.KEY_REQUIRED, true).with(TopicRule.VALUE_REQUIRED, true)),
  /** Sizes of keys and values. */
  SIZES(
      rules ->
          rules
              .with(TopicRule.KEY_BYTES, new SizeRange(1, 1000))
              .with(TopicRule.VALUE_BYTES, new SizeRange(1, 1 << 20))),
  /** First bytes of values. */
  STARTS(
      rules ->
          rules.with(
              TopicRule.VALUE_STARTS, List.of(Prefix.of((byte) '['), Prefix.of((byte) '{')))),
  /** The unit of timestamps. */
  TIMESTAMPS(rules -> rules.with(TopicRule.TIMESTAMPS_MILLISECONDS, true)),
  /** All of these, none of which looks at headers. */
  SIMPLE(rules -> TIMESTAMPS.added(STARTS.added(SIZES.added(REQUIRED.added(rules))))),
  /** Required and forbidden headers, and UTF-8. */
  HEADERS(
      rules ->
          rules
              .with(TopicRule.HEADERS_REQUIRED, List.of("traceparent"))
              .with(TopicRule.HEADERS_FORBIDDEN, List.of("debug"))
              .with(TopicRule.HEADERS_UTF8, true)),
  /** A schema GUID in a header, one of a thousand. */
  SCHEMA_IDS(
      rules ->
          rules
              .with(TopicRule.VALUE_SCHEMA, SchemaPlace.HEADER)
              .with(TopicRule.VALUE_SCHEMA_IDS, thousandIds())),
  /** All rules. */
  ALL(rules -> SCHEMA_IDS.added(HEADERS.added(SIMPLE.added(rules))));

  @SuppressWarnings("ImmutableEnumChecker") // the lambdas hold no state
  private final UnaryOperator<TopicRules> rules;

  RuleSet(UnaryOperator<TopicRules> rules) {
    this.rules = rules;
  }

  private static SchemaIds thousandIds() {
    SchemaIds.Builder ids = SchemaIds.builder().guid(RecordShape.SCHEMA);
    for (int i = 0; i < 1000; i++) {
      ids.guid(new UUID(i, i));
    }
    return ids.build();
  }

  /** Returns whether records of a shape pass the rules. */
  public boolean passes(RecordShape shape) {
    return shape == RecordShape.KEY_AND_SCHEMA_ID
        || (shape == RecordShape.KEY && compareTo(SIMPLE) <= 0);
  }

  private TopicRules added(TopicRules others) {
    return rules.apply(others);
  }

  /** Prepares the work on copies of batches of one codec, at least one. */
  public Body open(ProducedBatch... batches) {
    return new CoreBody(
        new BatchValidator(),
        Policies.topic().checkedByHost(true).topicRules(added(TopicRules.NONE)).build(),
        batches);
  }
}
