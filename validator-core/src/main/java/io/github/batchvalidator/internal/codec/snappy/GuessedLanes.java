// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.snappy;

/**
 * A walk over one block with several lanes, all but the first at guessed positions.
 *
 * <p>A position inside a block need not be the start of a tag. A walk from there nearly always
 * falls in with the true tags after a few of them. The first lane is confirmed: it walks from the
 * start. When the confirmed lane reaches a guessed lane, the two are compared. If both stop at one
 * tag, the guessed lane is adopted and becomes the confirmed one. Otherwise the guessed lane is
 * dropped, and the confirmed lane walks on to the next guess. A wrong guess only costs time.
 *
 * <p>Never allocates after its creation, never throws. Confined to one thread.
 */
final class GuessedLanes {
  /** The result of {@link #split} for a block that is damaged or not walked here. */
  static final int UNSOUND = -1;

  /** The minimum number of stored bytes that are worth a guess, and twice that for two. */
  private static final int LEAST_BYTES = 1024;

  /**
   * Where to enter the stored bytes, in 256ths. The first part is the largest, because the tags at
   * the start of a block are longer.
   */
  private static final int ONE_GUESS = 140;

  private static final int FIRST_OF_TWO = 97;
  private static final int SECOND_OF_TWO = 182;
  private static final int PARTS_SHIFT = 8;

  /**
   * The part of the plain bytes before a guessed lane, in proportion to the stored bytes, to which
   * its copies may refer at first. A lane for which that was too many is not adopted. A lane for
   * which that is too few needs single steps.
   */
  private static final int SAFE_QUARTERS = 3;

  private static final int QUARTERS = 4;

  /** The number of tags to pass before a guessed lane counts plain bytes. */
  private static final int WARM_UP_TAGS = 20;

  /** The maximum number of single steps of all guessed lanes. */
  private static final int MOST_STEPS = 24;

  /** The maximum number of tags to compare where two lanes meet. */
  private static final int MOST_MEETING_STEPS = 48;

  private static final int DROPPED = -2;

  private final Lanes lanes;

  /** The confirmed lane and the guessed ones after it, in the order of their positions. */
  private final int[] order = new int[1 + Lanes.GUESSES];

  /** Where each of them starts, as an index of stored bytes. */
  private final int[] entry = new int[1 + Lanes.GUESSES];

  private final int[] active = new int[1 + Lanes.GUESSES];
  private int count;
  private int steps;

  /** The adopted lanes, with the plain position in the block from which each is right. */
  private final int[] adopted = new int[Lanes.GUESSES];

  private final int[] adoptedFrom = new int[Lanes.GUESSES];
  private int adoptions;
  private int block;

  GuessedLanes(Lanes lanes) {
    this.lanes = lanes;
  }

  /** Forgets the lanes of the last group. */
  void reset() {
    adoptions = 0;
  }

  /** {@return the lane that walked a plain position of a block} */
  int laneOf(int blockLane, int plain) {
    int lane = blockLane;
    if (blockLane == block) {
      for (int i = 0; i < adoptions && plain >= adoptedFrom[i]; i++) {
        lane = adopted[i];
      }
    }
    return lane;
  }

  /**
   * Walks the rest of a block with guessed lanes, if it is large enough. Once per group.
   *
   * @param lane the lane of the block
   * @return the lane that has to walk on to the end of the block, or UNSOUND
   */
  int split(int lane) {
    block = lane;
    enter(lane);
    while (count > 1) {
      int ready = prepare();
      if (ready == UNSOUND || (ready != DROPPED && !advance(ready))) {
        return UNSOUND;
      }
    }
    int last = order[0];
    lanes.stopAt(last, lanes.end(last));
    return last;
  }

  /** Opens the guessed lanes. */
  private void enter(int lane) {
    int from = lanes.stored(lane);
    int left = lanes.left(lane);
    count = 1;
    steps = 0;
    order[0] = lane;
    if (left < LEAST_BYTES) {
      return;
    }
    boolean two = left >= 2 * LEAST_BYTES;
    int first = from + ((left * (two ? FIRST_OF_TWO : ONE_GUESS)) >> PARTS_SHIFT);
    int second = two ? from + ((left * SECOND_OF_TWO) >> PARTS_SHIFT) : first;
    int end = lanes.end(lane) - TagLoops.MARGIN_BYTES - SnappyTags.LARGEST_STEP_BYTES;
    for (int i = 0; i < WARM_UP_TAGS && first < end && second < end; i++) {
      first += guessStep(first);
      second += guessStep(second);
    }
    add(lane, from, first, end);
    add(lane, from, second, end);
  }

