// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.snappy;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Loops that walk one to four lanes of tags side by side, without materializing a byte. The steps
 * of one lane depend on each other; those of different lanes do not, so the processor overlaps
 * them.
 *
 * <p>A loop may end at any tag. A lane's position is always at the start of a tag, and {@link
 * Lanes} takes what the loops leave over.
 *
 * <p>The shape of the loops is deliberate: static methods, positions in local variables, everything
 * else in one small array. As instance methods, or with two variables per position, the JIT keeps
 * the positions in memory and the loops take up to twice as long.
 */
final class TagLoops {
  /** The largest number of lanes of a loop. */
  static final int MOST_LANES = 4;

  /** The length of the array of a loop: for each lane its position, its stop and its reach. */
  static final int ARGUMENTS = 3 * MOST_LANES;

  /** Index of the stop of the first lane: the loop ends at or after this stored position. */
  static final int STOPS = MOST_LANES;

  /**
   * Index of the reach of the first lane: what to add to a plain position for the bytes before it.
   */
  static final int REACHES = 2 * MOST_LANES;

  /** The plain bytes of an index entry are 1 shifted by this number. */
  static final int INDEX_SHIFT = 5;

  /** The number of tags of each lane per round. The first one is written to the index. */
  private static final int TAGS_PER_ROUND = 2;

  /** The maximum number of bytes that a loop reads after a stop. */
  static final int MARGIN_BYTES = TAGS_PER_ROUND * SnappyTags.LARGEST_STEP_BYTES + Integer.BYTES;

  private static final int TO_INDEX = Integer.SIZE + INDEX_SHIFT;

  /** The bits that {@link SnappyTags#SPECIAL} sets. */
  private static final int TO_SPECIAL = Long.SIZE - 2;

  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private TagLoops() {}

  /** {@return four bytes, of which the first is the lowest} */
  static int word(byte[] bytes, int at) {
    return (int) WORD.get(bytes, at);
  }

  /** {@return true if a copy refers to more than {@code before} plain bytes before it} */
  static boolean isBeyond(int word, int before) {
    int tag = word & 0xFF;
    int[] offset = SnappyTags.OFFSET;
    int back = ((word >>> Byte.SIZE) & offset[tag]) + offset[tag + SnappyTags.ADDENDS];
    return (back & SnappyTags.OFFSET_MASK) >= before;
  }

  /**
   * Walks lanes until one of them reaches its stop, or a tag that only {@link Lanes} can take.
   *
   * @param in contains the stored bytes of all lanes
   * @param index gets the position of one tag per round, at the entry of its plain position
   * @param x the positions, stops and reaches; gets the new positions
   * @param lanes the number of lanes
   */
  static void walk(byte[] in, long[] index, long[] x, int lanes) {
    switch (lanes) {
      case 1 -> walk1(in, index, x);
      case 2 -> walk2(in, index, x);
      case 3 -> walk3(in, index, x);
      default -> walk4(in, index, x);
    }
    for (int i = 0; i < lanes; i++) {
      x[i] &= SnappyTags.POSITION_MASK;
    }
  }

  /**
   * Walks one lane at a time, with a stop that may be as near to the end as the word of a tag. A
   * literal may lead beyond the stop and beyond the end.
   *
   * @param in contains the stored bytes of the lane
   * @param index gets the position of every tag
   * @param from the position of the lane
   * @param stop the stored position to stop at; three more bytes are in the block
   * @param reach the reach of the lane
   * @return the new position
   */
  static long walkTail(byte[] in, long[] index, long from, int stop, int reach) {
    long[] step = SnappyTags.STEP;
    long a = from;
    while ((int) a < stop && a >>> TO_SPECIAL == 0) {
      int word = word(in, (int) a);
      if (isBeyond(word, (int) (a >>> Integer.SIZE) + reach)) {
        break;
      }
      index[(int) (a >>> TO_INDEX)] = a;
      a += step[word & 0xFF];
    }
    return a & SnappyTags.POSITION_MASK;
  }

  private static void walk1(byte[] in, long[] index, long[] x) {
    long[] step = SnappyTags.STEP;
    long a = x[0];
    int stopA = (int) x[STOPS];
    int reachA = (int) x[REACHES];
    while ((int) a < stopA && a >>> TO_SPECIAL == 0) {
      index[(int) (a >>> TO_INDEX)] = a;
      int wordA = word(in, (int) a);
      if (isBeyond(wordA, (int) (a >>> Integer.SIZE) + reachA)) {
        break;
      }
      a += step[wordA & 0xFF];
      wordA = word(in, (int) a);
      if (isBeyond(wordA, (int) (a >>> Integer.SIZE) + reachA)) {
        break;
      }
      a += step[wordA & 0xFF];
    }
    x[0] = a;
  }

  private static void walk2(byte[] in, long[] index, long[] x) {
    long[] step = SnappyTags.STEP;
    long a = x[0];
    long b = x[1];
    int stopA = (int) x[STOPS];
    int stopB = (int) x[STOPS + 1];
    int reachA = (int) x[REACHES];
    int reachB = (int) x[REACHES + 1];
    while ((int) a < stopA && (int) b < stopB && (a | b) >>> TO_SPECIAL == 0) {
      index[(int) (a >>> TO_INDEX)] = a;
      index[(int) (b >>> TO_INDEX)] = b;
      int wordA = word(in, (int) a);
      if (isBeyond(wordA, (int) (a >>> Integer.SIZE) + reachA)) {
        break;
      }
      a += step[wordA & 0xFF];
      int wordB = word(in, (int) b);
      if (isBeyond(wordB, (int) (b >>> Integer.SIZE) + reachB)) {
        break;
      }
      b += step[wordB & 0xFF];
      wordA = word(in, (int) a);
      if (isBeyond(wordA, (int) (a >>> Integer.SIZE) + reachA)) {
        break;
      }
      a += step[wordA & 0xFF];
      wordB = word(in, (int) b);
      if (isBeyond(wordB, (int) (b >>> Integer.SIZE) + reachB)) {
        break;
      }
      b += step[wordB & 0xFF];
    }
    x[0] = a;
    x[1] = b;
  }

