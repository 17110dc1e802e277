// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.snappy;

/**
 * A group of up to four blocks that are walked side by side, and their plain bytes.
 *
 * <p>Never allocates after its creation, never throws. Confined to one thread.
 */
final class BlockGroup {
  private final Lanes lanes = new Lanes();
  private final GuessedLanes guesses = new GuessedLanes(lanes);
  private final SparsePlain plain = new SparsePlain(lanes, guesses);
  private final int[] active = new int[Lanes.BLOCKS];
  private int blocks;

  BlockGroup() {}

  /** {@return the heap bytes of the arrays} */
  static int heapBytes() {
    return Lanes.heapBytes() + SparsePlain.heapBytes();
  }

  /** {@return the plain bytes of the group} */
  SparsePlain plain() {
    return plain;
  }

  /**
   * Starts a group.
   *
   * @param in contains the stored bytes of all blocks
   * @param keep the number of plain bytes to keep from the end of the previous group
   */
  void start(byte[] in, int keep) {
    lanes.in(in);
    guesses.reset();
    plain.startGroup(keep);
    blocks = 0;
  }

  /**
   * Adds a block.
   *
   * @param at index of its first tag
   * @param to index after its last stored byte
   * @param plainBytes its declared size, at most {@link Lanes#BLOCK_BYTES}
   */
  void add(int at, int to, int plainBytes) {
    lanes.open(blocks++, at, to, plainBytes, 0);
    plain.add(plainBytes);
  }

  /**
   * Walks all blocks to their ends. A block that is left alone is walked with guessed lanes.
   *
   * @return false if a block is damaged, or has a tag that is not walked here
   */
  boolean walk() {
    int count = 0;
    for (int lane = 0; lane < blocks; lane++) {
      if (!lanes.prepare(lane)) {
        return false;
      }
      active[count] = lane;
      count += lanes.isAtEnd(lane) ? 0 : 1;
    }
    while (count > 1) {
      lanes.walk(active, count);
      for (int i = count - 1; i >= 0; i--) {
        if (!lanes.prepare(active[i])) {
          return false;
        }
        if (lanes.isAtEnd(active[i])) {
          active[i] = active[--count];
        }
      }
    }
    return count == 0 || walkAlone(active[0]);
  }

  private boolean walkAlone(int lane) {
    int last = guesses.split(lane);
    if (last == GuessedLanes.UNSOUND || !lanes.prepare(last)) {
      return false;
    }
    active[0] = last;
    while (!lanes.isAtEnd(last)) {
      lanes.walk(active, 1);
      if (!lanes.prepare(last)) {
        return false;
      }
    }
    return true;
  }

  /** Drops the stored bytes. */
  void release() {
    lanes.release();
  }
}
