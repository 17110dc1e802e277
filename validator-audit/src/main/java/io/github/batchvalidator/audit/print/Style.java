// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.print;

/** Colors of a terminal, or none. */
public enum Style {
  /** Plain text, for files, pipes and readers who set {@code NO_COLOR}. */
  PLAIN,
  /** Text with ANSI escape sequences. */
  COLOR;

  private static final String RED = "\u001b[1;31m";
  private static final String GREEN = "\u001b[32m";
  private static final String YELLOW = "\u001b[33m";
  private static final String BOLD = "\u001b[1m";
  private static final String RESET = "\u001b[0m";

  /** Returns the style of a terminal, by the convention of no-color.org. */
  public static Style of(boolean terminal) {
    String noColor = System.getenv("NO_COLOR");
    boolean isWanted = noColor == null || noColor.isEmpty();
    return terminal && isWanted && !"dumb".equals(System.getenv("TERM")) ? COLOR : PLAIN;
  }

  /** Returns a text for something wrong. */
  String bad(String text) {
    return with(RED, text);
  }

  /** Returns a text for something that deserves a look. */
  String odd(String text) {
    return with(YELLOW, text);
  }

  /** Returns a text for something right. */
  String good(String text) {
    return with(GREEN, text);
  }

  /** Returns a heading. */
  String strong(String text) {
    return with(BOLD, text);
  }

  private String with(String color, String text) {
    return this == PLAIN ? text : color + text + RESET;
  }
}
