// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import io.github.batchvalidator.lines.Append;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts judgments, and keeps the first differences that nothing explains. */
final class Tally {
  private static final int MOST_EXAMPLES = 20;

  static final String APPENDS = "= appends";
  static final String SKIPPED = "= not compared, because of what they declare";
  static final String DIFFERENCES = "= unexplained differences";

  /** Counts by entry, codec and outcome, and of known differences. */
  final Map<String, Long> counts = new TreeMap<>();

  final List<String> examples = new ArrayList<>();
  long appends;
  long skipped;
  long differences;
  private long seed;

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
      count("known difference " + known);
    }
    differences += judgment.difference() == null ? 0 : 1;
  }

  /** Keeps the text of a difference, with the command that shows it again. */
  void example(String text) {
    if (examples.size() < MOST_EXAMPLES) {
      examples.add("scripts/specification --replay " + seed + "\n" + text);
    }
  }

  private void count(String key) {
    counts.merge(key, 1L, Long::sum);
  }

  /** Returns all counts as lines of a name and a number. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    counts.forEach((key, count) -> lines.add(key + "\t" + count));
    lines.add(APPENDS + "\t" + appends);
    lines.add(SKIPPED + "\t" + skipped);
    lines.add(DIFFERENCES + "\t" + differences);
    return lines;
  }
}
