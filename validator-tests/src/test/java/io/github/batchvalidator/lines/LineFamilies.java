// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

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
    Variants variants = new Variants(draft);
    int count = draft.records().size() > MANY_RECORDS ? VARIANTS_OF_MANY : VARIANTS;
    int first = (int) Math.floorMod(draft.seed(), (long) LINES.length);
    for (int i = 0; i < count; i++) {
      Append append = i == 0 ? variants.honest() : variants.next();
      report.compare(LinePair.of(LINES[(first + i) % LINES.length]), append);
    }
  }
}
