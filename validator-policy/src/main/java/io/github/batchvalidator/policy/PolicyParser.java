// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.policy;

import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.TopicRule;
import io.github.batchvalidator.rule.TopicRules;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A parser of policy files. It collects the mistakes before it refuses a file. Time and memory are
 * bounded for any file.
 */
final class PolicyParser {
  /** The maximum size of a policy file in bytes. */
  static final long MOST_BYTES = 16 << 20;

  /** The maximum size of a value in characters. Longer lists of ids belong into a file. */
  static final int MOST_VALUE_CHARS = 1 << 20;

  private static final String DEFAULT_PREFIX = PolicySection.DEFAULT_NAME + ".";

  /** A section may have the name of any topic. */
  private static final int MOST_NAME_CHARS = TopicPattern.MAX_LENGTH;

  private static final Pattern TOPICS =
      Pattern.compile("topics\\.([a-zA-Z0-9_-]{1," + MOST_NAME_CHARS + "})\\.(.+)");

  private final Path file;
  private final PolicySection inherited;
  private final PolicyProblems problems = new PolicyProblems();
  private final BoundedText policyText = new BoundedText(MOST_BYTES);
  private final SchemaIdSets schemaIds;

  /** The entries of each section by their keys. */
  private final Map<String, Map<String, PolicyLines.Entry>> given = new LinkedHashMap<>();

  /** The section of each pattern. */
  private final Map<String, String> owners = new HashMap<>();

  private int wildcards;

  PolicyParser(Path file, PolicySection inherited) {
    this.file = file;
    this.inherited = inherited;
    schemaIds = new SchemaIdSets(file, problems);
    given.put(PolicySection.DEFAULT_NAME, new LinkedHashMap<>());
  }

  PolicyFile parse() throws PolicyFileException {
    if (!collect()) {
      throw refusal();
    }
    List<PolicySection> sections = new ArrayList<>();
    List<TopicPattern> patterns = new ArrayList<>();
    PolicySection byDefault = inherited;
    for (Map.Entry<String, Map<String, PolicyLines.Entry>> section : given.entrySet()) {
      PolicySection parsed = parse(section.getKey(), section.getValue(), byDefault);
      byDefault = sections.isEmpty() ? parsed : byDefault;
      sections.add(parsed);
      PolicyLines.Entry match = section.getValue().get(PolicyKeys.MATCH);
      if (match != null) {
        parsed
            .patterns()
            .forEach(text -> patterns.add(TopicPattern.of(text, parsed, match.line())));
      }
    }
    if (!problems.isEmpty()) {
      throw refusal();
    }
    return new PolicyFile(sections, patterns, inherited, stamps(), schemaIds.files());
  }

  private PolicyFileException refusal() {
    return new PolicyFileException(problems.list(), stamps());
  }

  private List<FileStamp> stamps() {
    List<FileStamp> stamps = new ArrayList<>(policyText.stamps());
    stamps.addAll(schemaIds.stamps());
    return stamps;
  }

  private void problem(PolicyLines.Entry entry, String message) {
    problems.add(file, entry, message);
  }

  /** {@return false if the file was not read to the end} */
  private boolean collect() {
    boolean[] complete = {true};
    try (BufferedReader text = policyText.open(file)) {
      PolicyLines.read(text, entry -> complete[0] = collect(entry));
    } catch (BoundedText.TextException e) {
      problems.add(file, e.line(), "", "cannot read the file: " + e.getMessage());
      return false;
    } catch (IOException e) {
      problems.add(file, 0, "", "cannot read the file: " + e);
      return false;
    } catch (IllegalArgumentException e) {
      problems.add(file, 0, "", String.valueOf(e.getMessage()));
    }
    if (problems.isEmpty() && given.size() == 1 && defaults().isEmpty()) {
      problems.add(file, 0, "", "has no entry, as after a cut; without rules, name no file");
    }
    return complete[0];
  }

  /** {@return false if no more entries are wanted} */
  private boolean collect(PolicyLines.Entry entry) {
    String section = PolicySection.DEFAULT_NAME;
    String key = "";
    Matcher topics = TOPICS.matcher(entry.key());
    if (entry.key().startsWith(DEFAULT_PREFIX)) {
      key = entry.key().substring(DEFAULT_PREFIX.length());
    } else if (topics.matches()) {
      section = topics.group(1);
      key = topics.group(2);
    }
    boolean isDefault = section.equals(PolicySection.DEFAULT_NAME);
    if (key.isEmpty() || (isDefault && topics.matches())) {
      problem(
          entry,
          "a key is default.KEY or topics.SECTION.KEY; SECTION has 1 to "
              + MOST_NAME_CHARS
              + " letters, digits, _ and -, and is not default");
    } else if (!PolicyKeys.LEGAL.containsKey(key) || (isDefault && key.equals(PolicyKeys.MATCH))) {
      problem(entry, "unknown key; known are " + String.join(", ", PolicyKeys.LEGAL.keySet()));
    } else if (entry.value().length() > MOST_VALUE_CHARS) {
      problem(entry, "the value has more than " + MOST_VALUE_CHARS + " characters");
    } else if (given.size() == PolicyFile.MAX_SECTIONS && !given.containsKey(section)) {
      problem(entry, "more than " + PolicyFile.MAX_SECTIONS + " sections");
      return false;
    } else if (given.computeIfAbsent(section, name -> new LinkedHashMap<>()).put(key, entry)
        != null) {
      problem(entry, "the key occurs twice");
    }
    return !problems.isFull();
  }

