// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.snappy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.testing.HeldMemory;
import io.github.batchvalidator.testing.streams.Bytes;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Which bytes are written when some are requested. */
class SparsePlainTest {
  private static final byte UNTOUCHED = 0x5A;
  private static final int AT = SparsePlain.BLOCKS_AT;

  private final BlockGroup group = new BlockGroup();

  /** Walks a block of fewer than 128 plain bytes. */
  private void walk(SnappyBlocks.Tags tags) {
    walk(tags.toBlock(), tags.plainBytes());
  }

  private void walk(byte[] block, int plainBytes) {
    group.start(block, 0);
    group.add(1, block.length, plainBytes);
    group.plain().budget(100);
    Arrays.fill(group.plain().array(), UNTOUCHED);
    assertTrue(group.walk());
  }

  /** Returns the number of bytes that were written after the requested ones. */
  private int written(int from, byte... expected) {
    int to = from + expected.length;
    assertTrue(group.plain().materialize(AT + from, AT + to));
    byte[] plain = group.plain().array();
    assertArrayEquals(expected, Arrays.copyOfRange(plain, AT + from, AT + to));
    int after = 0;
    while (plain[AT + to + after] != UNTOUCHED) {
      after++;
    }
    return after;
  }

  private static byte[] filled(int bytes) {
    return Bytes.filled(bytes, 7);
  }

  /** Words are faster. What they write too much is not materialized yet, or follows the block. */
  @Test
  void literalsAreCopiedByWords() {
    walk(new SnappyBlocks.Tags().literal(filled(60)).literal(filled(60)));
    assertEquals(7, written(0, filled(9)));
    assertEquals(0, written(20, filled(16)));
    assertEquals(0, written(17, filled(1)), "later bytes are there");
    assertEquals(4, written(60, filled(20)));
  }

  @Test
  void theLastLiteralIsCopiedByBytesIfNoWordIsLeft() {
    walk(new SnappyBlocks.Tags().literal(filled(60)));
    assertEquals(0, written(48, filled(12)), "seven stored bytes are left");
    walk(new SnappyBlocks.Tags().literal(filled(60)));
    assertEquals(7, written(43, filled(9)), "eight are left");
    walk(new SnappyBlocks.Tags().literal(filled(60)));
    assertEquals(0, written(44, filled(9)));
  }

  /** A copy by words needs a word between its source and itself. */
  @Test
  void copiesAreCopiedByWordsIfTheyAreFarEnough() {
    SnappyBlocks.Tags tags = new SnappyBlocks.Tags().literal(Bytes.of(1, 2, 3, 4, 5, 6, 7, 8));
    tags.shortCopy(4, 8).literal(filled(60));
    walk(tags);
    assertEquals(0, written(0, Bytes.of(1, 2, 3, 4, 5, 6, 7, 8)));
    assertEquals(4, written(8, Bytes.of(1, 2, 3, 4)));
    tags = new SnappyBlocks.Tags().literal(Bytes.of(1, 2, 3, 4, 5, 6, 7));
    tags.shortCopy(4, 7).literal(filled(60));
    walk(tags);
    assertEquals(1, written(0, Bytes.of(1, 2, 3, 4, 5, 6, 7)));
    assertEquals(0, written(7, Bytes.of(1, 2, 3, 4)));
  }

  /** A request that is declined half-way does not change bytes that are there. */
  @Test
  void aDeclinedRequestLeavesOthersIntact() {
    SnappyBlocks.Tags tags = new SnappyBlocks.Tags().literal(Bytes.of(1, 2, 3, 4, 5));
    walk(tags.literal(filled(9)).shortCopy(5, 14).literal(filled(60)));
    assertTrue(group.plain().materialize(AT + 14, AT + 16));
    group.plain().budget(1);
    assertFalse(group.plain().materialize(AT + 5, AT + 19), "the copy's source is too much");
    byte[] plain = group.plain().array();
    assertArrayEquals(Bytes.of(1, 2), Arrays.copyOfRange(plain, AT + 14, AT + 16));
  }

  /** A host may change its bytes after the walk, which excludes such a copy. */
  @Test
  void aCopyOfItselfIsDeclined() {
    SnappyBlocks.Tags tags = new SnappyBlocks.Tags().literal(Bytes.of(1, 2, 3, 4, 5, 6, 7, 8));
    byte[] block = tags.shortCopy(4, 8).literal(filled(60)).toBlock();
    walk(block, tags.plainBytes());
    int offsetAt = 1 + 1 + 8 + 1; // after the size, the literal and the tag of the copy
    assertEquals(8, block[offsetAt]);
    block[offsetAt] = 0;
    assertFalse(group.plain().materialize(AT + 8, AT + 12));
  }

  @Test
  void aReleasedGroupHoldsNoStoredBytes() {
    SnappyBlocks.Tags tags = new SnappyBlocks.Tags().literal(filled(60));
    byte[] block = tags.toBlock();
    group.start(block, 0);
    assertTrue(new HeldMemory(group).holds(ByteBuffer.wrap(block)));
    group.release();
    assertFalse(new HeldMemory(group).holds(ByteBuffer.wrap(block)));
  }
}
