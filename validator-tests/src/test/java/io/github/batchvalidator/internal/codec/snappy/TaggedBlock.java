// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.snappy;

import java.util.Arrays;

/** A sound block with the places of its tags. */
final class TaggedBlock {
  /** The largest block, in stored bytes. */
  static final int MOST_BYTES = 48 * 1024;

  private final byte[] bytes;
  private final int[] at;
  private final int[] plain;
  private final int tags;

  TaggedBlock(byte[] block) {
    bytes = block;
    int[] starts = new int[block.length + 1];
    int[] plains = new int[block.length + 1];
    int next = 0;
    while (block[next++] < 0) {}
    int count = 0;
    while (next < block.length) {
      starts[count] = next;
      next += stored(next);
      plains[count + 1] = plains[count] + plainOf(starts[count]);
      count++;
    }
    starts[count] = next;
    tags = count;
    at = Arrays.copyOf(starts, count + 1);
    plain = Arrays.copyOf(plains, count + 1);
  }

  private int plainOf(int tagAt) {
    int tag = bytes[tagAt] & 0xFF;
    int lengthBytes = (tag & SnappyTags.KIND_MASK) == 0 ? SnappyTags.lengthBytes(tag) : 0;
    return lengthBytes == 0
        ? SnappyTags.plainBytes(tag)
        : SnappyTags.longLength(bytes, tagAt + 1, lengthBytes);
  }

  private int stored(int tagAt) {
    int tag = bytes[tagAt] & 0xFF;
    return switch (tag & SnappyTags.KIND_MASK) {
      case SnappyTags.LITERAL -> 1 + SnappyTags.lengthBytes(tag) + plainOf(tagAt);
      case SnappyTags.SHORT_COPY -> SnappyTags.SHORT_COPY_BYTES;
      case SnappyTags.LONG_COPY -> SnappyTags.LONG_COPY_BYTES;
      default -> 1 + Integer.BYTES;
    };
  }

  byte[] bytes() {
    return bytes;
  }

  /** Returns the number of tags. */
  int tags() {
    return tags;
  }

  /** Returns the index of a tag, or of the end of the block for the number of tags. */
  int at(int tag) {
    return at[tag];
  }

  /** Returns the number of plain bytes before a tag. */
  int plain(int tag) {
    return plain[tag];
  }

  int plainBytes() {
    return plain[tags];
  }

  boolean isLiteral(int tag) {
    return (bytes[at[tag]] & SnappyTags.KIND_MASK) == SnappyTags.LITERAL;
  }
}
