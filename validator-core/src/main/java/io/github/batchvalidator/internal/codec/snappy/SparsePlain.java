// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.snappy;

import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.codec.SparseWindow;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The plain bytes of a group of blocks whose tags were walked. Only requested bytes are
 * materialized, together with the bytes that they are copied from. A bitmap with one bit per plain
 * byte tells which bytes are there.
 *
 * <p>The blocks start at a fixed index. The bytes before it can hold the last bytes of the previous
 * group.
 *
 * <p>Never allocates after its creation, never throws. Confined to one thread.
 */
final class SparsePlain {
  /** The index of the first byte of the first block. */
  static final int BLOCKS_AT = SparseWindow.MOST_BYTES;

  /** The largest number of bytes that are materialized at a time. */
  private static final int MOST_BYTES = Long.SIZE;

  /** Copies of copies are followed no deeper. */
  private static final int MOST_DEPTH = 60;

  /** Room for copies by words and for readers of words. */
  private static final int SLACK_BYTES = MOST_BYTES + Long.BYTES;

  private static final int ARRAY_BYTES = BLOCKS_AT + Lanes.BLOCKS * Lanes.BLOCK_BYTES + SLACK_BYTES;

  private static final int BITMAP_LONGS = (ARRAY_BYTES + Long.SIZE - 1) / Long.SIZE + 1;

  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final Lanes lanes;
  private final GuessedLanes guesses;
  private final byte[] plain = new byte[ARRAY_BYTES];
  private final long[] present = new long[BITMAP_LONGS];

  /** The index of the first byte of each block, and after them the index after the last byte. */
  private final int[] blockAt = new int[Lanes.BLOCKS + 1];

  private int blocks;

  /** Index after all bytes that were materialized on request; copies by words may exceed it. */
  private int frontier;

  private int budget;

  SparsePlain(Lanes lanes, GuessedLanes guesses) {
    this.lanes = lanes;
    this.guesses = guesses;
    blockAt[0] = BLOCKS_AT;
  }

  /** {@return the heap bytes of the arrays} */
  static int heapBytes() {
    return ARRAY_BYTES + BITMAP_LONGS * Long.BYTES;
  }

  byte[] array() {
    return plain;
  }

  /** Starts a batch with a number of pieces that may be materialized. */
  void budget(int pieces) {
    budget = pieces;
  }

  /** {@return the index after the last byte of the group} */
  int end() {
    return blockAt[blocks];
  }

  /**
   * Starts a group and keeps bytes of the previous one.
   *
   * @param keep the number of bytes to keep from the end of the previous group, all materialized
   */
  void startGroup(int keep) {
    int end = end();
    System.arraycopy(plain, end - keep, plain, BLOCKS_AT - keep, keep);
    Arrays.fill(present, BLOCKS_AT >>> 6, (end >>> 6) + 2, 0);
    blocks = 0;
    frontier = BLOCKS_AT;
  }

  /** Adds a block, whose lane is the number of blocks before it. */
  void add(int plainBytes) {
    blockAt[blocks + 1] = blockAt[blocks] + plainBytes;
    blocks++;
  }

  /**
   * Materializes bytes of the group.
   *
   * @param from index of the first byte
   * @param to index after the last byte, at most {@link #end()}
   * @return false if that is too expensive
   */
  boolean materialize(int from, int to) {
    int at = from;
    while (at < to) {
      int piece = Math.min(to, at + MOST_BYTES);
      if (!isPresent(at, piece - at) && !materializePiece(at, piece)) {
        return false;
      }
      at = piece;
    }
    return true;
  }

  private boolean materializePiece(int from, int to) {
    int at = Math.max(from, BLOCKS_AT);
    int block = 0;
    while (at < to) {
      while (at >= blockAt[block + 1]) {
        block++;
      }
      int end = Math.min(to, blockAt[block + 1]);
      int start = blockAt[block];
      if (!resolve(block, at - start, end - start, 0)) {
        return false;
      }
      at = end;
    }
    frontier = Math.max(frontier, to);
    return true;
  }

