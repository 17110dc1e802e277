// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.profile;

import io.github.batchvalidator.audit.profile.ProfiledValues.Occurrences;
import io.github.batchvalidator.audit.profile.ProfiledValues.Place;
import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.policy.PolicySection;
import io.github.batchvalidator.rule.TopicRules;
import java.io.PrintWriter;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** A profile of the records of a topic, with a section of rules that they pass. */
public final class TopicProfile implements Serializable {
  private static final long serialVersionUID = 1;

  /** Names of values that are no first bytes. */
  public static final String NULL = "null";

  public static final String EMPTY = "empty";
  public static final String CONFLUENT = "confluent";

  /** The schema id of a key or value that has none. */
  static final String NO_SCHEMA = "(none)";

  /** With fewer batches, a value of one batch is no outlier. */
  private static final int LEAST_BATCHES = 10;

  /**
   * The minimum number of batches per outlier. With more single values, the property has no
   * pattern, and there are no outliers.
   */
  private static final int BATCHES_PER_OUTLIER = 20;

  private static final int SHOWN = 8;

  private final String name;
  private final boolean isTopic;
  private long batches;
  private long records;
  private final ProfiledValues codecs = new ProfiledValues();
  private final ProfiledValues keyStarts = new ProfiledValues();
  private final ProfiledValues valueStarts = new ProfiledValues();
  private final ProfiledValues keySchemas = new ProfiledValues();
  private final ProfiledValues valueSchemas = new ProfiledValues();
  private final ProfiledValues headers = new ProfiledValues();
  private final Range keyBytes = new Range();
  private final Range valueBytes = new Range();
  private final Range timestamps = new Range();

  /**
   * Creates an empty profile.
   *
   * @param name of the topic, or of a segment whose topic is unknown
   * @param isTopic true if that is a topic
   */
  public TopicProfile(String name, boolean isTopic) {
    this.name = name;
    this.isTopic = isTopic;
  }

  /** The least and the largest of some numbers. */
  public static final class Range implements Serializable {
    private static final long serialVersionUID = 1;

    private long least = Long.MAX_VALUE;
    private long most = Long.MIN_VALUE;

    void add(long number) {
      least = Math.min(least, number);
      most = Math.max(most, number);
    }

    private void add(Range other) {
      least = Math.min(least, other.least);
      most = Math.max(most, other.most);
    }

    boolean isEmpty() {
      return least > most;
    }

    @Override
    public String toString() {
      return least + " to " + most;
    }
  }

  /** Adds the profile of batches that follow those so far. */
  void add(TopicProfile other) {
    batches += other.batches;
    records += other.records;
    codecs.add(other.codecs);
    keyStarts.add(other.keyStarts);
    valueStarts.add(other.valueStarts);
    keySchemas.add(other.keySchemas);
    valueSchemas.add(other.valueSchemas);
    headers.add(other.headers);
    keyBytes.add(other.keyBytes);
    valueBytes.add(other.valueBytes);
    timestamps.add(other.timestamps);
  }

  /** Counts a batch. */
  public void batch(String codec, Place place) {
    batches++;
    codecs.add(codec, place);
  }

  /** Counts a record. */
  public void record(long timestamp) {
    records++;
    timestamps.add(timestamp);
  }

  /** Counts a key: its size, or -1, and what it starts with. */
  public void key(int size, String start, Place place) {
    keyStarts.add(start, place);
    if (size >= 0) {
      keyBytes.add(size);
    }
  }

  /** Counts a value: its size, or -1, and what it starts with. */
  public void value(int size, String start, Place place) {
    valueStarts.add(start, place);
    if (size >= 0) {
      valueBytes.add(size);
    }
  }

  /** Counts the schema id of a key or value that is not null, such as {@code payload 17}. */
  public void schema(boolean ofKey, String id, Place place) {
    (ofKey ? keySchemas : valueSchemas).add(id, place);
  }

  /** Counts a header, once per record. */
  public void header(String key, Place place) {
    headers.add(key, place);
  }

  boolean isTopic() {
    return isTopic;
  }

  // ---- for people

  /** Prints the profile, its outliers, and a section for a policy file. */
  public void print(PrintWriter out) {
    Consumer<String> line = text -> out.println(Messages.printable(text));
    line.accept(
        (isTopic ? "topic " : "")
            + name
            + ": "
            + Messages.plural(batches, "batch")
            + ", "
            + Messages.plural(records, "record"));
    print("codecs", codecs, line);
    print("keys start with", keyStarts, line);
    print("values start with", valueStarts, line);
    printSchemas("schema ids of keys", keySchemas, line);
    printSchemas("schema ids of values", valueSchemas, line);
    print("headers", headers, line);
    print("bytes of keys", keyBytes, line);
    print("bytes of values", valueBytes, line);
    print("timestamps", timestamps, line);
    printOutliers(line);
    if (isTopic) {
      line.accept("  proposed section:");
      proposal().forEach(text -> line.accept("    " + text));
    }
  }

  private static void print(String name, ProfiledValues values, Consumer<String> line) {
    if (!values.isEmpty()) {
      List<Occurrences> all = values.byFrequency();
      String more = all.size() > SHOWN ? ", and " + (all.size() - SHOWN) + " more" : "";
      line.accept(
          "  "
              + name
              + ": "
              + all.stream()
                  .limit(SHOWN)
                  .map(each -> each.value() + " (" + each.records() + ")")
                  .collect(Collectors.joining(", "))
              + more);
    }
  }

