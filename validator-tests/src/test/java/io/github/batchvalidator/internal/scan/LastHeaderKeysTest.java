// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.batchvalidator.rule.TopicRule;
import io.github.batchvalidator.rule.TopicRules;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** A key is the same as the last one at its place exactly if all its bytes are. */
class LastHeaderKeysTest {
  private static final TopicRules NAMED =
      TopicRules.NONE.with(
          TopicRule.HEADERS_REQUIRED, List.of("a", "b", "aaaaaaaa", "aaaaaaaaaaaaaaaaa"));
  private static final int LARGEST_KEPT = 31;
  private static final int MOST_KEPT = 16;

  private final LastHeaderKeys keys = new LastHeaderKeys();

  @Property(tries = 500)
  void sameKeysHaveTheSameBytes(@ForAll long seed) {
    Random random = new Random(seed);
    keys.forget(NAMED);
    Map<Integer, byte[]> last = new HashMap<>();
    for (int i = 0; i < 200; i++) {
      int place = random.nextInt(18);
      byte[] key = last.containsKey(place) && random.nextInt(4) > 0 ? last.get(place) : key(random);
      int from = random.nextInt(10);
      int behind = random.nextInt(3) == 0 ? random.nextInt(10) : 0;
      byte[] bytes = new byte[from + key.length + behind];
      random.nextBytes(bytes);
      System.arraycopy(key, 0, bytes, from, key.length);
      int end = from + key.length;
      LastHeaderKeys fresh = new LastHeaderKeys();
      fresh.forget(NAMED);
      long bits = fresh.learn(place, bytes, from, end);
      boolean isSame = keys.isSame(place, bytes, from, end);
      boolean expected = Arrays.equals(key, last.get(place));
      boolean isReadable = bytes.length - from >= Long.BYTES;
      // A short key at the end of its array is looked up again.
      assertEquals(expected && isReadable, isSame);
      if (isSame) {
        assertEquals(key.length, keys.size(place));
        assertEquals(bits, keys.bits(place));
      } else {
        assertEquals(bits, keys.learn(place, bytes, from, end));
      }
      if (isReadable && key[0] >= 0 && key.length <= LARGEST_KEPT + 1 && place < MOST_KEPT) {
        last.put(place, key);
      }
    }
  }

  /** A key with its length field. Most keys differ in few bytes. */
  private static byte[] key(Random random) {
    int size = random.nextInt(random.nextInt(4) == 0 ? 100 : 20);
    byte[] key = new byte[size];
    Arrays.fill(key, (byte) 'a');
    if (size > 0 && random.nextBoolean()) {
      key[random.nextInt(size)] = (byte) (random.nextBoolean() ? 'b' : 0xFF);
    }
    int raw = size << 1;
    boolean isLong = raw > 127 || random.nextInt(10) == 0;
    byte[] length =
        isLong ? new byte[] {(byte) (raw | 0x80), (byte) (raw >> 7)} : new byte[] {(byte) raw};
    byte[] all = Arrays.copyOf(length, length.length + size);
    System.arraycopy(key, 0, all, length.length, size);
    return all;
  }
}