  private int guessStep(int at) {
    long step = SnappyTags.STEP[lanes.in()[at] & 0xFF];
    return step == SnappyTags.SPECIAL ? 1 : SnappyTags.stored(step);
  }

  /** Opens a guessed lane, unless it is too near to the last one or to the end. */
  private void add(int confirmed, int from, int at, int end) {
    if (at >= end || (count > 1 && at <= entry[count - 1])) {
      return;
    }
    int lane = Lanes.BLOCKS + count - 1;
    int plainBytes = lanes.size(confirmed);
    long proportional = (long) (at - from) * plainBytes / lanes.left(confirmed);
    int before = (int) (proportional * SAFE_QUARTERS / QUARTERS);
    lanes.open(lane, at, lanes.end(confirmed), plainBytes, before);
    order[count] = lane;
    entry[count++] = at;
  }

  /**
   * Brings each lane to a regular tag or to its stop, which is the start of the next lane.
   *
   * @return the number of lanes in {@code active} that are before their stop, or DROPPED, or
   *     UNSOUND
   */
  private int prepare() {
    int ready = 0;
    for (int i = 0; i < count; i++) {
      int lane = order[i];
      lanes.stopAt(lane, i + 1 < count ? entry[i + 1] : lanes.end(lane));
      if (!prepare(lane, i > 0)) {
        drop(i);
        return i == 0 ? UNSOUND : DROPPED;
      }
      if (!lanes.isAtStop(lane)) {
        active[ready++] = lane;
      }
    }
    return ready;
  }

  private boolean prepare(int lane, boolean isGuessed) {
    while (!lanes.isAtStop(lane) && !lanes.isRegular(lane)) {
      if ((isGuessed && ++steps > MOST_STEPS) || !lanes.step(lane)) {
        return false;
      }
    }
    return lanes.plain(lane) <= lanes.size(lane);
  }

  /** Lets the confirmed lane meet the next one, or all lanes walk on. Returns false if unsound. */
  private boolean advance(int ready) {
    if (!lanes.isAtStop(order[0])) {
      lanes.walk(active, ready);
      return true;
    }
    int met = meet(order[0], order[1], entry[1]);
    drop(met > 0 ? 0 : 1);
    return met != UNSOUND;
  }

  private void drop(int i) {
    count--;
    for (int k = i; k < count; k++) {
      order[k] = order[k + 1];
      entry[k] = entry[k + 1];
    }
  }

  /**
   * Compares the confirmed lane with the guessed lane that it has reached. Walks the guessed lane's
   * first tags again, until both are at the same one.
   *
   * @return 1 if the guessed lane is adopted, 0 if not, UNSOUND if the block is
   */
  private int meet(int confirmed, int guessed, int from) {
    int reached = lanes.stored(guessed);
    long at = SnappyTags.position(0, from);
    for (int i = 0; SnappyTags.stored(at) != lanes.stored(confirmed); i++) {
      int tag = SnappyTags.stored(at);
      boolean isAhead = tag > lanes.stored(confirmed);
      if (i == MOST_MEETING_STEPS || (!isAhead && tag >= reached)) {
        return 0;
      }
      if (isAhead) {
        if (!lanes.step(confirmed)) {
          return UNSOUND;
        }
      } else {
        long step = SnappyTags.STEP[lanes.in()[tag] & 0xFF];
        step = step == SnappyTags.SPECIAL ? SnappyTags.specialStep(lanes.in(), tag) : step;
        if (step == SnappyTags.SPECIAL) {
          return 0;
        }
        at += step;
      }
    }
    return adopt(confirmed, guessed, SnappyTags.plain(at)) ? 1 : 0;
  }

  /**
   * Adopts a guessed lane, if its copies refer to bytes of the block.
   *
   * @param passed the plain bytes of the guessed lane before the tag where both met
   */
  private boolean adopt(int confirmed, int guessed, int passed) {
    int met = lanes.base(confirmed) + lanes.plain(confirmed);
    int base = met - passed;
    if (base <= 0 || lanes.before(guessed) > base) {
      return false;
    }
    lanes.adopt(guessed, base);
    adopted[adoptions] = guessed;
    adoptedFrom[adoptions++] = met;
    return true;
  }
}