  private static void print(String name, Range range, Consumer<String> line) {
    if (!range.isEmpty()) {
      line.accept("  " + name + ": " + range);
    }
  }

  private static void printSchemas(String name, ProfiledValues ids, Consumer<String> line) {
    if (hasSchemas(ids)) {
      print(name, ids, line);
    }
  }

  private static boolean hasSchemas(ProfiledValues ids) {
    return ids.byFrequency().stream().anyMatch(each -> !each.value().equals(NO_SCHEMA));
  }

  /** A value that occurs in one batch only, and what it is a value of. */
  private record Outlier(String what, Occurrences value) {}

  private List<Outlier> outliers() {
    List<Outlier> found = new ArrayList<>();
    addOutliers("value starts with", valueStarts, found);
    addOutliers("key starts with", keyStarts, found);
    addSchemaOutliers("schema id of value", valueSchemas, found);
    addSchemaOutliers("schema id of key", keySchemas, found);
    return found;
  }

  private void addOutliers(String what, ProfiledValues values, List<Outlier> found) {
    outliers(values).forEach(each -> found.add(new Outlier(what, each)));
  }

  private void addSchemaOutliers(String what, ProfiledValues ids, List<Outlier> found) {
    if (hasSchemas(ids)) {
      addOutliers(what, ids, found);
    }
  }

  private List<Occurrences> outliers(ProfiledValues values) {
    List<Occurrences> single =
        values.byFrequency().stream().filter(each -> each.batches() == 1).toList();
    boolean isPattern =
        batches >= LEAST_BATCHES && single.size() <= Math.max(1, batches / BATCHES_PER_OUTLIER);
    return isPattern ? single : List.of();
  }

  /** Returns the values that are no outliers, the most frequent one first. */
  private List<Occurrences> usual(ProfiledValues values) {
    List<Occurrences> left = new ArrayList<>(values.byFrequency());
    left.removeAll(outliers(values));
    return left;
  }

  private void printOutliers(Consumer<String> line) {
    for (Outlier outlier : outliers()) {
      Place place = outlier.value().first();
      line.accept(
          "  OUTLIER: "
              + outlier.what()
              + " "
              + outlier.value().value()
              + " in one batch only: "
              + place.file()
              + " at byte "
              + place.position()
              + ", offset "
              + place.offset());
    }
  }

  // ---- the proposed section

  private List<String> proposal() {
    String section = "topics." + sectionName() + ".";
    List<String> lines = new ArrayList<>();
    lines.add(section + "match=" + name);
    lines.add(section + "observe=true");
    lines.add(section + "codecs=" + joined(codecs.byFrequency()));
    if (keyStarts.records(NULL) == 0) {
      lines.add(section + "key.required=true");
    }
    if (valueStarts.records(NULL) == 0) {
      lines.add(section + "value.required=true");
    }
    addSchema(section + "key.schema", keySchemas, lines);
    addSchema(section + "value.schema", valueSchemas, lines);
    addStarts(section + "value.starts", valueStarts, lines);
    String everywhere =
        headers.byFrequency().stream()
            .filter(each -> each.records() == records && each.value().matches("[\\w.-]+"))
            .limit(TopicRules.MAX_HEADERS)
            .map(Occurrences::value)
            .collect(Collectors.joining(", "));
    if (!everywhere.isEmpty()) {
      lines.add(section + "headers.required=" + everywhere);
    }
    return lines;
  }

  private String sectionName() {
    String legal = name.replace('.', '_');
    return legal.equals(PolicySection.DEFAULT_NAME) ? legal + "_" : legal;
  }

  private static String joined(List<Occurrences> values) {
    return values.stream().map(Occurrences::value).collect(Collectors.joining(", "));
  }

  /** Proposes a schema rule if every key or value but outliers has a known schema id. */
  private void addSchema(String key, ProfiledValues ids, List<String> lines) {
    List<Occurrences> usual = usual(ids);
    boolean hasUnknown =
        usual.stream()
            .map(Occurrences::value)
            .anyMatch(id -> id.equals(NO_SCHEMA) || id.equals(ProfiledValues.OTHERS));
    if (usual.isEmpty() || hasUnknown) {
      return;
    }
    boolean payload = usual.stream().anyMatch(each -> each.value().startsWith("payload "));
    boolean header = usual.stream().anyMatch(each -> each.value().startsWith("header "));
    lines.add(key + "=" + (payload && header ? "either" : payload ? "payload" : "header"));
    String list =
        usual.stream()
            .map(each -> each.value().substring(each.value().indexOf(' ') + 1))
            .distinct()
            .collect(Collectors.joining(", "));
    lines.add(key + ".ids=" + list);
  }

  private void addStarts(String key, ProfiledValues starts, List<String> lines) {
    List<String> usual =
        usual(starts).stream()
            .filter(each -> !each.value().equals(NULL))
            .map(Occurrences::value)
            .toList();
    boolean isUseful =
        !usual.isEmpty()
            && usual.size() <= SHOWN
            && usual.stream().noneMatch(start -> start.equals(EMPTY) || start.equals(CONFLUENT));
    if (isUseful) {
      lines.add(key + "=" + String.join(", ", usual));
    }
  }
}
