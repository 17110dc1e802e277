// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.format;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.util.Random;
import java.util.zip.Checksum;
import org.junit.jupiter.api.Test;

/** Compares spliced checksums with those that the JDK computes. */
abstract class CrcSpliceContract {
  private final Random random = new Random(9);

  private final CrcSplice splice;
  private final Checksum checksum;

  CrcSpliceContract(CrcSplice splice, Checksum checksum) {
    this.splice = splice;
    this.checksum = checksum;
  }

  private int crc(byte[] bytes) {
    checksum.reset();
    checksum.update(bytes);
    return (int) checksum.getValue();
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  /** Changes the front of a message byte by byte and compares with the checksum of the result. */
  private void assertSpliced(int frontBytes, int restBytes) {
    byte[] message = bytes(frontBytes + restBytes);
    byte[] front = bytes(frontBytes);
    int remainder = 0;
    for (int i = 0; i < frontBytes; i++) {
      remainder = splice.continueByByte(remainder, message[i] ^ front[i]);
    }
    int before = crc(message);
    System.arraycopy(front, 0, message, 0, frontBytes);
    assertEquals(crc(message), before ^ splice.advance(remainder, restBytes));
  }

  @Test
  void anyFrontBeforeAnyRest() {
    for (int round = 0; round < 2000; round++) {
      assertSpliced(random.nextInt(40), random.nextInt(3000));
    }
  }

  @Test
  void everyDigitOfTheLength() {
    for (int rest : new int[] {0, 1, 255, 256, 257, 65_535, 65_536, 65_793, 1 << 24, 0x1020304}) {
      assertSpliced(22, rest);
    }
  }

  @Test
  void eightBytesAtATime() {
    for (int round = 0; round < 500; round++) {
      byte[] message = bytes(8 + random.nextInt(500));
      long before = ByteBuffer.wrap(message).getLong(0);
      long after = random.nextLong();
      int old = crc(message);
      ByteBuffer.wrap(message).putLong(0, after);
      int remainder = splice.continueBy(0, before ^ after);
      assertEquals(crc(message), old ^ splice.advance(remainder, message.length - 8));
    }
  }

  @Test
  void aWrongChecksumStaysAsWrongAsItWas() {
    byte[] message = bytes(100);
    int error = 0x1234;
    int wrong = crc(message) ^ error;
    int remainder = splice.continueByByte(0, message[0] ^ 77);
    message[0] = 77;
    assertEquals(crc(message) ^ error, wrong ^ splice.advance(remainder, 99));
  }

  /** The rest may be longer than any array: moving twice is moving once by the sum. */
  @Test
  void movesOverMoreThanFitsAnArray() {
    int remainder = random.nextInt();
    int half = Integer.MAX_VALUE / 2;
    int twice = splice.advance(splice.advance(remainder, half), half);
    assertEquals(twice, splice.advance(remainder, 2 * half));
    assertEquals(remainder, splice.advance(remainder, 0));
  }
}
