// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The effective settings of a section, as the table "Keys" of docs/policies.md lists them. */
final class ModelSection {
  private static final long NO_LIMIT = Long.MAX_VALUE;

  /** The keys that are not rules for records. */
  private static final Set<String> OF_THE_BATCH =
      Set.of("match", "level", "compacted.level", "observe", "limits", "codecs");

  /** The values of a rule that is switched off. */
  private static final Set<String> NO_RULE = Set.of("false", "none", "");

  /** The preset {@code broker-default} of docs/settings.md. */
  private static final Map<String, Long> BROKER_DEFAULT =
      Map.of(
          "plainBytes",
          128L << 20,
          "ratio",
          256L,
          "records",
          1_048_576L,
          "recordBytes",
          32L << 20,
          "headers",
          1024L,
          "headerBytes",
          256L << 10,
          "codecMemoryBytes",
          8L << 20,
          "rebuiltBytes",
          128L << 20);

  final String name;
  final boolean strict;
  final boolean observing;
  final List<String> codecs;
  final ModelRules rules;
  private final Map<String, String> settings;

  /** A schema id: an id, a global id or a GUID. */
  record SchemaId(@Nullable Integer id, @Nullable Long global, @Nullable UUID guid) {}

  /** The place where a schema id is expected, and the allowed ids. */
  record Schema(String place, Predicate<SchemaId> allowed) {
    boolean isNone() {
      return place.equals("none");
    }
  }

  ModelSection(String name, Map<String, String> settings) {
    this.name = name;
    this.settings = settings;
    strict = get("level", "kafka").equals("strict");
    observing = isTrue("observe");
    codecs = list(get("codecs", "none, gzip, snappy, lz4, zstd"));
    rules = new ModelRules(this);
  }

  /** "{@code compacted.level} is the level of compacted topics while the section enforces." */
  ModelSection ofTopic(boolean compacted) {
    String level = settings.get("compacted.level");
    if (!compacted || level == null || observing) {
      return this;
    }
    Map<String, String> own = new HashMap<>(settings);
    own.remove("compacted.level");
    own.put("level", level);
    return new ModelSection(name, own);
  }

  private String get(String key, String byDefault) {
    return settings.getOrDefault(key, byDefault);
  }

  boolean isTrue(String key) {
    return get(key, "false").equals("true");
  }

  /** Level STRICT refuses what it finds, whatever {@code observe} says. */
  boolean enforces() {
    return strict || !observing;
  }

  /** Returns true if violations are reported. */
  boolean reports() {
    return strict || observing;
  }

  /** Returns a limit of docs/settings.md. */
  long limit(String key) {
    String own = settings.get("limits." + key);
    if (own != null) {
      return Long.parseLong(own);
    }
    String preset = get("limits", "generous");
    return preset.equals("broker-default")
        ? BROKER_DEFAULT.getOrDefault(key, NO_LIMIT)
        : preset.equals("generous") && key.equals("plainBytes") ? Integer.MAX_VALUE : NO_LIMIT;
  }

  /** "A section with rules for records rejects such messages." Ids without a place are no rule. */
  boolean hasRulesForRecords() {
    return settings.keySet().stream()
        .filter(key -> !OF_THE_BATCH.contains(key) && !key.startsWith("limits."))
        .filter(key -> !key.endsWith(".schema.ids"))
        .anyMatch(key -> !NO_RULE.contains(get(key, "")));
  }

  List<String> listOf(String key) {
    return list(settings.get(key));
  }

  static List<String> list(@Nullable String text) {
    return text == null
        ? List.of()
        : Arrays.stream(text.split(",", -1)).map(String::strip).filter(s -> !s.isEmpty()).toList();
  }

  long[] range(String key) {
    String[] ends = get(key, "0-2147483647").split("-", -1);
    return new long[] {Long.parseLong(ends[0]), Long.parseLong(ends[1])};
  }

  List<byte[]> starts(String key) {
    List<byte[]> all = new ArrayList<>();
    for (String start : listOf(key)) {
      all.add(
          switch (start) {
            case "json-object" -> new byte[] {'{'};
            case "json-array" -> new byte[] {'['};
            case "avro" -> new byte[] {'O', 'b', 'j', 1};
            default ->
                start.startsWith("text:")
                    ? start.substring("text:".length()).getBytes(StandardCharsets.UTF_8)
                    : HexFormat.of().parseHex(start.substring("hex:".length()));
          });
    }
    return all;
  }

  /** "Without {@code ids}, any id is allowed." */
  Schema schema(String what) {
    String place = get(what + ".schema", "none");
    List<Predicate<SchemaId>> allowed = new ArrayList<>();
    for (String text : listOf(what + ".schema.ids")) {
      allowed.add(allowed(text.toLowerCase(Locale.ROOT)));
    }
    return new Schema(
        place, id -> allowed.isEmpty() || allowed.stream().anyMatch(one -> one.test(id)));
  }

  private static Predicate<SchemaId> allowed(String text) {
    if (text.equals("any")) {
      return id -> true;
    }
    if (text.startsWith("global:")) {
      long global = Long.parseLong(text.substring("global:".length()));
      return id -> id.global != null && id.global == global;
    }
    if (text.length() == 36) {
      UUID guid = UUID.fromString(text);
      return id -> guid.equals(id.guid);
    }
    String[] ends = text.split("-", -1);
    long first = Long.parseLong(ends[0]);
    long last = Long.parseLong(ends[ends.length - 1]);
    return id -> id.id != null && id.id >= first && id.id <= last;
  }
}
