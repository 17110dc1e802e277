// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.policy;

import io.github.batchvalidator.rule.SchemaIds;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A parser of schema ids, of a policy file or of a file with one entry per line. */
final class SchemaIdParser {
  /** The text for all ids. */
  static final String ANY = "any";

  private static final String GLOBAL = "global:";
  private static final int GUID_CHARS = 36;
  private static final Pattern RANGE = Pattern.compile("([0-9]{1,19})(?:\\s*-\\s*([0-9]{1,19}))?");
  private static final Pattern GUID =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

  private final SchemaIds.Builder ids = SchemaIds.builder();

  SchemaIdParser() {}

  /**
   * Adds an entry.
   *
   * @return false if it is not legal
   */
  boolean add(String text) {
    if (text.length() == GUID_CHARS && GUID.matcher(text).matches()) {
      ids.guid(UUID.fromString(text));
      return true;
    }
    boolean global = text.startsWith(GLOBAL);
    Matcher range = RANGE.matcher(global ? text.substring(GLOBAL.length()) : text);
    if (!range.matches()) {
      return false;
    }
    try {
      long first = Long.parseLong(range.group(1));
      long last = range.group(2) == null ? first : Long.parseLong(range.group(2));
      if (global) {
        ids.globalIds(first, last);
      } else {
        ids.ids(first, last);
      }
      return true;
    } catch (IllegalArgumentException e) { // no number of 8 bytes, or no range of such ids
      return false;
    }
  }

  boolean isEmpty() {
    return ids.entries() == 0;
  }

  SchemaIds ids() {
    return ids.build();
  }
}