  @SuppressWarnings("checkstyle:MethodLength")
  private static void walk3(byte[] in, long[] index, long[] x) {
    long[] step = SnappyTags.STEP;
    long a = x[0];
    long b = x[1];
    long c = x[2];
    int stopA = (int) x[STOPS];
    int stopB = (int) x[STOPS + 1];
    int stopC = (int) x[STOPS + 2];
    int reachA = (int) x[REACHES];
    int reachB = (int) x[REACHES + 1];
    int reachC = (int) x[REACHES + 2];
    while ((int) a < stopA
        && (int) b < stopB
        && (int) c < stopC
        && (a | b | c) >>> TO_SPECIAL == 0) {
      index[(int) (a >>> TO_INDEX)] = a;
      index[(int) (b >>> TO_INDEX)] = b;
      index[(int) (c >>> TO_INDEX)] = c;
      int wordA = word(in, (int) a);
      if (isBeyond(wordA, (int) (a >>> Integer.SIZE) + reachA)) {
        break;
      }
      a += step[wordA & 0xFF];
      int wordB = word(in, (int) b);
      if (isBeyond(wordB, (int) (b >>> Integer.SIZE) + reachB)) {
        break;
      }
      b += step[wordB & 0xFF];
      int wordC = word(in, (int) c);
      if (isBeyond(wordC, (int) (c >>> Integer.SIZE) + reachC)) {
        break;
      }
      c += step[wordC & 0xFF];
      wordA = word(in, (int) a);
      if (isBeyond(wordA, (int) (a >>> Integer.SIZE) + reachA)) {
        break;
      }
      a += step[wordA & 0xFF];
      wordB = word(in, (int) b);
      if (isBeyond(wordB, (int) (b >>> Integer.SIZE) + reachB)) {
        break;
      }
      b += step[wordB & 0xFF];
      wordC = word(in, (int) c);
      if (isBeyond(wordC, (int) (c >>> Integer.SIZE) + reachC)) {
        break;
      }
      c += step[wordC & 0xFF];
    }
    x[0] = a;
    x[1] = b;
    x[2] = c;
  }

  @SuppressWarnings("checkstyle:MethodLength")
  private static void walk4(byte[] in, long[] index, long[] x) {
    long[] step = SnappyTags.STEP;
    long a = x[0];
    long b = x[1];
    long c = x[2];
    long d = x[3];
    int stopA = (int) x[STOPS];
    int stopB = (int) x[STOPS + 1];
    int stopC = (int) x[STOPS + 2];
    int stopD = (int) x[STOPS + 3];
    int reachA = (int) x[REACHES];
    int reachB = (int) x[REACHES + 1];
    int reachC = (int) x[REACHES + 2];
    int reachD = (int) x[REACHES + 3];
    while ((int) a < stopA
        && (int) b < stopB
        && (int) c < stopC
        && (int) d < stopD
        && (a | b | c | d) >>> TO_SPECIAL == 0) {
      index[(int) (a >>> TO_INDEX)] = a;
      index[(int) (b >>> TO_INDEX)] = b;
      index[(int) (c >>> TO_INDEX)] = c;
      index[(int) (d >>> TO_INDEX)] = d;
      int wordA = word(in, (int) a);
      if (isBeyond(wordA, (int) (a >>> Integer.SIZE) + reachA)) {
        break;
      }
      a += step[wordA & 0xFF];
      int wordB = word(in, (int) b);
      if (isBeyond(wordB, (int) (b >>> Integer.SIZE) + reachB)) {
        break;
      }
      b += step[wordB & 0xFF];
      int wordC = word(in, (int) c);
      if (isBeyond(wordC, (int) (c >>> Integer.SIZE) + reachC)) {
        break;
      }
      c += step[wordC & 0xFF];
      int wordD = word(in, (int) d);
      if (isBeyond(wordD, (int) (d >>> Integer.SIZE) + reachD)) {
        break;
      }
      d += step[wordD & 0xFF];
      wordA = word(in, (int) a);
      if (isBeyond(wordA, (int) (a >>> Integer.SIZE) + reachA)) {
        break;
      }
      a += step[wordA & 0xFF];
      wordB = word(in, (int) b);
      if (isBeyond(wordB, (int) (b >>> Integer.SIZE) + reachB)) {
        break;
      }
      b += step[wordB & 0xFF];
      wordC = word(in, (int) c);
      if (isBeyond(wordC, (int) (c >>> Integer.SIZE) + reachC)) {
        break;
      }
      c += step[wordC & 0xFF];
      wordD = word(in, (int) d);
      if (isBeyond(wordD, (int) (d >>> Integer.SIZE) + reachD)) {
        break;
      }
      d += step[wordD & 0xFF];
    }
    x[0] = a;
    x[1] = b;
    x[2] = c;
    x[3] = d;
  }
}
