// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import io.github.batchvalidator.lines.Append;
import io.github.batchvalidator.lines.KafkaLine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts judgments, and keeps the first differences that nothing explains. */
final class Tally {
  private static final int MOST_EXAMPLES = 50000;

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

  void add(String entry, KafkaLine line, Append append, String topic, Judgment judgment) {
    appends++;
    count(entry + " " + append.settings().source() + " " + judgment.outcome());
    String known = judgment.explained();
    if (known != null) {
      count("known " + known);
    }
    String text = judgment.difference();
    if (text != null) {
      differences++;
      if (examples.size() < MOST_EXAMPLES) {
        examples.add(
            "seed " + seed + ", " + entry + " " + line.version() + ", append " + appends
                + ", topic " + topic + ": " + text + "\n  append " + append.toLine());
      }
    }
  }

  private void count(String key) {
    counts.merge(key, 1L, Long::sum);
  }
}
