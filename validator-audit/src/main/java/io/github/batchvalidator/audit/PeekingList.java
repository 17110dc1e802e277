// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import java.util.List;
import java.util.function.ToLongFunction;

/** A list in file order whose next element is known by its position. */
final class PeekingList<T> {
  private final List<T> list;
  private final ToLongFunction<T> positions;
  private int next;

  /** The position of the next element, or the largest number after the last one. */
  private long position;

  PeekingList(List<T> list, ToLongFunction<T> positions) {
    this.list = list;
    this.positions = positions;
    position = positionOf(0);
  }

  private long positionOf(int index) {
    return index < list.size() ? positions.applyAsLong(list.get(index)) : Long.MAX_VALUE;
  }

  boolean hasNext() {
    return next < list.size();
  }

  /** Returns the position of the next element, or the largest number after the last one. */
  long position() {
    return position;
  }

  T peek() {
    return list.get(next);
  }

  T next() {
    T taken = list.get(next);
    next++;
    position = positionOf(next);
    return taken;
  }
}
