// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.verdict;

import io.github.batchvalidator.rule.Reason;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * The records of one batch that failed rules of their own: how many, and the first ones. Part of a
 * {@link MutableVerdict}. Allocates when created, and when more are remembered than ever before.
 */
final class FailedRecords {
  /** Room for so many is there from the start. */
  private static final int FIRST_ROOM = 16;

  /** What one takes: a reference, a number and three long ones. */
  private static final long ROOM_BYTES = 2 * Integer.BYTES + 3 * Long.BYTES;

  private final int most;
  private Reason[] reasons;
  private int[] indexes;
  private long[] plainPositions;
  private long[] firsts;
  private long[] seconds;
  private int total;
  private int lastIndex;

  /** Creates an empty list that remembers at most so many. */
  FailedRecords(int most) {
    int room = Math.min(most, FIRST_ROOM);
    this.most = most;
    reasons = new Reason[room];
    indexes = new int[room];
    plainPositions = new long[room];
    firsts = new long[room];
    seconds = new long[room];
  }

  long heapBytes() {
    return reasons.length * ROOM_BYTES;
  }

  void reset() {
    total = 0;
  }

  int total() {
    return total;
  }

  int count() {
    return Math.min(total, most);
  }

  Reason reason(int i) {
    return reasons[Objects.checkIndex(i, count())];
  }

  int index(int i) {
    return indexes[Objects.checkIndex(i, count())];
  }

  long plainPosition(int i) {
    return plainPositions[Objects.checkIndex(i, count())];
  }

  String describe(int i) {
    return reason(i).describe(firsts[i], seconds[i]);
  }

  /** Returns all sentences: one builder makes them, and equal neighbors are the same string. */
  List<String> describe() {
    String[] sentences = new String[count()];
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < sentences.length; i++) {
      if (i > 0 && repeats(i)) {
        sentences[i] = sentences[i - 1];
      } else {
        text.setLength(0);
        reasons[i].describe(firsts[i], seconds[i], text);
        sentences[i] = text.toString();
      }
    }
    return Arrays.asList(sentences);
  }

  private boolean repeats(int i) {
    return reasons[i] == reasons[i - 1]
        && firsts[i] == firsts[i - 1]
        && seconds[i] == seconds[i - 1];
  }

  void add(Reason why, int index, long plainAt, long first, long second) {
    int slot = total++;
    lastIndex = index;
    if (slot < most) {
      makeRoom(slot);
      reasons[slot] = why;
      indexes[slot] = index;
      plainPositions[slot] = plainAt;
      firsts[slot] = first;
      seconds[slot] = second;
    }
  }

  private void makeRoom(int slot) {
    if (slot == reasons.length) {
      int room = (int) Math.min(most, 2L * slot);
      indexes = Arrays.copyOf(indexes, room);
      plainPositions = Arrays.copyOf(plainPositions, room);
      firsts = Arrays.copyOf(firsts, room);
      seconds = Arrays.copyOf(seconds, room);
      // The last one, because its length says that all have grown: memory may run out before.
      reasons = Arrays.copyOf(reasons, room);
    }
  }

  /** Forgets the last one if it is the record of that index. */
  void forget(int index) {
    if (total > 0 && lastIndex == index) {
      total--;
    }
  }
}
