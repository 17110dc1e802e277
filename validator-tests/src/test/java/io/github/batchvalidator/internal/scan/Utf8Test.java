// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Accepts exactly what the JDK's decoder accepts as UTF-8, in one piece or in several. */
final class Utf8Test {
  /** Both sides of every bound that the format has for a byte. */
  private static final int[] BOUNDS = {
    0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED,
    0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF
  };

  private static final int MOST_BYTES = 4;

  private final CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
  private final CharBuffer chars = CharBuffer.allocate(32);
  private int wellFormed;

  private boolean isUtf8(byte[] text) {
    ByteBuffer in = ByteBuffer.wrap(text);
    return !decoder.reset().decode(in, chars.clear(), true).isError();
  }

  @Test
  void everyTextOfBytesAtTheBounds() {
    for (int length = 0; length <= MOST_BYTES; length++) {
      compareAll(new byte[length], 0);
    }
    assertTrue(wellFormed > BOUNDS.length, () -> wellFormed + " texts");
  }

  private void compareAll(byte[] text, int at) {
    if (at == text.length) {
      compare(text);
      return;
    }
    for (int bound : BOUNDS) {
      text[at] = (byte) bound;
      compareAll(text, at + 1);
    }
  }

  private void compare(byte[] text) {
    boolean expected = isUtf8(text);
    wellFormed += expected ? 1 : 0;
    assertEquals(
        expected, Utf8.isWellFormed(text, 0, text.length), () -> HexFormat.of().formatHex(text));
    for (int cut = 0; cut < text.length; cut++) {
      int from = cut;
      int state = Utf8.advance(Utf8.WELL_FORMED, text, 0, from);
      state = Utf8.advance(state, text, from, text.length);
      assertEquals(
          expected,
          state == Utf8.WELL_FORMED,
          () -> HexFormat.of().formatHex(text) + " cut at " + from);
    }
  }

  /** Plain text is looked at eight bytes at once, and what is left of it byte by byte. */
  @Test
  void oneByteOfALongerTextDecides() {
    for (int length = 1; length <= 3 * Long.BYTES; length++) {
      byte[] text = new byte[length + 2];
      Arrays.fill(text, (byte) 0x80);
      Arrays.fill(text, 1, length + 1, (byte) 'a');
      assertTrue(Utf8.isWellFormed(text, 1, length + 1), length + " bytes");
      for (int at = 1; at <= length; at++) {
        text[at] = (byte) 0x80;
        assertFalse(Utf8.isWellFormed(text, 1, length + 1), at + " of " + length);
        text[at] = 'a';
      }
    }
  }
}
