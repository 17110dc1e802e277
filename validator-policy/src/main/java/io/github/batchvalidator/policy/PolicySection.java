// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.policy;

import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.TopicRule;
import io.github.batchvalidator.rule.TopicRules;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The rules of the topics that a section of a {@link PolicyFile} matches.
 *
 * @param name of the section; {@link #DEFAULT_NAME} for the default section
 * @param patterns the topics; empty for the default section
 * @param level the level of the rules
 * @param compactedLevel the level for compacted topics, or null if it is the same; without effect
 *     while the section observes
 * @param observing true to report violations without refusing them
 * @param limits the limits on the cost of a batch
 * @param rules the rules of the topic
 */
public record PolicySection(
    String name,
    List<String> patterns,
    Level level,
    @Nullable Level compactedLevel,
    boolean observing,
    Limits limits,
    TopicRules rules) {
  /** The name of the section for topics that no other section matches. */
  public static final String DEFAULT_NAME = Policy.DEFAULT_SECTION;

  /** The default section of a file that does not set anything: the behavior of Kafka. */
  public static final PolicySection KAFKA =
      new PolicySection(
          DEFAULT_NAME, List.of(), Level.KAFKA, false, Limits.GENEROUS, TopicRules.NONE);

  /**
   * Copies the patterns.
   *
   * @param name as above
   * @param patterns as above
   * @param level as above
   * @param compactedLevel as above
   * @param observing as above
   * @param limits as above
   * @param rules as above
   */
  public PolicySection {
    patterns = List.copyOf(patterns);
  }

  /**
   * Creates a section with one level for all topics.
   *
   * @param name as above
   * @param patterns as above
   * @param level as above
   * @param observing as above
   * @param limits as above
   * @param rules as above
   */
  public PolicySection(
      String name,
      List<String> patterns,
      Level level,
      boolean observing,
      Limits limits,
      TopicRules rules) {
    this(name, patterns, level, null, observing, limits, rules);
  }

  /**
   * {@return the same section with other limits}
   *
   * @param other the limits
   */
  public PolicySection withLimits(Limits other) {
    return new PolicySection(name, patterns, level, compactedLevel, observing, other, rules);
  }

  private Level levelOf(Policy topic) {
    Level compacted = compactedLevel;
    return compacted != null && topic.compactedTopic() && !observing ? compacted : level;
  }

  /**
   * Returns a policy with the rules of this section.
   *
   * @param topic the configuration of a topic: origin, target, sizes and timestamps
   * @return the same policy with name, level, limits and rules of this section
   */
  public Policy applyTo(Policy topic) {
    return topic.toBuilder()
        .section(name)
        .level(levelOf(topic))
        .observing(observing)
        .limits(limits)
        .topicRules(rules)
        .build();
  }

  /**
   * {@return the effective settings, with the names of the policy file, sorted} Ids of schemas are
   * only counted.
   */
  public Map<String, String> settings() {
    Map<String, String> all = new TreeMap<>();
    if (!patterns.isEmpty()) {
      all.put(PolicyKeys.MATCH, String.join(", ", patterns));
    }
    all.put(PolicyKeys.LEVEL, ValueSyntax.LEVEL.printer().apply(level));
    Level compacted = compactedLevel == null ? level : compactedLevel;
    all.put(PolicyKeys.COMPACTED_LEVEL, ValueSyntax.LEVEL.printer().apply(compacted));
    all.put(PolicyKeys.OBSERVE, String.valueOf(observing));
    for (Limit limit : Limit.values()) {
      all.put(PolicyKeys.nameOf(limit), String.valueOf(limits.get(limit)));
    }
    for (TopicRule<?> rule : TopicRule.all()) {
      TopicRule<?> needed = rule.needed();
      if (needed == null || rules.isInEffect(needed)) {
        all.put(rule.key(), text(rule));
      }
    }
    return all;
  }

  private <T> String text(TopicRule<T> rule) {
    return ValueSyntax.of(rule).printer().apply(rules.get(rule));
  }
}
