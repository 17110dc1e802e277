// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.rules;

import io.github.batchvalidator.dropin.append.TopicPolicies;
import io.github.batchvalidator.policy.PolicyFile;
import io.github.batchvalidator.policy.PolicySection;
import io.github.batchvalidator.rule.Verdict;
import io.github.batchvalidator.watch.ValidationListener;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * A listener that counts refused batches and batches with findings by section of the policy file.
 * Names of sections come from the file, never from clients. Allocates nothing for a section that it
 * has counted before. Safe for all threads.
 */
public final class SectionCounts implements ValidationListener {
  /** The name for the sections of later files, once so many were counted. */
  static final String OTHERS = "(others)";

  private static final int MOST_SECTIONS = PolicyFile.MAX_SECTIONS;

  private final TopicPolicies policies;
  private final Map<String, AtomicLong> refused = new ConcurrentHashMap<>();
  private final Map<String, AtomicLong> found = new ConcurrentHashMap<>();

  /**
   * Creates counts that start at 0.
   *
   * @param policies finds the section of a topic
   */
  public SectionCounts(TopicPolicies policies) {
    this.policies = policies;
  }

  @Override
  public void judged(Verdict verdict, @Nullable Object where) {
    if (verdict.reason() != null) {
      count(refused, where);
    }
    if (verdict.findings().matterTo(verdict)) {
      count(found, where);
    }
  }

  private void count(Map<String, AtomicLong> counts, @Nullable Object where) {
    String section =
        where instanceof TopicPartition partition
            ? policies.of(partition.topic()).sectionName()
            : PolicySection.DEFAULT_NAME;
    AtomicLong known = counts.get(section);
    if (known == null) {
      String name = counts.size() < MOST_SECTIONS ? section : OTHERS;
      known = counts.computeIfAbsent(name, any -> new AtomicLong());
    }
    known.incrementAndGet();
  }

  /** {@return refused batches by section; sections without any are left out} */
  public Map<String, Long> refused() {
    return copy(refused);
  }

  /** {@return batches with findings by section; sections without any are left out} */
  public Map<String, Long> found() {
    return copy(found);
  }

  private static Map<String, Long> copy(Map<String, AtomicLong> counts) {
    Map<String, Long> copy = new TreeMap<>();
    counts.forEach((section, count) -> copy.put(section, count.get()));
    return copy;
  }
}
