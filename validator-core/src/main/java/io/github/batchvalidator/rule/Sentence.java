// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rule;

/**
 * A sentence with up to two numbers, written as a template of {@link String#format}: {@code %d}, or
 * {@code %08x} with any one-digit width. The template is split once, because {@code String.format}
 * is slow and allocates. Immutable.
 */
final class Sentence {
  private static final int HEX_DIGIT_BITS = 4;

  private final String template;

  /** The text before the first number, and the text after each number. */
  private final String[] pieces;

  /** The minimum number of hexadecimal digits of each number; 0 for a decimal number. */
  private final int[] widths;

  /**
   * Splits a template.
   *
   * @param template a text with at most two numbers and no other percent signs
   */
  Sentence(String template) {
    this.template = template;
    pieces = template.split("%", -1);
    widths = new int[pieces.length - 1];
    for (int i = 0; i < widths.length; i++) {
      String piece = pieces[i + 1];
      boolean decimal = piece.charAt(0) == 'd';
      widths[i] = decimal ? 0 : Character.digit(piece.charAt(1), 10);
      pieces[i + 1] = piece.substring(decimal ? 1 : "08x".length());
    }
  }

  /** Returns the text. A sentence without numbers always returns the same string. */
  String text(long first, long second) {
    if (widths.length == 0) {
      return template;
    }
    StringBuilder text = new StringBuilder(2 * template.length());
    append(first, second, text);
    return text.toString();
  }

  /** Appends the text. Allocates only when the builder grows. */
  void append(long first, long second, StringBuilder text) {
    text.append(pieces[0]);
    for (int i = 0; i < widths.length; i++) {
      append(i == 0 ? first : second, widths[i], text);
      text.append(pieces[i + 1]);
    }
  }

  private static void append(long number, int width, StringBuilder text) {
    if (width == 0) {
      text.append(number);
      return;
    }
    int bits = Long.SIZE - Long.numberOfLeadingZeros(number);
    int digits = Math.max(width, (bits + HEX_DIGIT_BITS - 1) / HEX_DIGIT_BITS);
    for (int shift = HEX_DIGIT_BITS * (digits - 1); shift >= 0; shift -= HEX_DIGIT_BITS) {
      text.append(Character.forDigit((int) (number >>> shift) & 0xf, 16));
    }
  }

  /** Returns the template. */
  @Override
  public String toString() {
    return template;
  }
}