  /**
   * Materializes bytes of one block.
   *
   * @param block the block
   * @param from position in the block of the first byte
   * @param to position after the last byte, at most 64 bytes later
   * @param depth the number of copies that led here
   */
  private boolean resolve(int block, int from, int to, int depth) {
    if (depth > MOST_DEPTH || --budget < 0) {
      return false;
    }
    byte[] in = lanes.in();
    long tag = lanes.find(guesses.laneOf(block, from), from);
    int done = from;
    while (done < to) {
      int at = SnappyTags.stored(tag);
      int kind = in[at] & 0xFF;
      long step = SnappyTags.STEP[kind];
      if (step == SnappyTags.SPECIAL) {
        step = SnappyTags.specialStep(in, at);
      }
      int begin = SnappyTags.plain(tag);
      tag += step;
      int end = Math.min(to, SnappyTags.plain(tag));
      if (end > done) {
        if ((kind & SnappyTags.KIND_MASK) == SnappyTags.LITERAL) {
          int next = SnappyTags.stored(tag) - (SnappyTags.plain(tag) - done);
          copyLiteral(in, next, blockAt[block] + done, end - done, depth);
        } else {
          int offset = SnappyTags.offset(in, at);
          int source = offset == 0 ? -1 : source(begin, done, offset);
          int needed = Math.min(end - done, from - source);
          if (source < 0) { // the walk has excluded that: the stored bytes have changed since
            return false;
          }
          if (needed > 0 && !isResolved(block, source, needed, depth + 1)) {
            return false;
          }
          copy(blockAt[block] + source, blockAt[block] + done, end - done, depth);
        }
        done = end;
      }
    }
    mark(blockAt[block] + from, to - from);
    return true;
  }

  /**
   * {@return the position from which a copy gets a byte} A copy that overlaps itself repeats its
   * first bytes, which are always in front of the copy.
   *
   * @param begin position of the copy's first byte
   * @param at position of the byte
   * @param offset the offset of the copy
   */
  private static int source(int begin, int at, int offset) {
    int passed = at - begin;
    return begin - offset + (passed < offset ? passed : passed % offset);
  }

  /** Materializes what a copy refers to, unless it is there. */
  private boolean isResolved(int block, int from, int bytes, int depth) {
    return isPresent(blockAt[block] + from, bytes) || resolve(block, from, from + bytes, depth);
  }

  private void copy(int from, int to, int bytes, int depth) {
    if (mayExceed(to + bytes, depth) && to - from >= Long.BYTES) {
      copyWords(plain, from, to, bytes);
    } else {
      copyBytes(plain, from, to, bytes);
    }
  }

  private void copyLiteral(byte[] in, int from, int to, int bytes, int depth) {
    if (mayExceed(to + bytes, depth) && from <= in.length - bytes - Long.BYTES) {
      copyWords(in, from, to, bytes);
    } else {
      copyBytes(in, from, to, bytes);
    }
  }

  /**
   * {@return true if the bytes after an index are not materialized, so that a copy may change them}
   * Those before the frontier may be, and must be intact even if the rest of a request is declined.
   */
  private boolean mayExceed(int end, int depth) {
    return depth == 0 && end >= frontier;
  }

  /** Copies up to seven bytes more than asked for. */
  private void copyWords(byte[] source, int from, int to, int bytes) {
    for (int i = 0; i < bytes; i += Long.BYTES) {
      WORD.set(plain, to + i, ByteWindow.peek(source, from + i));
    }
  }

  private void copyBytes(byte[] source, int from, int to, int bytes) {
    for (int i = 0; i < bytes; i++) {
      plain[to + i] = source[from + i];
    }
  }

  // ---- the bitmap, for 1 to 64 bytes at a time

  private boolean isPresent(int at, int bytes) {
    int word = at >>> 6;
    long bits = (present[word] >>> at) | (present[word + 1] << 1 << ~at);
    long mask = -1L >>> -bytes;
    return (bits & mask) == mask;
  }

  private void mark(int at, int bytes) {
    int word = at >>> 6;
    long mask = -1L >>> -bytes;
    present[word] |= mask << at;
    present[word + 1] |= mask >>> 1 >>> ~at;
  }
}
