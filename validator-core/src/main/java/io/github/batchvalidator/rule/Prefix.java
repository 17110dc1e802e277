// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rule;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that a key or value starts with, for {@link TopicRules}.
 *
 * <pre>{@code
 * Prefix.parse("json-object");  // an opening brace
 * Prefix.parse("avro");         // an Avro object container: Obj, 1
 * Prefix.parse("hex:00");       // Confluent's wire format
 * }</pre>
 *
 * <p>Immutable and safe for use by multiple threads.
 */
public final class Prefix {
  /** The maximum number of bytes. */
  public static final int MAX_BYTES = 32;

  /** The maximum number of prefixes of a rule, because each value is compared with all of them. */
  public static final int MAX_PREFIXES = 64;

  /** The texts that {@link #parse} accepts, for messages. */
  public static final String LEGAL_VALUES =
      "json-object, json-array, avro, hex: and 1 to 32 bytes in hexadecimal digits, or text: and 1"
          + " to 32 bytes";

  private static final String HEX = "hex:";
  private static final String TEXT = "text:";

  private final byte[] bytes;

  private Prefix(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Returns a prefix.
   *
   * @param bytes 1 to {@link #MAX_BYTES} bytes, which are copied
   * @return the prefix
   * @throws IllegalArgumentException if there are none or too many
   */
  public static Prefix of(byte... bytes) {
    if (bytes.length == 0 || bytes.length > MAX_BYTES) {
      throw new IllegalArgumentException("a prefix has 1 to 32 bytes, not " + bytes.length);
    }
    return new Prefix(bytes.clone());
  }

  /**
   * Returns the prefix with a name, as in a policy file.
   *
   * @param text one of {@link #LEGAL_VALUES}
   * @return the prefix, or null if the text is not legal
   */
  public static @Nullable Prefix parse(String text) {
    return switch (text) {
      case "json-object" -> of((byte) '{');
      case "json-array" -> of((byte) '[');
      case "avro" -> of((byte) 'O', (byte) 'b', (byte) 'j', (byte) 1);
      default -> parseBytes(text);
    };
  }

  private static @Nullable Prefix parseBytes(String text) {
    byte[] bytes = {};
    if (text.startsWith(TEXT)) {
      bytes = text.substring(TEXT.length()).getBytes(StandardCharsets.UTF_8);
    } else if (text.startsWith(HEX)) {
      try {
        bytes = HexFormat.of().parseHex(text, HEX.length(), text.length());
      } catch (IllegalArgumentException e) {
        return null;
      }
    }
    return bytes.length == 0 || bytes.length > MAX_BYTES ? null : new Prefix(bytes);
  }

  /** {@return the number of bytes} */
  public int length() {
    return bytes.length;
  }

  /**
   * {@return the first of some prefixes that bytes start with, or null}
   *
   * @param prefixes the prefixes
   * @param array contains the bytes
   * @param at index of the first byte
   * @param length the number of bytes, of which the first {@link #MAX_BYTES} are in the array
   */
  public static @Nullable Prefix firstMatch(
      List<Prefix> prefixes, byte[] array, int at, int length) {
    for (int i = 0; i < prefixes.size(); i++) {
      Prefix prefix = prefixes.get(i);
      if (prefix.matches(array, at, length)) {
        return prefix;
      }
    }
    return null;
  }

  /**
   * {@return true if bytes start with this prefix}
   *
   * @param array contains the bytes
   * @param at index of the first byte
   * @param length the number of bytes, of which the first {@link #MAX_BYTES} are in the array
   */
  public boolean matches(byte[] array, int at, int length) {
    if (length < bytes.length) {
      return false;
    }
    for (int i = 0; i < bytes.length; i++) {
      if (array[at + i] != bytes[i]) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Prefix prefix && Arrays.equals(bytes, prefix.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** {@return a text that {@link #parse} accepts} */
  @Override
  public String toString() {
    return HEX + HexFormat.of().formatHex(bytes);
  }
}
