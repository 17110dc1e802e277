// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.snappy;

import java.util.Arrays;

/**
 * The lanes of a group of blocks, with the index that they write. A lane walks the tags of a block,
 * from its start or from a guessed position inside it.
 *
 * <p>Each lane has a region of the index, and its plain positions count from there. The index has
 * one entry per 32 plain bytes: the position of a tag that starts in them, or 0. A region is larger
 * than a block, because the loops do not check the size of a block. A lane that runs too far
 * therefore cannot write to another lane's region.
 *
 * <p>Never allocates after its creation, never throws. Confined to one thread.
 */
final class Lanes {
  /** The largest block, in plain bytes: the block size of the xerial writer. */
  static final int BLOCK_BYTES = 32 * 1024;

  /** The largest number of blocks in a group. Their lanes come first. */
  static final int BLOCKS = TagLoops.MOST_LANES;

  /** The number of lanes for guessed positions. */
  static final int GUESSES = 2;

  private static final int COUNT = BLOCKS + GUESSES;

  /** The minimum number of stored bytes that a loop may walk before the lane's size is checked. */
  private static final int STRETCH_BYTES = 1024;

  /** The number of entries after those of a block: a stretch of the shortest tags to write. */
  private static final int SPARE_ENTRIES =
      ((STRETCH_BYTES + TagLoops.MARGIN_BYTES)
              / SnappyTags.LONG_COPY_BYTES
              * SnappyTags.LARGEST_PIECE_BYTES)
          >> TagLoops.INDEX_SHIFT;

  private static final int BLOCK_ENTRIES = (BLOCK_BYTES >> TagLoops.INDEX_SHIFT) + 1;
  private static final int REGION_ENTRIES = BLOCK_ENTRIES + SPARE_ENTRIES + 2;
  private static final int REGION_BYTES = REGION_ENTRIES << TagLoops.INDEX_SHIFT;

  /** Per instance, not static: a reference within one heap region needs no GC write barrier. */
  private final byte[] nothing = {};

  /** The stored bytes of all lanes. */
  private byte[] in = nothing;

  private final long[] index = new long[COUNT * REGION_ENTRIES];
  private final long[] position = new long[COUNT];
  private final int[] first = new int[COUNT];
  private final int[] end = new int[COUNT];
  private final int[] stop = new int[COUNT];
  private final int[] size = new int[COUNT];
  private final int[] reach = new int[COUNT];
  private final int[] base = new int[COUNT];
  private final long[] arguments = new long[TagLoops.ARGUMENTS];

  Lanes() {}

  /** {@return the heap bytes of the arrays} */
  static int heapBytes() {
    return COUNT * REGION_ENTRIES * Long.BYTES;
  }

  /** Sets the array with the stored bytes of all lanes. */
  void in(byte[] bytes) {
    if (in != bytes) { // writing a reference costs more than comparing it
      in = bytes;
    }
  }

  /** {@return the array with the stored bytes of all lanes} */
  byte[] in() {
    return in;
  }

  /** Drops the stored bytes. */
  void release() {
    in = nothing;
  }

  /**
   * Starts a lane.
   *
   * @param lane the lane
   * @param at index in {@link #in()} of its first tag
   * @param to index after the last stored byte of the block
   * @param plainBytes the size of the block
   * @param before the number of plain bytes before the lane that a copy may refer to
   */
  void open(int lane, int at, int to, int plainBytes, int before) {
    int region = lane * REGION_ENTRIES;
    Arrays.fill(index, region, region + Math.min(BLOCK_ENTRIES, entries(plainBytes) + 1), 0);
    int start = start(lane);
    position[lane] = SnappyTags.position(start, at);
    first[lane] = at;
    end[lane] = to;
    stop[lane] = to - TagLoops.MARGIN_BYTES;
    size[lane] = plainBytes;
    reach[lane] = before - start;
    base[lane] = 0;
  }

