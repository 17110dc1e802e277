// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.rebuild;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.streams.Plain;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class OutputBufferTest {
  private static final int ENOUGH = 1 << 24;
  private static final int PATIENCE = 128;

  private final OutputBuffer output = new OutputBuffer();

  private void write(byte[] bytes, int pieceBytes) {
    for (int at = 0; at < bytes.length; at += pieceBytes) {
      assertTrue(output.write(bytes, at, Math.min(pieceBytes, bytes.length - at)));
    }
  }

  @Test
  void beforeItIsStartedThereIsNoRoom() {
    assertEquals(0, output.heapBytes());
    assertFalse(output.write(new byte[1], 0, 1));
    assertEquals(Reason.LIMIT_REBUILT_BYTES, output.failure());
  }

  @Test
  void growsAndKeepsWhatItHolds() {
    for (int pieceBytes : new int[] {1, 7, 1000, OutputBuffer.RESTING_BYTES, 1 << 20}) {
      byte[] bytes = Plain.RANDOM.bytes((1 << 20) + 1);
      OutputBuffer fresh = new OutputBuffer();
      fresh.start(ENOUGH);
      for (int at = 0; at < bytes.length; at += pieceBytes) {
        assertTrue(fresh.write(bytes, at, Math.min(pieceBytes, bytes.length - at)));
      }
      assertArrayEquals(bytes, Written.to(fresh));
      assertTrue(fresh.heapBytes() >= bytes.length && fresh.heapBytes() <= 2L * bytes.length);
    }
  }

  @Test
  void neverGrowsBeyondItsLimit() {
    int limit = 5 * OutputBuffer.RESTING_BYTES + 1;
    output.start(limit);
    write(Plain.JSON.bytes(limit), 1000);
    assertEquals(limit, output.heapBytes());
    assertEquals(0, output.room());
    assertFalse(output.write(new byte[1], 0, 1));
    assertEquals(limit, output.length());
  }

  @Test
  void theFirstFailureSticks() {
    output.start(10);
    assertTrue(output.skip(4));
    assertTrue(output.hasRoom(6));
    assertFalse(output.hasRoom(7));
    assertFalse(output.write(new byte[7], 0, 7));
    assertFalse(output.hasRoom(1));
    assertFalse(output.write(new byte[1], 0, 1), "there would be room");
    assertFalse(output.skip(100));
    assertFalse(output.fail(Reason.CODEC_ENCODE_FAILED, 1, 2));
    assertEquals(Reason.LIMIT_REBUILT_BYTES, output.failure());
    assertEquals(11, output.fault().first());
    assertEquals(10, output.fault().second());
    assertEquals(4, output.length());
    output.start(10);
    assertNull(output.failure());
    assertEquals(0, output.fault().first());
    assertEquals(0, output.fault().second());
    assertTrue(output.write(new byte[10], 0, 10));
  }

  @Test
  void numbersAreWrittenInBothOrdersUpToTheLimit() {
    output.start(10);
    assertTrue(output.writeIntBigEndian(0x01020304));
    assertTrue(output.writeIntLittleEndian(0x01020304));
    byte[] array = output.array();
    assertFalse(output.writeIntBigEndian(0));
    assertEquals(12, output.fault().first());
    assertEquals(10, output.fault().second());
    assertSame(array, output.array());
    assertArrayEquals(new byte[] {1, 2, 3, 4, 4, 3, 2, 1}, Arrays.copyOf(array, output.length()));
    output.release();
    assertNotSame(array, output.array());
    assertEquals(0, output.length());
  }

  @Test
  void theNextBatchUsesTheArrayAgain() {
    output.start(ENOUGH);
    write(Plain.JSON.bytes(1000), 1000);
    byte[] array = output.array();
    output.release();
    output.start(ENOUGH);
    byte[] bytes = Plain.RANDOM.bytes(500);
    write(bytes, 100);
    assertSame(array, output.array());
    assertArrayEquals(bytes, Written.to(output));
  }

  @Test
  void dropsWhatOneGiantBatchNeeded() {
    output.start(ENOUGH);
    assertTrue(output.skip(1 << 20));
    output.release();
    for (int i = 0; i < PATIENCE; i++) {
      assertEquals(1 << 20, output.heapBytes());
      output.start(ENOUGH);
      assertTrue(output.skip(1000));
      output.release();
    }
    assertEquals(0, output.heapBytes());
    output.start(ENOUGH);
    assertTrue(output.skip(1));
    assertEquals(OutputBuffer.RESTING_BYTES, output.heapBytes());
  }

  /** A large array that is still needed is not dropped because it did not have to grow. */
  @Test
  void keepsWhatBatchesStillNeed() {
    for (int i = 0; i < 3 * PATIENCE; i++) {
      output.start(ENOUGH);
      assertTrue(output.skip(1));
      assertTrue(output.skip(OutputBuffer.RESTING_BYTES));
      output.release();
      assertEquals(2 * OutputBuffer.RESTING_BYTES, output.heapBytes());
    }
  }

  @Test
  void aHeapWithoutRoomIsAFailure() {
    output.start(Integer.MAX_VALUE);
    byte[] bytes = Plain.JSON.bytes(1000);
    write(bytes, 1000);
    assertFalse(output.skip(Integer.MAX_VALUE - 1000));
    assertEquals(Reason.LIMIT_REBUILT_BYTES, output.failure());
    assertEquals(Integer.MAX_VALUE, output.fault().first());
    assertEquals(OutputBuffer.RESTING_BYTES, output.fault().second(), "what there is");
    output.release();
    output.start(ENOUGH);
    write(bytes, 10);
    assertArrayEquals(bytes, Written.to(output));
  }
}
