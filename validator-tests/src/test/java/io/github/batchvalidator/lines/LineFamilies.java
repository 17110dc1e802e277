// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import java.util.function.IntFunction;

/** Gives the appends made from drafts to the lines in turn. */
final class LineFamilies {
  private static final KafkaLine[] LINES = KafkaLine.values();

  /** A batch of so many records costs so much that few others are made from it. */
  private static final int MANY_RECORDS = 60;

  private static final int VARIANTS = 64;
  private static final int VARIANTS_OF_MANY = 8;

  private LineFamilies() {}

  /** Compares the honest append of a draft on one line, and the others on one line each. */
  static void compare(Draft draft, LineReport report) {
    int first = (int) Math.floorMod(draft.seed(), (long) LINES.length);
    compare(draft, report, i -> LinePair.of(LINES[(first + i) % LINES.length]));
  }

  /** Compares all of them on one line. */
  static void compare(Draft draft, LineReport report, LinePair pair) {
    compare(draft, report, i -> pair);
  }

  private static void compare(Draft draft, LineReport report, IntFunction<LinePair> pairs) {
    Variants variants = new Variants(draft);
    int count = draft.records().size() > MANY_RECORDS ? VARIANTS_OF_MANY : VARIANTS;
    for (int i = 0; i < count; i++) {
      report.compare(pairs.apply(i), i == 0 ? variants.honest() : variants.next());
    }
  }
}
