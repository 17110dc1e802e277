// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.policy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The rules of topics, read from one file in the syntax of {@link java.util.Properties}, in UTF-8.
 *
 * <pre>{@code
 * default.observe=true
 * topics.payments.match=payments-*, invoices
 * topics.payments.level=strict
 * topics.payments.key.required=true
 * topics.payments.value.schema=either
 * }</pre>
 *
 * <p>A section inherits every setting that it does not have from the default section. A topic
 * belongs to the section with its name, or else to the matching section whose pattern has the most
 * characters besides wildcards, or else to the default section. Of several such patterns, the first
 * in the file counts.
 *
 * <pre>{@code
 * PolicyFile file = PolicyFile.load(Path.of("policy.properties"));
 * Policy policy = file.sectionOf("payments-eu").applyTo(topicConfiguration);
 * }</pre>
 *
 * <p>Resolve a topic once and keep its section: {@link #sectionOf} compares the topic with every
 * pattern. Immutable and safe for use by multiple threads.
 */
public final class PolicyFile {
  /** The maximum number of sections, the default section included. */
  public static final int MAX_SECTIONS = 10_000;

  /** The maximum number of patterns with wildcards. A topic is compared with all of them once. */
  public static final int MAX_PATTERNS = 10_000;

  /** The maximum number of names and patterns of all sections together. */
  public static final int MAX_TOPICS = 100_000;

  private final List<PolicySection> sections;
  private final List<Path> files;
  private final PolicySection byDefault;
  private final Map<String, PolicySection> exact = new HashMap<>();

  /** The patterns with wildcards, the most specific one first. */
  private final List<TopicPattern> patterns = new ArrayList<>();

  /**
   * Creates the rules.
   *
   * @param sections in the order of the file, the default section first
   * @param files the policy file and the files of schema ids that it names
   */
  PolicyFile(List<PolicySection> sections, List<Path> files) {
    this.sections = List.copyOf(sections);
    this.files = List.copyOf(files);
    byDefault = sections.get(0);
    for (int i = 1; i < sections.size(); i++) {
      for (String text : sections.get(i).patterns()) {
        if (TopicPattern.isExact(text)) {
          exact.put(text, sections.get(i));
        } else {
          patterns.add(TopicPattern.of(text, i));
        }
      }
    }
    patterns.sort(Comparator.comparingInt(TopicPattern::literals).reversed());
  }

  /**
   * Reads a policy file.
   *
   * @param file the path
   * @return the rules
   * @throws PolicyFileException if the file, or a file of schema ids that it names, cannot be read
   *     or is invalid
   */
  public static PolicyFile load(Path file) throws PolicyFileException {
    return load(file, PolicySection.KAFKA);
  }

  /**
   * Reads a policy file for a host that has its own settings.
   *
   * @param file the path
   * @param byDefault the settings that the default section inherits
   * @return the rules
   * @throws PolicyFileException as for {@link #load(Path)}
   */
  public static PolicyFile load(Path file, PolicySection byDefault) throws PolicyFileException {
    return new PolicyParser(file, byDefault).parse();
  }

  /** {@return all sections in the order of the file, the default section first} */
  public List<PolicySection> sections() {
    return sections;
  }

  /** {@return the policy file and the files of schema ids that it names} */
  public List<Path> files() {
    return files;
  }

  /**
   * Returns the section of a topic. Allocates nothing.
   *
   * @param topic the name of the topic
   * @return the section
   */
  public PolicySection sectionOf(String topic) {
    PolicySection named = exact.get(topic);
    if (named != null) {
      return named;
    }
    for (int i = 0; i < patterns.size(); i++) {
      TopicPattern pattern = patterns.get(i);
      if (pattern.matches(topic)) {
        return sections.get(pattern.section());
      }
    }
    return byDefault;
  }
}
