// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.verdict;

import io.github.batchvalidator.rule.Reason;
import java.util.Arrays;
import java.util.Objects;

/**
 * A list of the records of one batch that failed a rule for single records: their total, and the
 * first of them. Part of a {@link MutableVerdict}. Allocates when created, and when more records
 * are remembered than ever before.
 */
public final class FailedRecords {
  /** The largest initial capacity. */
  private static final int FIRST_ROOM = 16;

  /** The heap bytes per record: a reference, three ints and four longs. */
  private static final long ROOM_BYTES = 4 * Integer.BYTES + 4 * Long.BYTES;

  private final int most;
  private Reason[] reasons;
  private int[] indexes;
  private long[] plainPositions;
  private long[] firsts;
  private long[] seconds;
  private long[] offsets;
  private int[] keySizes;
  private int[] valueSizes;
  private long baseOffset;
  private int total;
  private int lastIndex;

  /** Creates an empty list that remembers at most {@code most} records. */
  FailedRecords(int most) {
    int room = Math.min(most, FIRST_ROOM);
    this.most = most;
    reasons = new Reason[room];
    indexes = new int[room];
    plainPositions = new long[room];
    firsts = new long[room];
    seconds = new long[room];
    offsets = new long[room];
    keySizes = new int[room];
    valueSizes = new int[room];
  }

  long heapBytes() {
    return reasons.length * ROOM_BYTES;
  }

  void reset() {
    total = 0;
    baseOffset = 0;
  }

  /** {@return how many records failed; may exceed {@link #count()}} */
  public int total() {
    return total;
  }

  /** {@return how many records are remembered} */
  public int count() {
    return Math.min(total, most);
  }

  /**
   * {@return why the i-th record failed}
   *
   * @param i below {@link #count()}
   */
  public Reason reason(int i) {
    return reasons[Objects.checkIndex(i, count())];
  }

  /**
   * {@return the index in the batch of the i-th record}
   *
   * @param i below {@link #count()}
   */
  public int index(int i) {
    return indexes[Objects.checkIndex(i, count())];
  }

  long plainPosition(int i) {
    return plainPositions[Objects.checkIndex(i, count())];
  }

  /**
   * {@return the first operand of the i-th record}
   *
   * @param i below {@link #count()}
   */
  public long first(int i) {
    return firsts[Objects.checkIndex(i, count())];
  }

  /**
   * {@return the second operand of the i-th record}
   *
   * @param i below {@link #count()}
   */
  public long second(int i) {
    return seconds[Objects.checkIndex(i, count())];
  }

  /**
   * {@return the offset that the producer gave the i-th record}
   *
   * @param i below {@link #count()}
   */
  public long offset(int i) {
    return baseOffset + offsets[Objects.checkIndex(i, count())];
  }

  /**
   * {@return the key size of the i-th record, negative for null; 0 for magic 0 and 1}
   *
   * @param i below {@link #count()}
   */
  public int keySize(int i) {
    return keySizes[Objects.checkIndex(i, count())];
  }

  /**
   * {@return the value size of the i-th record, negative for null; 0 for magic 0 and 1}
   *
   * @param i below {@link #count()}
   */
  public int valueSize(int i) {
    return valueSizes[Objects.checkIndex(i, count())];
  }

  void add(Reason why, int index, long plainAt, long first, long second) {
    int slot = total;
    if (slot < most) {
      makeRoom(slot); // first: without memory for it, the record is not counted
      reasons[slot] = why;
      indexes[slot] = index;
      plainPositions[slot] = plainAt;
      firsts[slot] = first;
      seconds[slot] = second;
      offsets[slot] = 0;
      keySizes[slot] = 0;
      valueSizes[slot] = 0;
    }
    total = slot + 1;
    lastIndex = index;
  }

  /**
   * Completes the last record with fields that its rule does not check.
   *
   * @param offset relative to {@link #baseOffset}
   * @param keySize in bytes, negative for null
   * @param valueSize in bytes, negative for null
   */
  public void complete(long offset, int keySize, int valueSize) {
    int slot = total - 1;
    if (slot < most) {
      offsets[slot] = offset;
      keySizes[slot] = keySize;
      valueSizes[slot] = valueSize;
    }
  }

  /**
   * Sets the base of the offsets of all records.
   *
   * @param offset of the batch
   */
  public void baseOffset(long offset) {
    baseOffset = offset;
  }

  private void makeRoom(int slot) {
    if (slot == reasons.length) {
      int room = (int) Math.min(most, 2L * slot);
      indexes = Arrays.copyOf(indexes, room);
      plainPositions = Arrays.copyOf(plainPositions, room);
      firsts = Arrays.copyOf(firsts, room);
      seconds = Arrays.copyOf(seconds, room);
      offsets = Arrays.copyOf(offsets, room);
      keySizes = Arrays.copyOf(keySizes, room);
      valueSizes = Arrays.copyOf(valueSizes, room);
      // Last, because its length means that all arrays have grown. Any copy may run out of memory.
      reasons = Arrays.copyOf(reasons, room);
    }
  }

  /** {@return true if the last record has this index} */
  boolean isLast(int index) {
    return total > 0 && lastIndex == index;
  }

  /** Forgets the last record if it has this index. */
  void forget(int index) {
    if (isLast(index)) {
      total--;
    }
  }
}