  private PolicySection parse(
      String name, Map<String, PolicyLines.Entry> entries, PolicySection from) {
    List<String> patterns = new ArrayList<>();
    if (!name.equals(PolicySection.DEFAULT_NAME)) {
      PolicyLines.Entry match = entries.get(PolicyKeys.MATCH);
      if (match == null) {
        int line = entries.values().iterator().next().line();
        problems.add(file, line, "topics." + name, "the section has no " + PolicyKeys.MATCH);
      } else if (match.list().isEmpty()) {
        wrong(match);
      } else {
        match.list().forEach(text -> addPattern(text, name, match, patterns));
      }
    }
    Level level = value(ValueSyntax.LEVEL, entries.get(PolicyKeys.LEVEL), from.level());
    PolicyLines.Entry ofCompacted = entries.get(PolicyKeys.COMPACTED_LEVEL);
    Level compacted =
        ofCompacted == null
            ? from.compactedLevel()
            : value(ValueSyntax.LEVEL, ofCompacted, from.level());
    boolean observing = value(ValueSyntax.FLAG, entries.get(PolicyKeys.OBSERVE), from.observing());
    if (observing && level == Level.STRICT) {
      PolicyLines.Entry entry = entries.get(PolicyKeys.OBSERVE);
      PolicyLines.Entry other = entries.get(PolicyKeys.LEVEL);
      String message = "observe=true is for level=kafka: level strict refuses what it would report";
      if (entry != null) {
        problem(entry, message);
      } else if (other != null) {
        problem(other, message);
      }
    }
    return new PolicySection(
        name,
        patterns,
        level,
        compacted,
        observing,
        limits(entries, from.limits()),
        rules(entries, from.rules()));
  }

  private void addPattern(
      String text, String section, PolicyLines.Entry entry, List<String> patterns) {
    if (!TopicPattern.isLegal(text)) {
      String shown = PolicyProblems.shorten(text);
      problem(entry, shown + " is no topic: legal are letters, digits, ., _, -, * and ?");
      return;
    }
    wildcards += TopicPattern.isExact(text) ? 0 : 1;
    if (wildcards > PolicyFile.MAX_PATTERNS) {
      problem(entry, "more than " + PolicyFile.MAX_PATTERNS + " patterns with * or ?");
      return;
    }
    if (owners.size() == PolicyFile.MAX_TOPICS) {
      problem(entry, "more than " + PolicyFile.MAX_TOPICS + " topics and patterns");
      return;
    }
    String owner = owners.putIfAbsent(text, section);
    if (owner != null) {
      problem(entry, text + " is in section " + owner + " already");
    }
    patterns.add(text);
  }

  // ---- values

  private void wrong(PolicyLines.Entry entry) {
    Matcher topics = TOPICS.matcher(entry.key());
    String key =
        topics.matches() ? topics.group(2) : entry.key().substring(DEFAULT_PREFIX.length());
    String shown = PolicyProblems.shorten(entry.value());
    problem(entry, "is " + shown + ", legal is " + PolicyKeys.LEGAL.get(key));
  }

  private Map<String, PolicyLines.Entry> defaults() {
    return given.getOrDefault(PolicySection.DEFAULT_NAME, Map.of());
  }

  /** {@return the value of an entry; the inherited one if the entry is absent or wrong} */
  private <T> T value(ValueSyntax<T> syntax, PolicyLines.@Nullable Entry entry, T inherited) {
    if (entry == null) {
      return inherited;
    }
    T value = syntax.parser().parse(entry, schemaIds);
    if (value == null) {
      wrong(entry);
    }
    return value == null ? inherited : value;
  }

  /** A preset, and on top of it the limits that are set. */
  private Limits limits(Map<String, PolicyLines.Entry> entries, Limits from) {
    Limits limits = from;
    PolicyLines.Entry preset = entries.get(PolicyKeys.LIMITS);
    if (preset != null) {
      limits = Limits.preset(preset.value());
      if (limits == null) {
        wrong(preset);
        limits = from;
      }
    }
    for (Limit limit : Limit.values()) {
      PolicyLines.Entry entry = entries.get(PolicyKeys.nameOf(limit));
      Long value = entry == null ? null : limit.parse(entry.value());
      if (value != null) {
        limits = limits.with(limit, value);
      } else if (entry != null) {
        wrong(entry);
      }
    }
    return limits;
  }

  private TopicRules rules(Map<String, PolicyLines.Entry> entries, TopicRules from) {
    TopicRules rules = from;
    for (TopicRule<?> rule : TopicRule.all()) {
      // A rule that the section sets must not contradict another one that it replaces as well.
      rules = entries.containsKey(rule.key()) ? rules.without(rule) : rules;
    }
    for (TopicRule<?> rule : TopicRule.all()) {
      PolicyLines.Entry entry = entries.get(rule.key());
      rules = entry == null ? rules : with(rule, entry, rules);
    }
    for (TopicRule<?> rule : TopicRule.all()) {
      PolicyLines.Entry entry = entries.get(rule.key());
      TopicRule<?> needed = rule.needed();
      if (entry != null
          && needed != null
          && !rules.isInEffect(needed)
          && !entries.containsKey(needed.key())) {
        problem(entry, "needs " + needed);
      }
    }
    return rules;
  }

  private <T> TopicRules with(TopicRule<T> rule, PolicyLines.Entry entry, TopicRules rules) {
    try {
      return rules.with(rule, value(ValueSyntax.of(rule), entry, rule.byDefault()));
    } catch (IllegalArgumentException e) {
      problem(entry, String.valueOf(e.getMessage()));
      return rules;
    }
  }
}
