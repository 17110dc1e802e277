// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.policies;

import io.github.batchvalidator.policy.PolicyFile;
import io.github.batchvalidator.policy.PolicySection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The policies of all topics. A topic's section is looked up once and kept, so that an append
 * allocates nothing for it.
 *
 * <p>{@link #replace} exchanges all rules at once. An append uses the rules that it found when it
 * began. Safe for all threads.
 */
public final class TopicPolicies {
  /** The maximum number of topics in the cache. The next topic empties the cache. */
  static final int MOST_TOPICS = 100_000;

  private final PolicySection byDefault;
  private volatile Rules rules;

  /**
   * Creates the policies of a broker without a policy file.
   *
   * @param byDefault the rules of all topics
   */
  public TopicPolicies(PolicySection byDefault) {
    this.byDefault = byDefault;
    rules = new Rules(null, List.of(byDefault));
  }

  /** {@return the rules of a broker without a policy file} */
  public PolicySection byDefault() {
    return byDefault;
  }

  /**
   * Replaces the rules of all topics.
   *
   * @param file the new rules
   */
  public void replace(PolicyFile file) {
    rules = new Rules(file, file.sections());
  }

  /**
   * {@return the policies of a topic}
   *
   * @param topic the name of the topic
   */
  public Policies of(String topic) {
    return rules.of(topic);
  }

  /** {@return the sections in use, the default section first} */
  public List<PolicySection> sections() {
    return rules.sections;
  }

  /** The rules of one version of the file. */
  private static final class Rules {
    private final @Nullable PolicyFile file;
    private final List<PolicySection> sections;
    private final Policies byDefault;

    /** By identity: two sections are called default, that of the file and that of the host. */
    private final IdentityHashMap<PolicySection, Policies> bySection = new IdentityHashMap<>();

    private final Map<String, Policies> byTopic = new ConcurrentHashMap<>();

    Rules(@Nullable PolicyFile file, List<PolicySection> sections) {
      this.file = file;
      this.sections = sections;
      for (PolicySection section : sections) {
        bySection.put(section, new Policies(section));
      }
      if (file != null) {
        bySection.putIfAbsent(file.ofHost(), new Policies(file.ofHost()));
      }
      byDefault = ofSection(sections.get(0));
    }

    private Policies ofSection(PolicySection section) {
      Policies policies = bySection.get(section);
      if (policies == null) {
        throw new IllegalStateException("no section " + section.name());
      }
      return policies;
    }

    Policies of(String topic) {
      if (file == null) {
        return byDefault;
      }
      Policies known = byTopic.get(topic);
      return known != null ? known : find(file, topic);
    }

    private Policies find(PolicyFile from, String topic) {
      Policies found = ofSection(from.sectionOf(topic));
      if (byTopic.size() >= MOST_TOPICS) {
        byTopic.clear();
      }
      byTopic.put(topic, found);
      return found;
    }
  }
}
