// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The words that ask for a table or chart, such as {@code rows=codec unit=us}.
 *
 * @param all the values by their names
 */
record Words(Map<String, String> all) {
  /** The words that describe a table; every other word selects rows. */
  private static final Set<String> OWN =
      Set.of("rows", "across", "columns", "ratios", "bytes", "metric", "unit", "means", "pairs");

  private static final Pattern WORD = Pattern.compile("([^\\s=]+)=(\\S*)");

  static Words parse(String text) {
    return new Words(
        WORD.matcher(text)
            .results()
            .collect(
                Collectors.toMap(
                    word -> word.group(1),
                    word -> word.group(2),
                    (one, other) -> other,
                    LinkedHashMap::new)));
  }

  boolean has(String name) {
    return all.containsKey(name);
  }

  String get(String name, String otherwise) {
    return all.getOrDefault(name, otherwise);
  }

  /** Returns the values of a word, which are separated by commas. */
  List<String> list(String name) {
    String values = get(name, "");
    return values.isEmpty() ? List.of() : List.of(values.split(",", -1));
  }

  /**
   * Returns the rows that the words select.
   *
   * @throws IllegalArgumentException if there are none
   */
  List<Row> select(List<Row> rows) {
    Map<String, String> fields = new LinkedHashMap<>(all);
    fields.keySet().removeAll(OWN);
    List<Row> selected = rows.stream().filter(row -> row.matches(fields)).toList();
    if (selected.isEmpty()) {
      throw new IllegalArgumentException("no row with " + fields);
    }
    return selected;
  }
}
