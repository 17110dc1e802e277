// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.policy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The topics that Schema Registry, Kafka Connect and Kafka Streams keep their own state in. These
 * have ordinary names, so default rules and wildcards reach them. A refused record stops the tool.
 */
final class ToolTopics {
  /** The default names, which a cluster may change. */
  private static final Map<String, String> NAMES = names();

  /** The ends of the names that Kafka Streams gives. */
  private static final List<String> STREAMS = List.of("-changelog", "-repartition");

  private static final String ALL = "*";

  private static final int MOST_SHOWN = 10;

  private ToolTopics() {}

  private static Map<String, String> names() {
    Map<String, String> names = new LinkedHashMap<>();
    names.put("_schemas", "Schema Registry");
    names.put("connect-configs", "Kafka Connect");
    names.put("connect-offsets", "Kafka Connect");
    names.put("connect-status", "Kafka Connect");
    return names;
  }

  static List<String> warnings(PolicyFile file) {
    List<String> warnings = new ArrayList<>();
    NAMES.forEach(
        (topic, tool) -> {
          PolicySection section = file.sectionOf(topic);
          if (enforces(section) && !file.names(topic)) {
            warnings.add(
                topic
                    + " of "
                    + tool
                    + " gets the enforced rules of section "
                    + section.name()
                    + "; name it in a section of its own");
          }
        });
    for (String end : STREAMS) {
      Map<String, String> reached = reached(end, file);
      if (!reached.isEmpty()) {
        Set<String> sections = new LinkedHashSet<>(reached.values());
        warnings.add(
            "topics *"
                + end
                + " of Kafka Streams may get the enforced rules of "
                + (sections.size() == 1 ? "section " : "sections ")
                + shown(sections)
                + "; add a section with match="
                + shown(reached.keySet()));
      }
    }
    return warnings;
  }

  private static boolean enforces(PolicySection section) {
    return !section.observing() && !section.rules().isNone();
  }

  /**
   * {@return the patterns of topics that get enforced rules by a wildcard or by default, each with
   * the section that they get} The patterns have more literals than those that reach the topics.
   */
  private static Map<String, String> reached(String end, PolicyFile file) {
    List<String> wildcards = new ArrayList<>();
    for (TopicPattern pattern : file.patterns()) {
      if (pattern.text().endsWith(ALL) && enforces(pattern.section())) {
        wildcards.add(pattern.text());
      }
    }
    if (enforces(file.sections().get(0))) {
      wildcards.add(ALL);
    }
    Map<String, String> reached = new LinkedHashMap<>();
    for (String wildcard : wildcards) {
      String topic = wildcard.replaceAll("[*?]", "x") + "store" + end;
      PolicySection section = file.sectionOf(topic);
      if (enforces(section) && !isMeant(topic, end, file)) {
        reached.put(wildcard + end, section.name());
      }
    }
    return reached;
  }

  /** {@return true if the pattern that a topic belongs to was written for topics of this end} */
  private static boolean isMeant(String topic, String end, PolicyFile file) {
    return file.patterns().stream()
        .filter(pattern -> pattern.matches(topic))
        .limit(1)
        .anyMatch(pattern -> pattern.text().endsWith(end));
  }

  private static String shown(Collection<String> names) {
    int more = names.size() - MOST_SHOWN;
    return names.stream().limit(MOST_SHOWN).collect(Collectors.joining(", "))
        + (more > 0 ? " and " + more + " more" : "");
  }
}
