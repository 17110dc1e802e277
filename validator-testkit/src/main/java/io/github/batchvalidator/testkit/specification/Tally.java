// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import io.github.batchvalidator.lines.Append;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Counts judgments, and keeps the first differences that nothing explains. */
final class Tally {
  private static final int MOST_EXAMPLES = 20;

  static final String APPENDS = "= appends";
  static final String SKIPPED = "= not compared, because of what they declare";
  static final String DIFFERENCES = "= unexplained differences";
  static final String KNOWN = "known difference ";

  /** The end of the names of seeds: of several runs, the smallest one counts. */
  static final String FIRST_SEED = ", first seed";

  /** Counts by entry, codec and outcome, of known differences and of others; and seeds. */
  private final Map<String, Long> counts = new TreeMap<>();

  final List<String> examples = new ArrayList<>();
  long appends;
  long skipped;
  long differences;
  private @Nullable Long seed;

  /** Sets the seed that the next judgments belong to. */
  void seed(long next) {
    seed = next;
  }

  void skip() {
    skipped++;
  }

  void add(String entry, Append append, Judgment judgment) {
    appends++;
    count(entry + ", " + append.settings().source() + ", " + judgment.outcome());
    String known = judgment.explained();
    if (known != null) {
      count(KNOWN + known);
    }
    differences += judgment.difference() == null ? 0 : 1;
  }

  /** Keeps the first seed that shows a known difference in some way. */
  void seen(String known) {
    Long current = seed;
    if (current != null) {
      counts.putIfAbsent(KNOWN + known + FIRST_SEED, current);
    }
  }

  /** Keeps the text of a difference, with the command that shows it again if it has a seed. */
  void example(String text) {
    if (examples.size() < MOST_EXAMPLES) {
      examples.add(seed == null ? text : "scripts/specification --replay " + seed + "\n" + text);
    }
  }

  void count(String name) {
    counts.merge(name, 1L, Long::sum);
  }

  /** Returns the number of a name, 0 for a name that did not occur. */
  long number(String name) {
    return numbers().getOrDefault(name, 0L);
  }

  /** Returns the number of judgments of an entry that have an outcome, with any codec. */
  long number(String entry, String outcome) {
    long sum = 0;
    for (Map.Entry<String, Long> count : counts.entrySet()) {
      String name = count.getKey();
      if (name.startsWith(entry + ", ") && name.endsWith(", " + outcome)) {
        sum += count.getValue();
      }
    }
    return sum;
  }

  /** Returns all numbers by their names. */
  Map<String, Long> numbers() {
    Map<String, Long> all = new TreeMap<>(counts);
    all.put(APPENDS, appends);
    all.put(SKIPPED, skipped);
    all.put(DIFFERENCES, differences);
    return all;
  }

  /** Returns a line for each number, and the differences. */
  static String text(Map<String, Long> numbers, List<String> examples) {
    StringBuilder text = new StringBuilder();
    numbers.forEach((name, number) -> text.append(String.format("%12d  %s%n", number, name)));
    examples.forEach(example -> text.append(example).append('\n'));
    return text.toString();
  }
}
