// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.preflight;

import java.util.ArrayList;
import java.util.List;

/** The lines of a report, in the order of the checks. */
final class Findings {
  private static final String NEXT_LINE = "\n" + " ".repeat(19);

  private final List<String> lines = new ArrayList<>();
  private int toFix;

  /** Adds a check that passed. */
  void ok(String what, String text) {
    add("ok", what, text);
  }

  /** Adds something that an operator should know and may leave as it is. */
  void note(String what, String text) {
    add("note", what, text);
  }

  /** Adds something to fix before the broker is started. */
  void fix(String what, String text) {
    toFix++;
    add("FIX", what, text);
  }

  private void add(String kind, String what, String text) {
    lines.add(String.format("%-5s %-12s %s", kind, what, text.replace("\n", NEXT_LINE)));
  }

  /** {@return the lines} */
  List<String> lines() {
    return lines;
  }

  /** {@return the number of things to fix} */
  int toFix() {
    return toFix;
  }
}
