// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.policy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.function.Predicate;

/**
 * A reader of properties files that keeps order, repetitions and line numbers. {@link
 * Properties#load} does the parsing. It gets one line at a time, so that the number of the last
 * line is that of the entry.
 */
final class PolicyLines extends Properties {
  private static final long serialVersionUID = 1;

  private final transient Predicate<Entry> receiver;
  private transient boolean stopped;
  private transient int line;

  /** An entry of the file, with the number of its last line. */
  record Entry(int line, String key, String value) {
    /** {@return the parts of the value between commas, without empty ones} */
    List<String> list() {
      return Arrays.stream(value.split(",", -1))
          .map(String::strip)
          .filter(text -> !text.isEmpty())
          .toList();
    }
  }

  private PolicyLines(Predicate<Entry> receiver) {
    this.receiver = receiver;
  }

  /**
   * Reads a text. Keeps no entry, because a text may have millions.
   *
   * @param text is not closed
   * @param receiver gets each entry, and returns false to end the reading
   * @throws IllegalArgumentException if the text contains a malformed escape
   */
  static void read(BufferedReader text, Predicate<Entry> receiver) throws IOException {
    PolicyLines lines = new PolicyLines(receiver);
    try {
      lines.load(lines.new LineByLine(text));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("line " + lines.line + ": " + e.getMessage(), e);
    }
  }

  @Override
  public synchronized Object put(Object key, Object value) {
    stopped =
        stopped
            || !receiver.test(new Entry(line, String.valueOf(key), String.valueOf(value).strip()));
    return value;
  }

  /**
   * Returns at most one line per call, and a blank, which is ignored at the start of the next line.
   * Without the blank, the parser would read the next line before it ends this one.
   */
  private final class LineByLine extends Reader {
    private final BufferedReader text;
    private String current = "";
    private int at;

    LineByLine(BufferedReader text) {
      this.text = text;
    }

    @Override
    public int read(char[] to, int offset, int length) throws IOException {
      if (at == current.length()) {
        String next = stopped ? null : text.readLine();
        if (next == null) {
          return -1;
        }
        line++;
        current = next + "\n ";
        at = 0;
      }
      int count = Math.min(length, current.length() - at);
      current.getChars(at, at + count, to, offset);
      at += count;
      return count;
    }

    @Override
    public void close() throws IOException {
      text.close();
    }
  }
}
