// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.snappy;

import io.github.batchvalidator.testing.streams.SnappyStreams;
import java.util.SplittableRandom;

/** Damages a Snappy block in place. Some kinds of damage can make another sound block. */
final class BlockDamage {
  /** The maximum number of bytes by which a block may grow. */
  static final int MOST_GROWTH = 5 + TaggedBlock.MOST_BYTES;

  private static final int LENGTH_SHIFT = 2;
  private static final int LONG_LITERAL = 60;
  private static final int MOST_SMALL = 24;

  /** The kinds of damage to the block. */
  enum Kind {
    BITS_FLIPPED,
    BYTES_CHANGED,
    STRETCH_OVERWRITTEN,
    CUT,
    BYTES_REMOVED,
    BYTES_ADDED,
    STRETCHES_SWAPPED,
    TAGS_SWAPPED,
    TAG_REPEATED,
    TAG_REMOVED,
    KIND_CHANGED,
    LENGTH_CHANGED,
    OFFSET_CHANGED,
    SIZE_CHANGED,
    SPLICED
  }

  private final SplittableRandom random;
  private final byte[] in;
  private final int from;
  private final TaggedBlock block;
  private final byte[] old;

  /**
   * Takes a block to be damaged.
   *
   * @param random decides where and how
   * @param in contains a copy of the block, and room for more bytes after it
   * @param from index of the block
   * @param block the block as it was
   */
  BlockDamage(SplittableRandom random, byte[] in, int from, TaggedBlock block) {
    this.random = random;
    this.in = in;
    this.from = from;
    this.block = block;
    old = block.bytes();
  }

  /**
   * Damages the block once.
   *
   * @param kind what to do
   * @param other any other block
   * @return the new number of bytes
   */
  int apply(Kind kind, TaggedBlock other) {
    int tag = random.nextInt(block.tags());
    return switch (kind) {
      case BITS_FLIPPED -> flipBits();
      case BYTES_CHANGED -> changeBytes();
      case STRETCH_OVERWRITTEN -> overwrite();
      case CUT -> old.length - Math.min(old.length - 1, random.nextInt(1, MOST_SMALL));
      case BYTES_REMOVED -> removeBytes();
      case BYTES_ADDED -> addBytes();
      case STRETCHES_SWAPPED -> swapStretches();
      case TAGS_SWAPPED -> swapTags();
      case TAG_REPEATED -> splice(tag + 1, block, tag);
      case TAG_REMOVED -> splice(tag, block, tag + 1);
      case KIND_CHANGED -> changeKind(from + block.at(tag));
      case LENGTH_CHANGED -> changeLength(from + block.at(tag));
      case OFFSET_CHANGED -> changeOffset();
      case SIZE_CHANGED -> changeSize();
      case SPLICED -> splice(tag, other, random.nextInt(other.tags() + 1));
    };
  }

  /** Half of the time at a tag, and often near to the start or the end. */
  private int somewhere() {
    int most = Math.min(old.length, MOST_SMALL);
    return switch (random.nextInt(8)) {
      case 0 -> random.nextInt(most);
      case 1 -> old.length - 1 - random.nextInt(most);
      case 2, 3 -> random.nextInt(old.length);
      default -> block.at(random.nextInt(block.tags()));
    };
  }

  private int flipBits() {
    for (int i = random.nextInt(1, 4); i > 0; i--) {
      in[from + somewhere()] ^= (byte) (1 << random.nextInt(Byte.SIZE));
    }
    return old.length;
  }

  private int changeBytes() {
    for (int i = random.nextInt(1, 4); i > 0; i--) {
      in[from + somewhere()] = (byte) random.nextInt();
    }
    return old.length;
  }

  private int overwrite() {
    int at = somewhere();
    for (int i = at; i < Math.min(old.length, at + MOST_SMALL / 2); i++) {
      in[from + i] = (byte) random.nextInt();
    }
    return old.length;
  }

  private int removeBytes() {
    int at = somewhere();
    int removed = Math.min(random.nextInt(1, 6), old.length - at);
    System.arraycopy(old, at + removed, in, from + at, old.length - at - removed);
    return Math.max(1, old.length - removed);
  }

