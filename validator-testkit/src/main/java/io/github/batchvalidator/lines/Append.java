// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import io.github.batchvalidator.testing.BufferKind;
import java.util.Base64;

/**
 * One append: the bytes of the records, where they lie, and what the caller says beside. Nobody
 * changes the bytes: each side gets a copy.
 */
@SuppressWarnings("ArrayRecordComponent") // its owner neither changes nor compares it
public record Append(byte[] bytes, BufferKind placement, Settings settings) {
  private static final int SETTINGS_AT = 1;
  private static final String SEPARATOR = " ";

  /** Returns one line from which {@link #parse} makes the same append. */
  public String toLine() {
    return String.join(
        SEPARATOR,
        placement.name(),
        settings.toLine(),
        "b64:" + Base64.getEncoder().encodeToString(bytes));
  }

  public static Append parse(String line) {
    String[] words = line.strip().split(SEPARATOR, -1);
    return new Append(
        Base64.getDecoder().decode(words[words.length - 1].substring("b64:".length())),
        BufferKind.valueOf(words[0]),
        Settings.parse(words, SETTINGS_AT));
  }

  @Override
  public String toString() {
    return toLine();
  }
}
