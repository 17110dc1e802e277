// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.policy.PolicyFile;
import io.github.batchvalidator.policy.PolicySection;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.TopicRule;
import io.github.batchvalidator.rule.TopicRules;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The policies that segments are checked against. Safe for all threads. */
public final class SegmentRules {
  private final @Nullable PolicyFile file;
  private final Policy byDefault;
  private final Map<String, Policy> byTopic = new ConcurrentHashMap<>();

  /**
   * Creates the rules of a run.
   *
   * @param file the policy file, or null if all segments have the same rules
   * @param byDefault the rules without a policy file
   */
  public SegmentRules(@Nullable PolicyFile file, PolicySection byDefault) {
    this.file = file;
    this.byDefault = byDefault.applyTo(Policy.STORED);
  }

  /** Returns the policy for the batches of a segment. */
  public Policy of(Segment segment) {
    return file == null ? byDefault : of(segment.topic());
  }

  private Policy of(String topic) {
    PolicyFile rules = file;
    return rules == null
        ? byDefault
        : byTopic.computeIfAbsent(topic, each -> rules.sectionOf(each).applyTo(Policy.STORED));
  }

  /**
   * Returns the rules of a topic as a text, which is the same in each process. For a topic with a
   * list of schema ids, it also has the digests of the policy file and its files of ids, because
   * the text of a policy only counts the ids.
   */
  public String text(String topic) {
    Policy policy = of(topic);
    TopicRules ofTopic = policy.topicRules();
    boolean hasIds =
        ofTopic.isInEffect(TopicRule.KEY_SCHEMA_IDS)
            || ofTopic.isInEffect(TopicRule.VALUE_SCHEMA_IDS);
    PolicyFile rules = file;
    return rules != null && hasIds ? policy + " " + rules.digests() : policy.toString();
  }
}
