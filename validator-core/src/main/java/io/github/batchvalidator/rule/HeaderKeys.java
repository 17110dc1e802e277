// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rule;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The header keys that {@link TopicRules} name. Each use of a key has a number: required headers
 * start at 0, forbidden ones follow, and headers with schema ids start at {@link #FIRST_SCHEMA}. A
 * key with two uses has two numbers, such as a header with a schema id that is also required.
 *
 * <p>Immutable and safe for use by multiple threads.
 */
public final class HeaderKeys {
  /** The maximum number of required and forbidden header keys together. */
  public static final int MAX_KEYS = 56;

  /** The maximum size of a required or forbidden header key, in bytes. */
  public static final int MAX_KEY_BYTES = 255;

  /** The number of the first header with a schema id. */
  public static final int FIRST_SCHEMA = MAX_KEYS;

  /** The index among the headers with schema ids of Confluent's header for keys. */
  public static final int KEY_SCHEMA = 0;

  /** The index among the headers with schema ids of Confluent's header for values. */
  public static final int VALUE_SCHEMA = 1;

  /** The distance from the index of Confluent's header to that of Apicurio's header. */
  public static final int TO_GLOBAL_ID = 2;

  private static final List<String> SCHEMAS =
      List.of(
          "__key_schema_id",
          "__value_schema_id",
          "apicurio.key.globalId",
          "apicurio.value.globalId");

  /** The number of headers with schema ids. */
  public static final int SCHEMA_COUNT = SCHEMAS.size();

  private final byte[][] keys;
  private final long[] bits;

  HeaderKeys(List<String> required, List<String> forbidden, boolean schemas) {
    Map<String, Long> uses = new LinkedHashMap<>();
    add(required, 0, uses);
    add(forbidden, required.size(), uses);
    if (schemas) {
      add(SCHEMAS, FIRST_SCHEMA, uses);
    }
    keys =
        uses.keySet().stream()
            .map(key -> key.getBytes(StandardCharsets.UTF_8))
            .toArray(byte[][]::new);
    bits = uses.values().stream().mapToLong(Long::longValue).toArray();
  }

  private static void add(List<String> names, int first, Map<String, Long> uses) {
    for (int i = 0; i < names.size(); i++) {
      uses.merge(names.get(i), 1L << (first + i), (one, other) -> one | other);
    }
  }

  /** {@return true if no header is named} */
  public boolean isEmpty() {
    return keys.length == 0;
  }

  /**
   * Returns all numbers of a header. Allocates nothing.
   *
   * @param array contains the key
   * @param at index of the key's first byte
   * @param length the size of the key
   * @return a bit for each number; 0 for a header that no rule names
   */
  public long bitsOf(byte[] array, int at, int length) {
    for (int i = 0; i < keys.length; i++) {
      byte[] key = keys[i];
      if (key.length == length && isEqual(key, array, at)) {
        return bits[i];
      }
    }
    return 0;
  }

  private static boolean isEqual(byte[] key, byte[] array, int at) {
    for (int i = 0; i < key.length; i++) {
      if (key[i] != array[at + i]) {
        return false;
      }
    }
    return true;
  }
}
