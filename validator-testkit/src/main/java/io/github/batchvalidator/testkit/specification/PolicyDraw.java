// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.SizeRange;
import io.github.batchvalidator.rule.TopicRule;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Draws a valid policy file and the broker-wide settings that its default section inherits. */
final class PolicyDraw {
  /** Topics that the patterns below match in several ways. */
  static final String[] TOPICS = {
    "orders-eu",
    "orders-us",
    "invoices",
    "ta-x",
    "tb",
    "events-1",
    "events-long",
    "other",
    "a.b",
    "__x",
    "__remote"
  };

  private static final String[] MATCHES = {
    "orders-*",
    "orders-eu",
    "*-eu",
    "orders-e?",
    "invoices",
    "in*es",
    "ta-?",
    "t*",
    "??",
    "tb",
    "events-?",
    "events-*",
    "*-1",
    "*",
    "a.?",
    "?.b",
    "o*r",
    "orders-??",
    "ta-x",
    "*-us",
    "__x",
    "__r*",
    "_*"
  };

  private static final int MOST_SECTIONS = 6;

  private final Choices choices;
  private final List<String> lines = new ArrayList<>();
  private final Set<String> drawn = new HashSet<>();
  private final List<String> unmatched = new ArrayList<>(List.of(MATCHES));

  private PolicyDraw(Choices choices) {
    this.choices = choices;
  }

  /**
   * A drawn policy.
   *
   * @param text of the file
   * @param ids of the file of schema ids that it may name
   * @param brokerWide the settings of the broker, with the names of the file
   */
  record Drawn(String text, String ids, Map<String, String> brokerWide) {
    ModelPolicy model() {
      return new ModelPolicy(text, ids, brokerWide);
    }
  }

  static Map<String, String> brokerWide(Choices choices) {
    Map<String, String> brokerWide = new LinkedHashMap<>();
    new PolicyDraw(choices).mode(brokerWide, Map.of());
    if (choices.oneIn(4)) {
      brokerWide.put("limits", "broker-default");
    }
    return brokerWide;
  }

  static Drawn draw(Choices choices, Map<String, String> brokerWide) {
    return new PolicyDraw(choices).draw(brokerWide);
  }

  static String ids(Choices choices) {
    return choices.of(
        "17\n", "# one of each\n0-1\n\nglobal:2\n", "00000000-0000-0001-0000-000000000001\n17");
  }

  private Drawn draw(Map<String, String> brokerWide) {
    Map<String, String> defaults = new LinkedHashMap<>();
    settings(defaults, brokerWide, 8);
    defaults.forEach((key, value) -> lines.add("default." + key + "=" + value));
    Map<String, String> inherited = new LinkedHashMap<>(brokerWide);
    inherited.putAll(defaults);
    for (int i = 1 + choices.below(MOST_SECTIONS); i > 0; i--) {
      section("s" + i, inherited);
    }
    return new Drawn(String.join("\n", shuffled()) + "\n", ids(choices), brokerWide);
  }

  private void section(String name, Map<String, String> inherited) {
    String match = match();
    while (choices.oneIn(3)) {
      match += ", " + match();
    }
    Map<String, String> own = new LinkedHashMap<>();
    own.put("match", match);
    settings(own, inherited, 5);
    own.forEach((key, value) -> lines.add("topics." + name + "." + key + "=" + value));
  }

  private String match() {
    return unmatched.remove(choices.below(unmatched.size()));
  }

  /** The order of lines matters only for patterns that are equally long. */
  private List<String> shuffled() {
    List<String> shuffled = new ArrayList<>();
    boolean keeps = !choices.oneIn(3);
    while (!lines.isEmpty()) {
      shuffled.add(lines.remove(keeps ? 0 : choices.below(lines.size())));
    }
    return shuffled;
  }

  /** Enforces, observes or is strict: strict sections do not observe. */
  private void mode(Map<String, String> to, Map<String, String> inherited) {
    int mode = choices.below(6);
    override(to, inherited, "level", mode == 5 ? "strict" : "kafka");
    override(to, inherited, "observe", mode == 3 || mode == 4 ? "true" : "false");
  }

