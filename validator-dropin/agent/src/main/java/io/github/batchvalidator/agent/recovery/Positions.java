// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.recovery;

import java.util.Arrays;

/** A list of positions in a segment. Not thread-safe. */
final class Positions {
  private int[] values = new int[64];
  private int size;

  void add(int position) {
    if (size == values.length) {
      values = Arrays.copyOf(values, 2 * size);
    }
    values[size++] = position;
  }

  int get(int i) {
    return values[i];
  }

  int size() {
    return size;
  }

  void clear() {
    size = 0;
  }

  /** {@return the positions, ascending, each of them once} */
  int[] sortedDistinct() {
    int[] sorted = Arrays.copyOf(values, size);
    Arrays.sort(sorted);
    int distinct = 0;
    for (int i = 0; i < sorted.length; i++) {
      if (i == 0 || sorted[i] != sorted[i - 1]) {
        sorted[distinct++] = sorted[i];
      }
    }
    return Arrays.copyOf(sorted, distinct);
  }
}