  private static int entries(int plainBytes) {
    return plainBytes >> TagLoops.INDEX_SHIFT;
  }

  /** {@return the plain position of a lane's start} */
  private static int start(int lane) {
    return (lane * REGION_ENTRIES) << TagLoops.INDEX_SHIFT;
  }

  // ---- where a lane is

  /** {@return the index in {@link #in()} of the next tag} */
  int stored(int lane) {
    return SnappyTags.stored(position[lane]);
  }

  /** {@return the plain bytes that the lane has walked} */
  int plain(int lane) {
    return SnappyTags.plain(position[lane]) - start(lane);
  }

  /** {@return the plain bytes of the block before the lane, once they are known} */
  int base(int lane) {
    return base[lane];
  }

  /** {@return the number of stored bytes that the lane has left} */
  int left(int lane) {
    return end[lane] - stored(lane);
  }

  boolean isAtEnd(int lane) {
    return stored(lane) >= end[lane];
  }

  boolean isAtStop(int lane) {
    return stored(lane) >= stop[lane];
  }

  /** {@return the index after the last stored byte of the lane's block} */
  int end(int lane) {
    return end[lane];
  }

  /** {@return the plain bytes of the lane's block, without those before {@link #base}} */
  int size(int lane) {
    return size[lane];
  }

  /**
   * {@return the number of plain bytes before the lane that its copies refer to, or may refer to}
   */
  int before(int lane) {
    return reach[lane] + start(lane);
  }

  /** Lets the loops walk the lane up to a stored position, or as far as they can. */
  void stopAt(int lane, int at) {
    stop[lane] = Math.min(at, end[lane] - TagLoops.MARGIN_BYTES);
  }

  /**
   * Makes a guessed lane a part of its block.
   *
   * @param lane the lane, which got as far as {@link #plain} without a fault
   * @param plainBytes the plain bytes of the block before the lane
   */
  void adopt(int lane, int plainBytes) {
    base[lane] = plainBytes;
    size[lane] -= plainBytes;
    reach[lane] = plainBytes - start(lane);
  }

  // ---- the walk

  /**
   * Walks several lanes until one of them needs {@link #prepare} or {@link #step}.
   *
   * @param lanes the lanes, each at a regular tag and before its stop
   * @param count the number of lanes
   */
  void walk(int[] lanes, int count) {
    long[] x = arguments;
    for (int i = 0; i < count; i++) {
      int lane = lanes[i];
      x[i] = position[lane];
      x[TagLoops.STOPS + i] = Math.min(stop[lane], stored(lane) + stretch(lane));
      x[TagLoops.REACHES + i] = reach[lane];
    }
    TagLoops.walk(in, index, x, count);
    for (int i = 0; i < count; i++) {
      position[lanes[i]] = x[i];
    }
  }

  /** {@return a number of stored bytes that cannot lead beyond the lane's region} */
  private int stretch(int lane) {
    int pieces = (REGION_BYTES - plain(lane)) / SnappyTags.LARGEST_PIECE_BYTES;
    return pieces * SnappyTags.LONG_COPY_BYTES - TagLoops.MARGIN_BYTES;
  }

  /**
   * Takes single tags until the loops can take over or the block ends. A loop that is entered in
   * vain would spoil the JIT's profile.
   *
   * @return false if the block is damaged, or has a tag that is not walked here
   */
  boolean prepare(int lane) {
    while (!isAtStop(lane) && !isRegular(lane)) {
      if (!step(lane)) {
        return false;
      }
    }
    return plain(lane) <= size[lane] && (!isAtStop(lane) || walkToEnd(lane));
  }

  /** Walks a lane from its last stop to the end of the block. */
  private boolean walkToEnd(int lane) {
    int last = end[lane] - (Integer.BYTES - 1);
    while (!isAtEnd(lane)) {
      position[lane] = TagLoops.walkTail(in, index, position[lane], last, reach[lane]);
      if (!isAtEnd(lane) && !step(lane)) {
        return false;
      }
    }
    return stored(lane) == end[lane] && plain(lane) == size[lane];
  }

