// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.print;

import java.util.Arrays;

/**
 * The number of different names among many. It keeps a hash of 64 bits for each name, so it takes
 * at most 32 bytes a name. Among a million names, the chance that two share a hash is 1 to 37
 * million.
 */
final class NameSet {
  private static final int START_SLOTS = 16;

  /** From SplitMix64. */
  private static final long MULTIPLIER = 0xBF58476D1CE4E5B9L;

  private static final int SHIFT = 31;

  /** An open hash table of which at most half is used. A slot of 0 is free. */
  private long[] slots = new long[START_SLOTS];

  private int size;

  /** Adds a name. */
  void add(String name) {
    if (2 * size >= slots.length) {
      long[] old = slots;
      slots = new long[2 * old.length];
      Arrays.stream(old).filter(hash -> hash != 0).forEach(this::put);
    }
    if (put(hash(name))) {
      size++;
    }
  }

  private boolean put(long hash) {
    int at = (int) hash & (slots.length - 1);
    while (slots[at] != 0 && slots[at] != hash) {
      at = (at + 1) & (slots.length - 1);
    }
    boolean isNew = slots[at] == 0;
    slots[at] = hash;
    return isNew;
  }

  private static long hash(String name) {
    long hash = name.length();
    for (int i = 0; i < name.length(); i++) {
      hash = (hash ^ name.charAt(i)) * MULTIPLIER;
      hash ^= hash >>> SHIFT;
    }
    return hash == 0 ? 1 : hash;
  }

  /** Returns the number of different names. */
  int size() {
    return size;
  }
}
