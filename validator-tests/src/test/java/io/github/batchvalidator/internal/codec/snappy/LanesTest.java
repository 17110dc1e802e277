// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.snappy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.testing.streams.Bytes;
import org.junit.jupiter.api.Test;

/** Lanes one by one. */
class LanesTest {
  private static final int LANE = 2;

  private final Lanes lanes = new Lanes();

  /** Opens a lane at the first tag of a block, which declares so many plain bytes. */
  private void open(byte[] block, int plainBytes) {
    int at = 0;
    while (block[at++] < 0) {}
    lanes.in(block);
    lanes.open(LANE, at, block.length, plainBytes, 0);
  }

  /** Single steps note every tag, so a look-up finds the last one that starts in 32 bytes. */
  @Test
  void lookUpsFindTheNearestTag() {
    SnappyBlocks.Tags tags = new SnappyBlocks.Tags().literal(new byte[20]);
    tags.literal(new byte[44]).literal(new byte[60]);
    byte[] block = tags.toBlock();
    open(block, tags.plainBytes());
    for (int i = 0; i < 3; i++) {
      assertTrue(lanes.step(LANE));
    }
    assertFalse(lanes.step(LANE), "the end");
    assertEquals(SnappyTags.position(0, 1), lanes.find(LANE, 19));
    assertEquals(SnappyTags.position(20, 22), lanes.find(LANE, 20));
    assertEquals(SnappyTags.position(20, 22), lanes.find(LANE, 31));
    assertEquals(SnappyTags.position(20, 22), lanes.find(LANE, 63));
    assertEquals(SnappyTags.position(64, 67), lanes.find(LANE, 64));
    assertEquals(SnappyTags.position(64, 67), lanes.find(LANE, 123));
  }

  /** A tag that exceeds the declared size, or the stored bytes, is not taken. */
  @Test
  void tagsThatExceedTheBlock() {
    SnappyBlocks.Tags tags = new SnappyBlocks.Tags().literal(new byte[20]).shortCopy(11, 20);
    byte[] block = tags.literal(new byte[30]).toBlock();
    assertEquals(2, stepsWithin(block, 60));
    assertEquals(1, stepsWithin(block, 30));
    assertEquals(0, stepsWithin(block, 19));
    assertEquals(2, stepsWithin(Bytes.cut(block, -1), 61));
    assertEquals(3, stepsWithin(block, 61));
  }

  private int stepsWithin(byte[] block, int plainBytes) {
    open(block, plainBytes);
    int steps = 0;
    int plain = lanes.plain(LANE);
    while (lanes.step(LANE)) {
      steps++;
      plain = lanes.plain(LANE);
    }
    assertEquals(plain, lanes.plain(LANE), "stays where it is");
    return steps;
  }

  /** The loops run for a while before the size of a lane is checked. */
  @Test
  void loopsTakeAtLeastAStretch() {
    SnappyBlocks.Tags tags = new SnappyBlocks.Tags();
    for (int i = 0; i < 400; i++) {
      tags.literal(new byte[60]);
    }
    byte[] block = tags.toBlock();
    open(block, tags.plainBytes());
    assertTrue(lanes.prepare(LANE));
    int from = lanes.stored(LANE);
    lanes.walk(new int[] {LANE}, 1);
    int walked = lanes.stored(LANE) - from;
    assertTrue(walked >= 1024 && walked < block.length / 2, walked + " bytes");
  }
}
