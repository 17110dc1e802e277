// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;

class ScratchTest {
  private final Scratch scratch = new Scratch(100);

  @Test
  void holdsNothingUntilItIsUsed() {
    assertEquals(0, scratch.heapBytes());
    assertEquals(100, scratch.atLeast(1).length);
    assertEquals(100, scratch.heapBytes());
  }

  @Test
  void staysTheSameWhileItIsLargeEnough() {
    byte[] array = scratch.atLeast(100);
    assertSame(array, scratch.atLeast(0));
    scratch.release();
    assertSame(array, scratch.atLeast(100));
    assertEquals(101, scratch.atLeast(101).length);
  }

  @Test
  void shrinksWhenItWasTooLargeForLong() {
    byte[] large = scratch.atLeast(500);
    scratch.release();
    for (int i = 1; i < Scratch.PATIENCE; i++) {
      assertSame(large, scratch.atLeast(100));
      scratch.release();
    }
    assertEquals(500, scratch.heapBytes());
    scratch.release();
    assertEquals(0, scratch.heapBytes());
    assertEquals(100, scratch.atLeast(1).length);
  }

  @Test
  void everyLargeUseRestartsTheCount() {
    for (int round = 0; round < 3; round++) {
      byte[] large = scratch.atLeast(500);
      scratch.atLeast(1);
      scratch.release();
      for (int i = 1; i < Scratch.PATIENCE; i++) {
        scratch.release();
      }
      assertSame(large, scratch.atLeast(101));
    }
  }

  @Test
  void anArrayOfTheRestingSizeIsKept() {
    byte[] array = scratch.atLeast(100);
    for (int i = 0; i < 3 * Scratch.PATIENCE; i++) {
      scratch.release();
    }
    assertSame(array, scratch.atLeast(100));
  }

  @Test
  void doublesFromTheSecondGrowthOfABatchOn() {
    assertEquals(100, scratch.atLeast(65, 1000).length);
    assertEquals(101, scratch.atLeast(101, 1000).length);
    assertEquals(202, scratch.atLeast(102, 1000).length);
    assertEquals(300, scratch.atLeast(203, 300).length);
    assertEquals(301, scratch.atLeast(301, 300).length);
    scratch.release();
    assertEquals(302, scratch.atLeast(302, 1000).length);
    assertEquals(303, scratch.atLeast(303).length);
  }
}
