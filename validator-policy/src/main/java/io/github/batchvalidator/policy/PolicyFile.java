// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.policy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The rules of topics, read from one file in the syntax of {@link java.util.Properties}, in UTF-8.
 *
 * <pre>{@code
 * default.observe=true
 * topics.payments.match=payments-*, invoices
 * topics.payments.observe=false
 * topics.payments.level=strict
 * topics.payments.key.required=true
 * topics.payments.value.schema=either
 * }</pre>
 *
 * <p>A section inherits every setting that it does not have from the default section. A topic
 * belongs to the section with its name, or else to the matching section whose pattern has the most
 * characters besides wildcards, or else to the default section. Of several such patterns, the first
 * in the file counts. An internal topic, whose name starts with {@code __}, only belongs to a
 * section that has its name or a pattern that starts with {@code __}, or else to {@link #ofHost}.
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
  private final PolicySection byDefault;
  private final PolicySection ofHost;
  private final List<FileStamp> stamps;
  private final List<Path> idFiles;
  private final Map<String, PolicySection> exact = new HashMap<>();

  /** The patterns with wildcards, the most specific one first. */
  private final List<TopicPattern> patterns;

  /** Those that are written for internal topics. */
  private final List<TopicPattern> internalPatterns;

  /**
   * Creates the rules.
   *
   * @param sections in the order of the file, the default section first
   * @param patterns the names and patterns of all sections
   * @param ofHost the section of internal topics that no section names
   * @param stamps of the policy file and the files of schema ids that it names
   * @param idFiles the files of schema ids, as the policy file names them
   */
  PolicyFile(
      List<PolicySection> sections,
      List<TopicPattern> patterns,
      PolicySection ofHost,
      List<FileStamp> stamps,
      Collection<Path> idFiles) {
    this.sections = List.copyOf(sections);
    this.ofHost = ofHost;
    this.stamps = List.copyOf(stamps);
    this.idFiles = List.copyOf(idFiles);
    byDefault = sections.get(0);
    List<TopicPattern> wildcards = new ArrayList<>();
    for (TopicPattern pattern : patterns) {
      if (TopicPattern.isExact(pattern.text())) {
        exact.put(pattern.text(), pattern.section());
      } else {
        wildcards.add(pattern);
      }
    }
    wildcards.sort(TopicPattern.BY_PRECEDENCE);
    this.patterns = wildcards.stream().filter(each -> !each.isForInternal()).toList();
    internalPatterns = wildcards.stream().filter(TopicPattern::isForInternal).toList();
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

  /**
   * {@return the section of internal topics that no section names: the settings of the host,
   * without any rule of the file}
   */
  public PolicySection ofHost() {
    return ofHost;
  }

  /**
   * {@return true if the policy file, or a file of schema ids that it names, no longer has the
   * content that was loaded} Reads the files.
   */
  public boolean hasFileChanged() {
    return stamps.stream().anyMatch(FileStamp::hasChanged);
  }

  /**
   * {@return the digests of the policy file and of the files of schema ids that it names, as they
   * were loaded}
   */
  public List<String> digests() {
    return stamps.stream().map(FileStamp::digest).toList();
  }

  /**
   * {@return the files of schema ids, as the policy file names them: absolute, or relative to its
   * directory}
   */
  public List<Path> idFiles() {
    return idFiles;
  }

  /**
   * {@return warnings about enforced rules that reach topics of Schema Registry, Kafka Connect and
   * Kafka Streams by a wildcard or by default}
   */
  public List<String> warnings() {
    return ToolTopics.warnings(this);
  }

  /**
   * {@return true for an internal topic, such as {@code __consumer_offsets}} Default rules and
   * patterns that do not start with {@code __} do not apply to it.
   *
   * @param topic the name of the topic
   */
  public static boolean isInternal(String topic) {
    return topic.startsWith(TopicPattern.INTERNAL);
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
    return isInternal(topic)
        ? sectionOf(topic, internalPatterns, ofHost)
        : sectionOf(topic, patterns, byDefault);
  }

  private static PolicySection sectionOf(
      String topic, List<TopicPattern> patterns, PolicySection otherwise) {
    for (int i = 0; i < patterns.size(); i++) {
      TopicPattern pattern = patterns.get(i);
      if (pattern.matches(topic)) {
        return pattern.section();
      }
    }
    return otherwise;
  }

  /** {@return true if a section has this exact name of a topic} */
  boolean names(String topic) {
    return exact.containsKey(topic);
  }

  /**
   * {@return the patterns with wildcards for topics that are not internal, the most specific one
   * first}
   */
  List<TopicPattern> patterns() {
    return patterns;
  }
}
