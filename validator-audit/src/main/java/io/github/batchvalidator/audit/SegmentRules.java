// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.policy.PolicyFile;
import io.github.batchvalidator.policy.PolicySection;
import io.github.batchvalidator.rule.Policy;
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
    PolicyFile rules = file;
    return rules == null
        ? byDefault
        : byTopic.computeIfAbsent(
            segment.topic(), topic -> rules.sectionOf(topic).applyTo(Policy.STORED));
  }
}
