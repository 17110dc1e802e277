// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/** A valid policy file, as the sections "Sections" and "Keys" of docs/policies.md describe it. */
final class ModelPolicy {
  private static final String DEFAULT = "default";
  private static final List<String> PRESETS =
      List.of("unbounded-as-kafka", "generous", "broker-default");

  private final ModelSection byDefault;
  private final ModelSection withoutFile;
  private final Map<String, ModelSection> known = new HashMap<>();
  private final List<Match> matches = new ArrayList<>();

  /** A topic or pattern of a section. */
  private record Match(String text, ModelSection section) {
    boolean isExact() {
      return !text.contains("*") && !text.contains("?");
    }

    /** "{@code *} stands for any characters, {@code ?} for one." */
    boolean matches(String topic) {
      StringBuilder regex = new StringBuilder();
      for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        regex.append(c == '*' ? ".*" : c == '?' ? "." : Pattern.quote(String.valueOf(c)));
      }
      return topic.matches(regex.toString());
    }

    int otherCharacters() {
      return text.replace("*", "").replace("?", "").length();
    }
  }

  /**
   * Reads a file.
   *
   * @param text the lines of the file, {@code key=value}
   * @param ids the lines of {@code ids.txt}
   * @param brokerWide the settings of the broker, with the names of the file
   */
  ModelPolicy(String text, String ids, Map<String, String> brokerWide) {
    Map<String, Map<String, String>> given = new LinkedHashMap<>();
    given.put(DEFAULT, new LinkedHashMap<>());
    for (String line : text.lines().toList()) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      String name = line.substring(0, line.indexOf('='));
      String value = withIds(line.substring(line.indexOf('=') + 1).strip(), ids);
      String[] parts = name.split("\\.", 3);
      boolean isDefault = parts[0].equals(DEFAULT);
      String key = isDefault ? name.substring(DEFAULT.length() + 1) : parts[2];
      given
          .computeIfAbsent(isDefault ? DEFAULT : parts[1], any -> new LinkedHashMap<>())
          .put(key, value);
    }
    Map<String, String> defaults = inherit(brokerWide, given.remove(DEFAULT));
    byDefault = new ModelSection(DEFAULT, defaults);
    withoutFile = new ModelSection(DEFAULT, brokerWide);
    Map<String, ModelSection> sections = new HashMap<>();
    given.forEach(
        (name, own) -> sections.put(name, new ModelSection(name, inherit(defaults, own))));
    for (String line : text.lines().toList()) { // "the one in the earliest line wins"
      String[] parts = line.split("[.=]", 4);
      if (parts.length == 4 && parts[0].equals("topics") && parts[2].equals("match")) {
        ModelSection section = Objects.requireNonNull(sections.get(parts[1]));
        ModelSection.list(parts[3]).forEach(match -> matches.add(new Match(match, section)));
      }
    }
  }

  /** "A file of ids has one id, range or GUID per line. A line that starts with # is a comment." */
  private static String withIds(String value, String ids) {
    List<String> lines = ids.lines().filter(line -> !line.startsWith("#")).toList();
    return value.replace("file:ids.txt", String.join(",", lines));
  }

  /** "{@code default.KEY} sets a value that every section inherits." A preset sets all limits. */
  private static Map<String, String> inherit(Map<String, String> from, Map<String, String> own) {
    Map<String, String> all = new LinkedHashMap<>(from);
    if (PRESETS.contains(own.getOrDefault("limits", ""))) {
      all.keySet().removeIf(key -> key.startsWith("limits."));
    }
    all.putAll(own);
    return all;
  }

  /**
   * "A topic belongs to the section that names it exactly. Otherwise it belongs to the matching
   * pattern with the most other characters. Of equally long patterns, the one in the earliest line
   * wins. Within one line, the order of the list counts. A topic that nothing matches belongs to
   * the default section."
   */
  ModelSection sectionOf(String topic) {
    return known.computeIfAbsent(topic, this::find);
  }

  private ModelSection find(String topic) {
    Match best = null;
    for (Match match : matches) {
      if (match.isExact() && match.text.equals(topic)) {
        return match.section;
      }
      if (!match.isExact()
          && (!isInternal(topic) || isInternal(match.text))
          && match.matches(topic)
          && (best == null || match.otherCharacters() > best.otherCharacters())) {
        best = match;
      }
    }
    ModelSection otherwise = isInternal(topic) ? withoutFile : byDefault;
    return best == null ? otherwise : best.section;
  }

  /** "Internal topics, whose names start with {@code __}, need a section that names them." */
  private static boolean isInternal(String name) {
    return name.startsWith("__");
  }
}
