// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.policy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * A reader of properties files that keeps order, repetitions and line numbers. {@link
 * Properties#load} does the parsing. It gets one line at a time, so that the number of the last
 * line is that of the entry.
 */
final class PolicyLines extends Properties {
  private static final long serialVersionUID = 1;

  private final transient List<Entry> entries = new ArrayList<>();
  private transient int line;

  /** An entry of the file, with the number of its last line. */
  record Entry(int line, String key, String value) {}

  private PolicyLines() {}

  /**
   * Reads a text.
   *
   * @throws IllegalArgumentException if it contains a malformed escape
   */
  static List<Entry> read(String text) throws IOException {
    PolicyLines lines = new PolicyLines();
    try {
      lines.load(lines.new LineByLine(text));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("line " + lines.line + ": " + e.getMessage(), e);
    }
    return lines.entries;
  }

  @Override
  public synchronized Object put(Object key, Object value) {
    entries.add(new Entry(line, String.valueOf(key), String.valueOf(value).strip()));
    return value;
  }

  /**
   * Returns at most one line per call, and a blank, which is ignored at the start of the next line.
   * Without the blank, the parser would read the next line before it ends this one.
   */
  private final class LineByLine extends Reader {
    private final BufferedReader text;
    private String rest = "";

    LineByLine(String text) {
      this.text = new BufferedReader(new StringReader(text));
    }

    @Override
    public int read(char[] to, int offset, int length) throws IOException {
      if (rest.isEmpty()) {
        String next = text.readLine();
        if (next == null) {
          return -1;
        }
        line++;
        rest = next + "\n ";
      }
      int count = Math.min(length, rest.length());
      rest.getChars(0, count, to, offset);
      rest = rest.substring(count);
      return count;
    }

    @Override
    public void close() throws IOException {
      text.close();
    }
  }
}
