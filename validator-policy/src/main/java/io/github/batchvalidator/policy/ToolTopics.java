// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.policy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The topics that Schema Registry, Kafka Connect and Kafka Streams keep their own state in. These
 * have ordinary names, so default rules and wildcards reach them. A refused record stops the tool.
 */
final class ToolTopics {
  /** The default names, which a cluster may change. */
  private static final Map<String, String> NAMES = names();

  /** The ends of the names that Kafka Streams gives. */
  private static final List<String> STREAMS = List.of("-changelog", "-repartition");

  private static final int MOST_SECTIONS = 10;

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
      Set<String> sections = reaching(end, file);
      if (!sections.isEmpty()) {
        warnings.add(
            "topics *"
                + end
                + " of Kafka Streams may get the enforced rules of "
                + shown(sections)
                + "; add a section with match=*"
                + end);
      }
    }
    return warnings;
  }

  private static boolean enforces(PolicySection section) {
    return !section.observing() && !section.rules().isNone();
  }

  /** A file with a pattern of this end has thought of these topics. */
  private static Set<String> reaching(String end, PolicyFile file) {
    Set<String> sections = new LinkedHashSet<>();
    if (file.patterns().stream().anyMatch(pattern -> pattern.text().endsWith(end))) {
      return sections;
    }
    for (TopicPattern pattern : file.patterns()) {
      if (pattern.text().endsWith("*") && enforces(pattern.section())) {
        sections.add(pattern.section().name());
      }
    }
    PolicySection byDefault = file.sections().get(0);
    if (enforces(byDefault)
        && file.sectionOf("application-store" + end).name().equals(byDefault.name())) {
      sections.add(byDefault.name());
    }
    return sections;
  }

  private static String shown(Set<String> sections) {
    String names = String.join(", ", sections.stream().limit(MOST_SECTIONS).toList());
    int more = sections.size() - MOST_SECTIONS;
    return (sections.size() == 1 ? "section " : "sections ")
        + names
        + (more > 0 ? " and " + more + " more" : "");
  }
}