  private int addBytes() {
    int at = random.nextInt(4) == 0 ? old.length : somewhere();
    int added = random.nextInt(1, 6);
    System.arraycopy(old, at, in, from + at + added, old.length - at);
    for (int i = 0; i < added; i++) {
      in[from + at + i] = (byte) random.nextInt();
    }
    return old.length + added;
  }

  private int swapStretches() {
    int bytes = random.nextInt(1, 1 + Math.min(old.length, MOST_SMALL));
    int one = random.nextInt(old.length - bytes + 1);
    int two = random.nextInt(old.length - bytes + 1);
    System.arraycopy(old, one, in, from + two, bytes);
    System.arraycopy(old, two, in, from + one, bytes);
    return old.length;
  }

  /** Exchanges the places of two tags, together with their literals. */
  private int swapTags() {
    int one = random.nextInt(block.tags());
    int two = random.nextBoolean() ? one + 1 : random.nextInt(block.tags());
    int first = Math.min(one, two);
    int second = Math.min(Math.max(one, two), block.tags() - 1);
    if (first < second) {
      int to = copy(block, second, second + 1, from + block.at(first));
      to = copy(block, first + 1, second, to);
      copy(block, first, first + 1, to);
    }
    return old.length;
  }

  private int changeKind(int at) {
    in[at] = (byte) ((in[at] & ~SnappyTags.KIND_MASK) | random.nextInt(4));
    return old.length;
  }

  private int changeLength(int at) {
    int kind = in[at] & SnappyTags.KIND_MASK;
    int upper = (in[at] & 0xFF) >>> LENGTH_SHIFT;
    if (kind == SnappyTags.LITERAL && upper >= LONG_LITERAL && random.nextBoolean()) {
      in[at + 1 + random.nextInt(upper - LONG_LITERAL + 1)] += (byte) random.nextInt(-3, 4);
    } else {
      int changed = random.nextBoolean() ? upper + random.nextInt(-2, 3) : random.nextInt(64);
      in[at] = (byte) (kind | (changed << LENGTH_SHIFT));
    }
    return old.length;
  }

  /** Often refers to exactly the bytes before the copy, to one more, or to none. */
  private int changeOffset() {
    int tag = random.nextInt(block.tags());
    for (int i = 0; i < 8 && block.isLiteral(tag); i++) {
      tag = random.nextInt(block.tags());
    }
    if (!block.isLiteral(tag)) {
      int before = block.plain(tag);
      writeOffset(
          from + block.at(tag),
          block.at(tag + 1) - block.at(tag),
          switch (random.nextInt(5)) {
            case 0 -> 0;
            case 1 -> before + random.nextInt(-1, 3);
            case 2 -> random.nextInt(1, 9);
            case 3 -> random.nextInt(1, before + 2);
            default -> random.nextInt(1 << 16);
          });
    }
    return old.length;
  }

  private void writeOffset(int at, int bytes, int offset) {
    in[at + 1] = (byte) offset;
    if (bytes == SnappyTags.SHORT_COPY_BYTES) {
      in[at] = (byte) ((in[at] & 0x1F) | (offset >> Byte.SIZE << 5));
    } else {
      in[at + 2] = (byte) (offset >> Byte.SIZE);
    }
  }

  private int changeSize() {
    int error = random.nextBoolean() ? random.nextInt(-2, 3) : random.nextInt(-5000, 5000);
    int to = writeSize(Math.max(0, block.plainBytes() + error));
    return copy(block, 0, block.tags(), to) - from;
  }

  /** Writes the first tags of this block and the last ones of another. Mostly fits the size. */
  private int splice(int tags, TaggedBlock tail, int tailFrom) {
    int plain = block.plain(tags) + tail.plainBytes() - tail.plain(tailFrom);
    int to = writeSize(random.nextInt(4) == 0 ? block.plainBytes() : plain);
    to = copy(block, 0, tags, to);
    return copy(tail, tailFrom, tail.tags(), to) - from;
  }

  private int writeSize(int plainBytes) {
    byte[] size = SnappyStreams.unsignedVarint(plainBytes);
    System.arraycopy(size, 0, in, from, size.length);
    return from + size.length;
  }

  /** Copies tags and returns the index after them. */
  private int copy(TaggedBlock source, int firstTag, int endTag, int to) {
    int bytes = source.at(endTag) - source.at(firstTag);
    System.arraycopy(source.bytes(), source.at(firstTag), in, to, bytes);
    return to + bytes;
  }
}
