// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.batchvalidator.testing.streams.Plain;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PayloadTest {
  private static final byte[] STORED = Plain.RANDOM.bytes(50);

  private final Payload payload = new Payload();
  private final Scratch scratch = new Scratch(8);

  @ParameterizedTest
  @EnumSource
  void numbersDoNotDependOnTheBuffersOrder(Placement.Kind kind) {
    Placement placement = Placement.of(kind, STORED);
    placement.wrap(payload);
    ByteBuffer big = ByteBuffer.wrap(STORED);
    ByteBuffer little = ByteBuffer.wrap(STORED).order(ByteOrder.LITTLE_ENDIAN);
    assertEquals(STORED.length, payload.length());
    for (int at = 0; at <= STORED.length - Long.BYTES; at++) {
      assertEquals(STORED[at], payload.get(at));
      assertEquals(little.getShort(at) & 0xFFFF, payload.getUint16LittleEndian(at));
      assertEquals(little.getInt(at) & 0xFFFFFF, payload.getUint24LittleEndian(at));
      assertEquals(little.getInt(at), payload.getIntLittleEndian(at));
      assertEquals(big.getInt(at), payload.getIntBigEndian(at));
      assertEquals(big.getLong(at), payload.getLongBigEndian(at));
    }
    placement.assertUntouched();
  }

  @ParameterizedTest
  @EnumSource
  void stretchesAndCopies(Placement.Kind kind) {
    Placement placement = Placement.of(kind, STORED);
    placement.wrap(payload);
    for (int from = 0; from <= STORED.length; from++) {
      int bytes = STORED.length - from;
      byte[] expected = Arrays.copyOfRange(STORED, from, STORED.length);
      payload.stretch(from, bytes, scratch);
      int offset = payload.arrayOffset();
      assertArrayEquals(expected, Arrays.copyOfRange(payload.array(), offset, offset + bytes));
      ByteBuffer target = ByteBuffer.allocateDirect(STORED.length);
      payload.copyTo(target, from, bytes);
      byte[] copy = new byte[bytes];
      target.get(0, copy);
      assertArrayEquals(expected, copy);
      assertEquals(0, target.position());
    }
    placement.assertUntouched();
  }

  @ParameterizedTest
  @EnumSource
  void onlyMemoryWithoutAnArrayIsCopied(Placement.Kind kind) {
    Placement.of(kind, STORED).wrap(payload);
    payload.stretch(0, STORED.length, scratch);
    assertEquals(payload.isArray() ? 0 : STORED.length, scratch.heapBytes());
  }

  @Test
  void clearedItIsEmpty() {
    Placement.of(Placement.Kind.HEAP, STORED).wrap(payload);
    payload.stretch(0, STORED.length, scratch);
    payload.clear();
    assertEquals(0, payload.length());
    assertEquals(0, payload.array().length);
  }
}
