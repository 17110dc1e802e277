// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import java.util.List;
import java.util.function.ToLongFunction;

/** A list in file order whose next element is known by its position. */
final class PeekingList<T> {
  private final List<T> list;
  private final ToLongFunction<T> positions;
  private int next;

  PeekingList(List<T> list, ToLongFunction<T> positions) {
    this.list = list;
    this.positions = positions;
  }

  boolean hasNext() {
    return next < list.size();
  }

  /** Returns the position of the next element, or the largest number after the last one. */
  long position() {
    return hasNext() ? positions.applyAsLong(list.get(next)) : Long.MAX_VALUE;
  }

  T peek() {
    return list.get(next);
  }

  T next() {
    return list.get(next++);
  }
}
