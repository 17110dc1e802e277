// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.policy;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Prefix;
import io.github.batchvalidator.rule.SchemaIds;
import io.github.batchvalidator.rule.SchemaRule;
import io.github.batchvalidator.rule.SizeRange;
import io.github.batchvalidator.rule.TopicRules;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
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
  private static final Pattern TOPICS = Pattern.compile("topics\\.([a-zA-Z0-9_-]{1,100})\\.(.+)");
  private static final Pattern SIZES = Pattern.compile("([0-9]{1,10})\\s*-\\s*([0-9]{1,10})");

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
      on(section.getValue(), PolicyKeys.MATCH, entry -> addPatterns(parsed, entry, patterns));
    }
    if (!problems.isEmpty()) {
      throw refusal();
    }
    return new PolicyFile(sections, patterns, inherited, stamps());
  }

  private static void addPatterns(
      PolicySection section, PolicyLines.Entry match, List<TopicPattern> patterns) {
    for (String text : section.patterns()) {
      patterns.add(TopicPattern.of(text, section, match.line()));
    }
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
          entry, "a key is default.KEY or topics.SECTION.KEY, and no section is called default");
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
    Value<Level> level = new Value<>(from.level());
    on(entries, PolicyKeys.LEVEL, entry -> level.set(level(entry), entry));
    boolean observing = flag(entries, PolicyKeys.OBSERVE, from.observing());
    if (observing && level.value == Level.STRICT) {
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
        level.value,
        observing,
        limits(entries, from.limits()),
        rules(entries, from));
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

  /** A value that may be replaced by that of the file. */
  private final class Value<T> {
    private T value;

    Value(T value) {
      this.value = value;
    }

    void set(@Nullable T parsed, PolicyLines.Entry entry) {
      if (parsed == null) {
        wrong(entry);
      } else {
        value = parsed;
      }
    }
  }

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

  private static void on(
      Map<String, PolicyLines.Entry> entries, String key, Consumer<PolicyLines.Entry> action) {
    PolicyLines.Entry entry = entries.get(key);
    if (entry != null) {
      action.accept(entry);
    }
  }

  private static @Nullable Level level(PolicyLines.Entry entry) {
    return switch (entry.value()) {
      case "kafka" -> Level.KAFKA;
      case "strict" -> Level.STRICT;
      default -> null;
    };
  }

  private boolean flag(Map<String, PolicyLines.Entry> entries, String key, boolean from) {
    Value<Boolean> flag = new Value<>(from);
    on(
        entries,
        key,
        entry ->
            flag.set(
                switch (entry.value()) {
                  case "true" -> true;
                  case "false" -> false;
                  default -> null;
                },
                entry));
    return flag.value;
  }

  /** A preset, and on top of it the limits that are set. */
  private Limits limits(Map<String, PolicyLines.Entry> entries, Limits from) {
    Value<Limits> limits = new Value<>(from);
    on(entries, PolicyKeys.LIMITS, entry -> limits.set(Limits.preset(entry.value()), entry));
    for (Limit limit : Limit.values()) {
      on(
          entries,
          PolicyKeys.nameOf(limit),
          entry -> {
            Long value = limit.parse(entry.value());
            limits.set(value == null ? null : limits.value.with(limit, value), entry);
          });
    }
    return limits.value;
  }

  private TopicRules rules(Map<String, PolicyLines.Entry> entries, PolicySection from) {
    TopicRules.Builder rules = from.rules().toBuilder();
    on(entries, PolicyKeys.CODECS, entry -> codecs(entry, rules));
    rules.keyRequired(flag(entries, PolicyKeys.KEY_REQUIRED, from.rules().keyRequired()));
    rules.valueRequired(flag(entries, PolicyKeys.VALUE_REQUIRED, from.rules().valueRequired()));
    rules.headerKeysUtf8(flag(entries, PolicyKeys.HEADERS_UTF8, from.rules().headerKeysUtf8()));
    rules.millisecondsRequired(
        flag(entries, PolicyKeys.MILLISECONDS, from.rules().millisecondsRequired()));
    on(
        entries,
        PolicyKeys.HEADERS_REQUIRED,
        entry -> build(entry, () -> rules.requiredHeaders(entry.list().toArray(String[]::new))));
    on(
        entries,
        PolicyKeys.HEADERS_FORBIDDEN,
        entry -> build(entry, () -> rules.forbiddenHeaders(entry.list().toArray(String[]::new))));
    rules.keySchema(
        schema(
            entries, PolicyKeys.KEY_SCHEMA, PolicyKeys.KEY_SCHEMA_IDS, from.rules().keySchema()));
    rules.valueSchema(
        schema(
            entries,
            PolicyKeys.VALUE_SCHEMA,
            PolicyKeys.VALUE_SCHEMA_IDS,
            from.rules().valueSchema()));
    on(entries, PolicyKeys.KEY_STARTS, entry -> build(entry, () -> rules.keyStarts(starts(entry))));
    on(
        entries,
        PolicyKeys.VALUE_STARTS,
        entry -> build(entry, () -> rules.valueStarts(starts(entry))));
    on(entries, PolicyKeys.KEY_BYTES, entry -> sizes(entry, rules::keyBytes));
    on(entries, PolicyKeys.VALUE_BYTES, entry -> sizes(entry, rules::valueBytes));
    try {
      return rules.build();
    } catch (IllegalArgumentException e) {
      int line = entries.isEmpty() ? 0 : entries.values().iterator().next().line();
      problems.add(file, line, "", String.valueOf(e.getMessage()));
      return TopicRules.NONE;
    }
  }

  private void build(PolicyLines.Entry entry, Runnable step) {
    try {
      step.run();
    } catch (IllegalArgumentException e) {
      problem(entry, String.valueOf(e.getMessage()));
    }
  }

  private void codecs(PolicyLines.Entry entry, TopicRules.Builder rules) {
    List<Codec> codecs = new ArrayList<>();
    for (String name : entry.list()) {
      for (Codec codec : Codec.values()) {
        if (PolicySection.label(codec).equals(name.toLowerCase(Locale.ROOT))) {
          codecs.add(codec);
        }
      }
    }
    if (codecs.isEmpty() || codecs.size() != entry.list().size()) {
      wrong(entry);
    } else {
      rules.codecs(codecs.toArray(Codec[]::new));
    }
  }

  private Prefix[] starts(PolicyLines.Entry entry) {
    List<Prefix> starts = new ArrayList<>();
    for (String text : entry.list()) {
      Prefix start = Prefix.parse(text);
      if (start == null) {
        String shown = PolicyProblems.shorten(text);
        problem(entry, shown + " is not legal; legal is " + Prefix.LEGAL_VALUES);
      } else {
        starts.add(start);
      }
    }
    return starts.toArray(Prefix[]::new);
  }

  private void sizes(PolicyLines.Entry entry, Consumer<SizeRange> target) {
    Matcher matcher = SIZES.matcher(entry.value());
    long least = matcher.matches() ? Long.parseLong(matcher.group(1)) : -1;
    long most = matcher.matches() ? Long.parseLong(matcher.group(2)) : -1;
    if (least < 0 || least > most || most > Integer.MAX_VALUE) {
      wrong(entry);
    } else {
      target.accept(new SizeRange((int) least, (int) most));
    }
  }

  private @Nullable SchemaRule schema(
      Map<String, PolicyLines.Entry> entries,
      String placeKey,
      String idsKey,
      @Nullable SchemaRule from) {
    Value<SchemaIds> ids = new Value<>(from == null ? SchemaIds.ANY : from.ids());
    // The default section may have ids without a place, so its rule does not carry them.
    on(defaults(), idsKey, entry -> ids.value = schemaIds.of(entry));
    on(entries, idsKey, entry -> ids.value = schemaIds.of(entry));
    PolicyLines.Entry place = entries.get(placeKey);
    if (place == null) {
      if (from == null) {
        on(entries, idsKey, entry -> problem(entry, "needs " + placeKey));
      }
      return from == null ? null : new SchemaRule(from.place(), ids.value);
    }
    for (SchemaRule.Place each : SchemaRule.Place.values()) {
      if (each.label().equals(place.value())) {
        return new SchemaRule(each, ids.value);
      }
    }
    if (!place.value().equals(PolicyKeys.NONE)) {
      wrong(place);
    }
    return null;
  }
}
