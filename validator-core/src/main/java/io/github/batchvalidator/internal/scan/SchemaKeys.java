// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.scan;

import io.github.batchvalidator.rule.TopicRules;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The keys of the headers that serializers write schema ids into. Each has an index, and a bit that
 * follows those of {@link TopicRules#headerBit}. A header that is also required has both bits.
 */
public final class SchemaKeys {
  /** The index of Confluent's header for keys. */
  public static final int KEY = 0;

  /** The index of Confluent's header for values. */
  public static final int VALUE = 1;

  /** The distance from the index of Confluent's header to that of Apicurio's header. */
  public static final int TO_GLOBAL_ID = 2;

  private static final byte[][] KEYS = {
    bytes("__key_schema_id"),
    bytes("__value_schema_id"),
    bytes("apicurio.key.globalId"),
    bytes("apicurio.value.globalId")
  };

  static final int COUNT = KEYS.length;

  /** The number of the first bit. */
  static final int FIRST_BIT = TopicRules.MAX_HEADERS;

  private SchemaKeys() {}

  private static byte[] bytes(String key) {
    return key.getBytes(StandardCharsets.UTF_8);
  }

  /** {@return the bit of a key, or 0} */
  static long bitOf(byte[] array, int at, int length) {
    for (int i = 0; i < KEYS.length; i++) {
      byte[] key = KEYS[i];
      if (key.length == length && Arrays.equals(key, 0, length, array, at, at + length)) {
        return 1L << (FIRST_BIT + i);
      }
    }
    return 0;
  }
}
