// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

/** Writes one JSON object on one line, members in the order in which they are put. */
final class JsonLine {
  private final StringBuilder text = new StringBuilder();
  private boolean first = true;

  /** Starts an object of a type. */
  JsonLine(String type) {
    text.append('{');
    put("type", type);
  }

  JsonLine put(String name, String value) {
    name(name);
    quote(value);
    return this;
  }

  JsonLine put(String name, long value) {
    name(name);
    text.append(value);
    return this;
  }

  JsonLine put(String name, boolean value) {
    name(name);
    text.append(value);
    return this;
  }

  /** Puts a number, or null for {@link Fault#UNKNOWN}. */
  JsonLine putKnown(String name, long value) {
    name(name);
    if (value == Fault.UNKNOWN) {
      text.append("null");
    } else {
      text.append(value);
    }
    return this;
  }

  /** Puts a number with three decimals. */
  JsonLine putThousandths(String name, double value) {
    name(name);
    text.append(Math.round(value * 1000) / 1000.0);
    return this;
  }

  /** Starts an object within the object. */
  JsonLine open(String name) {
    name(name);
    text.append('{');
    first = true;
    return this;
  }

  /** Ends the inner object. */
  JsonLine close() {
    text.append('}');
    first = false;
    return this;
  }

  /** Ends the object and returns it. */
  String end() {
    return text.append('}').toString();
  }

  private void name(String name) {
    if (!first) {
      text.append(',');
    }
    first = false;
    quote(name);
    text.append(':');
  }

  private void quote(String value) {
    text.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (c < ' ' || c == '\u007f' || isLone(value, i)) {
        text.append(String.format("\\u%04x", (int) c));
      } else {
        text.append(c);
      }
    }
    text.append('"');
  }

  /** Returns true for half a surrogate pair, which UTF-8 cannot express. */
  private static boolean isLone(String value, int i) {
    char c = value.charAt(i);
    if (Character.isHighSurrogate(c)) {
      return i + 1 == value.length() || !Character.isLowSurrogate(value.charAt(i + 1));
    }
    return Character.isLowSurrogate(c)
        && (i == 0 || !Character.isHighSurrogate(value.charAt(i - 1)));
  }
}
