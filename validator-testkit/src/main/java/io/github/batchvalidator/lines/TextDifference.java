// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import java.util.regex.Pattern;

/**
 * The intended differences between texts of a line's stock validator and ours. Each constant is a
 * row of {@code docs/compatibility.md}, which says why, and has a test that pins both sides.
 */
enum TextDifference {
  /** Stock describes a message of magic 0 or 1 by everything in it, ours by offset and magic. */
  LEGACY_RECORD_SHORTENED(
      "(LegacyRecordBatch\\(offset=-?[0-9]+, Record\\(magic=-?[0-9]+)[^)]*\\)\\)", "$1))"),
  /** A record limit below 1 is 1 in ours. */
  RECORD_LIMIT_BELOW_ONE("(?<=maximum record size of )(0|-[0-9]+)", "1");

  @SuppressWarnings("ImmutableEnumChecker") // a pattern is immutable
  private final Pattern stock;

  private final String ours;

  TextDifference(String stock, String ours) {
    this.stock = Pattern.compile(stock);
    this.ours = ours;
  }

  /** Returns a text of stock as ours would have it; one of ours stays as it is. */
  static String remove(String text) {
    String rest = text;
    for (TextDifference difference : values()) {
      rest = difference.stock.matcher(rest).replaceAll(difference.ours);
    }
    return rest;
  }
}