  /** {@return true if the loops take the next tag} The lane is before its stop. */
  boolean isRegular(int lane) {
    long at = position[lane];
    int word = TagLoops.word(in, SnappyTags.stored(at));
    return SnappyTags.STEP[word & 0xFF] != SnappyTags.SPECIAL
        && !TagLoops.isBeyond(word, SnappyTags.plain(at) + reach[lane]);
  }

  /**
   * Takes one tag of any kind, with all checks.
   *
   * @return false if the tag is invalid, exceeds the block, or is not walked here; the lane then
   *     stays where it is
   */
  boolean step(int lane) {
    long from = position[lane];
    int at = SnappyTags.stored(from);
    int bytes = end[lane] - at;
    int room = size[lane] - plain(lane);
    if (bytes <= 0) {
      return false;
    }
    index[SnappyTags.plain(from) >>> TagLoops.INDEX_SHIFT] = from;
    int tag = in[at] & 0xFF;
    return switch (tag & SnappyTags.KIND_MASK) {
      case SnappyTags.LITERAL -> stepLiteral(lane, tag, bytes, room);
      case SnappyTags.SHORT_COPY ->
          bytes >= SnappyTags.SHORT_COPY_BYTES && stepCopy(lane, tag, room);
      case SnappyTags.LONG_COPY -> bytes >= SnappyTags.LONG_COPY_BYTES && stepCopy(lane, tag, room);
      default -> false;
    };
  }

  private boolean stepLiteral(int lane, int tag, int bytes, int room) {
    long from = position[lane];
    long step = SnappyTags.STEP[tag];
    if (step == SnappyTags.SPECIAL) {
      step =
          bytes > SnappyTags.lengthBytes(tag)
              ? SnappyTags.specialStep(in, SnappyTags.stored(from))
              : step;
    }
    if (step == SnappyTags.SPECIAL
        || SnappyTags.stored(step) > bytes
        || SnappyTags.plain(step) > room) {
      return false;
    }
    long to = from + step;
    // The loops leave no gap of more than 4 entries. A long literal must not leave a larger one.
    int next = (SnappyTags.plain(from) >>> TagLoops.INDEX_SHIFT) + 1;
    int last = (SnappyTags.plain(to) - 1) >>> TagLoops.INDEX_SHIFT;
    if (next <= last) {
      Arrays.fill(index, next, last + 1, from);
    }
    position[lane] = to;
    return true;
  }

  private boolean stepCopy(int lane, int tag, int room) {
    long from = position[lane];
    int offset = SnappyTags.offset(in, SnappyTags.stored(from));
    long step = SnappyTags.STEP[tag];
    if (offset == 0 || SnappyTags.plain(step) > room) {
      return false;
    }
    int plain = SnappyTags.plain(from);
    if (offset > plain + reach[lane]) {
      if (lane < BLOCKS || base[lane] > 0) {
        return false;
      }
      reach[lane] = offset - plain; // a guessed lane: checked when it is adopted
    }
    position[lane] = from + step;
    return true;
  }

  // ---- look-ups

  /**
   * Finds a tag that starts at or before a plain position, at most a few tags away.
   *
   * @param lane the lane that walked the plain position
   * @param plain the position in the block
   * @return the stored position of the tag, and its plain position in the block
   */
  long find(int lane, int plain) {
    int start = start(lane);
    int wanted = plain - base[lane] + start;
    int lowest = start >>> TagLoops.INDEX_SHIFT;
    for (int i = wanted >>> TagLoops.INDEX_SHIFT; i >= lowest; i--) {
      long entry = index[i];
      if (entry != 0 && SnappyTags.plain(entry) <= wanted) {
        return entry + SnappyTags.position(base[lane] - start, 0);
      }
    }
    return SnappyTags.position(base[lane], first[lane]);
  }
}
