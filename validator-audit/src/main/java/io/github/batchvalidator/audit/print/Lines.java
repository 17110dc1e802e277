// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.print;

import io.github.batchvalidator.audit.report.Messages;
import java.io.PrintWriter;

/** A printer of lines that fit a terminal of 80 columns. */
public final class Lines {
  private static final int COLUMNS = 80;
  private static final String INDENT = "  ";

  private final PrintWriter out;
  private long count;

  public Lines(PrintWriter out) {
    this.out = out;
  }

  /** Prints a line as it is, which may contain escape sequences. */
  void line(String text) {
    out.println(text.replace(Wording.FIXED_SPACE, ' '));
    count++;
  }

  /** Prints an empty line, unless it would be the first one. */
  void gap() {
    if (count > 0) {
      line("");
    }
  }

  /**
   * Prints a text in lines that break between words. All lines after the first one are indented by
   * one level more.
   *
   * @param level the number of levels to indent the first line by
   * @param text the text; unprintable characters are replaced
   */
  public void wrapped(int level, String text) {
    String next = INDENT.repeat(level + 1);
    StringBuilder current = new StringBuilder(INDENT.repeat(level));
    boolean isEmpty = true;
    for (String word : Messages.printable(text).split(" ", -1)) {
      if (!isEmpty && current.length() + 1 + word.length() > COLUMNS) {
        line(current.toString());
        current.setLength(0);
        current.append(next);
        isEmpty = true;
      }
      current.append(isEmpty ? "" : " ").append(word);
      isEmpty = false;
    }
    line(current.toString());
  }

  /** Returns the number of lines so far. */
  long count() {
    return count;
  }

  void flush() {
    out.flush();
  }
}
