// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rule;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The header keys that {@link TopicRules} name. Each has a number: required headers start at 0,
 * forbidden ones follow, and headers with schema ids start at {@link #FIRST_SCHEMA}.
 *
 * <p>Immutable and safe for use by multiple threads.
 */
public final class HeaderKeys {
  /** The maximum number of required and forbidden header keys together. */
  public static final int MAX_KEYS = 56;

  /** The maximum size of a required or forbidden header key, in bytes. */
  public static final int MAX_KEY_BYTES = 255;

  /** Result of {@link #numberOf} for a header that no rule names. */
  public static final int UNNAMED = -1;

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
  private final int[] numbers;

  HeaderKeys(List<String> required, List<String> forbidden, boolean schemas) {
    List<byte[]> all = new ArrayList<>();
    List<Integer> numbered = new ArrayList<>();
    add(required, 0, all, numbered);
    add(forbidden, required.size(), all, numbered);
    if (schemas) {
      add(SCHEMAS, FIRST_SCHEMA, all, numbered);
    }
    keys = all.toArray(byte[][]::new);
    numbers = numbered.stream().mapToInt(Integer::intValue).toArray();
  }

  private static void add(List<String> names, int first, List<byte[]> keys, List<Integer> numbers) {
    for (int i = 0; i < names.size(); i++) {
      keys.add(names.get(i).getBytes(StandardCharsets.UTF_8));
      numbers.add(first + i);
    }
  }

  /** {@return true if no header is named} */
  public boolean isEmpty() {
    return keys.length == 0;
  }

  /**
   * Returns the number of a header. Allocates nothing.
   *
   * @param array contains the key
   * @param at index of the key's first byte
   * @param length the size of the key
   * @return the number, below 64, or {@link #UNNAMED}
   */
  public int numberOf(byte[] array, int at, int length) {
    for (int i = 0; i < keys.length; i++) {
      byte[] key = keys[i];
      if (key.length == length && isEqual(key, array, at)) {
        return numbers[i];
      }
    }
    return UNNAMED;
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