  /** Sets a value, or perhaps leaves it out if it is inherited. */
  private void override(
      Map<String, String> to, Map<String, String> inherited, String key, String value) {
    if (!value.equals(inherited.get(key)) || !choices.oneIn(2)) {
      to.put(key, value);
    }
  }

  /** Draws some settings. An empty list removes the inherited one. */
  private void settings(Map<String, String> to, Map<String, String> inherited, int rarity) {
    if (!choices.oneIn(3)) {
      mode(to, inherited);
    }
    maybe(to, rarity, "compacted.level", "strict", "strict", "kafka");
    limits(to);
    maybe(to, rarity, "codecs", "none, lz4, zstd", "gzip, snappy", "none", "lz4, zstd", "snappy");
    maybe(to, rarity + 3, "key.required", "true", "false");
    maybe(to, rarity + 3, "value.required", "true", "false");
    maybe(
        to,
        rarity,
        "headers.required",
        "trace",
        "__value_schema_id",
        "trace, apicurio.key.globalId",
        "x".repeat(200),
        "");
    maybe(
        to,
        rarity,
        "headers.forbidden",
        "debug",
        "__key_schema_id, debug",
        "apicurio.value.globalId",
        "");
    maybe(to, rarity + 3, "headers.utf8", "true", "false");
    schema(to, inherited, "key", rarity + 3);
    schema(to, inherited, "value", rarity);
    maybe(to, rarity + 6, "key.starts", "json-object, hex:00, text:k", "text:k, hex:00000000", "");
    maybe(to, rarity + 4, "value.starts", "json-object, hex:00", "avro, json-array, hex:0000", "");
    maybe(to, rarity + 4, "key.bytes", "0-40", "1-10");
    maybe(to, rarity + 4, "value.bytes", "0-1000", "1-40");
    maybe(to, rarity + 2, "timestamps.milliseconds", "true", "true", "false");
    for (TopicRule<?> rule : TopicRule.all()) {
      if (!drawn.contains(rule.key()) && !rule.key().endsWith(".ids")) {
        maybe(to, rarity + 3, rule.key(), values(rule.type()));
      }
    }
  }

  /** Returns values for a rule that {@link #settings} does not draw by its key. */
  private static String[] values(Class<?> type) {
    if (type == Boolean.class) {
      return new String[] {"true", "false"};
    }
    if (type == SizeRange.class) {
      return new String[] {"0-40", "1-10", "0-1000"};
    }
    throw new IllegalStateException("the generator does not draw values of " + type);
  }

  private void limits(Map<String, String> to) {
    maybe(to, 12, "limits", "unbounded-as-kafka", "broker-default", "generous");
    for (Limit limit : Limit.values()) {
      int rarity = limit == Limit.RATIO ? 6 : 30; // it only applies to large batches
      maybe(to, rarity, "limits." + limit.label(), valuesOf(limit));
    }
  }

  private static String[] valuesOf(Limit limit) {
    return switch (limit) {
      case PLAIN_BYTES -> new String[] {"50", "1000", "100000"};
      case RATIO -> new String[] {"1", "15", "100", "1000"};
      case RECORDS -> new String[] {"1", "3", "100"};
      case RECORD_BYTES -> new String[] {"20", "300", "100000"};
      case HEADERS -> new String[] {"0", "1", "2"};
      case HEADER_BYTES -> new String[] {"10", "300", "4000"};
      case CODEC_MEMORY_BYTES -> new String[] {"65536", "300000", "4194304"};
      case REBUILT_BYTES -> new String[] {"1", "200", "100000"};
    };
  }

  /** Ids need a place, of the section or inherited. */
  private void schema(
      Map<String, String> to, Map<String, String> inherited, String what, int rarity) {
    String place = what + ".schema";
    maybe(to, rarity, place, "payload", "either", "header", "none");
    if (to.containsKey(place) || !inherited.getOrDefault(place, "none").equals("none")) {
      maybe(
          to,
          2,
          what + ".schema.ids",
          "17",
          "0-1, 17, global:1",
          "global:1, 00000000-0000-0001-0000-000000000001",
          "file:ids.txt",
          "2, file:ids.txt",
          "any");
    }
  }

  private void maybe(Map<String, String> to, int rarity, String key, String... values) {
    drawn.add(key);
    if (choices.oneIn(rarity)) {
      to.put(key, values[choices.below(values.length)]);
    }
  }
}
