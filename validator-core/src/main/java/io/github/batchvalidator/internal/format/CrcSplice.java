// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.format;

/**
 * Changes a CRC to fit a change of the bytes at the front of what it covers, without reading the
 * rest.
 *
 * <p>A CRC is linear: the checksums of two messages of one length differ by the remainder of their
 * difference, and that remainder is the one of the differing front, multiplied by x to the power of
 * the bits that follow, modulo the polynomial. The power is put together from one table entry for
 * each byte of the length, so the cost does not depend on the length. A stored checksum that was
 * wrong stays wrong, where computing it anew would hide the damage.
 *
 * <p>Remainders are reflected, as in the checksum: bit 31 is the coefficient of x<sup>0</sup>.
 * Immutable, safe for any thread, never allocates.
 */
public final class CrcSplice {
  /** CRC-32C, of batches of magic 2. */
  public static final CrcSplice CRC32C = new CrcSplice(0x82F63B78);

  /** CRC-32, of messages of magic 0 and 1. */
  public static final CrcSplice CRC32 = new CrcSplice(0xEDB88320);

  private static final int ONE = 1 << 31;

  private final int polynomial;

  /** Remainders of one byte, for the front. */
  private final int[] byteTable;

  /** Entry 256 * i + b is x to the power of 8 * b * 256^i. */
  private final int[] powerTable;

  private CrcSplice(int polynomial) {
    this.polynomial = polynomial;
    byteTable = newByteTable();
    powerTable = newPowerTable();
  }

  /**
   * Continues the remainder of a difference by eight bytes of it.
   *
   * @param remainder 0 at the start
   * @param difference the old bytes xor the new ones, big endian
   * @return the remainder of the longer front
   */
  public int continueBy(int remainder, long difference) {
    int result = remainder;
    for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
      result = continueByByte(result, (int) (difference >>> shift));
    }
    return result;
  }

  /**
   * Continues the remainder of a difference by its next byte, the low one of {@code difference}.
   *
   * @param remainder of the difference so far
   * @param difference the old byte xor the new one, in the low 8 bits
   * @return the remainder of the longer front
   */
  public int continueByByte(int remainder, int difference) {
    return remainder >>> Byte.SIZE ^ byteTable[(remainder ^ difference) & 0xFF];
  }

  /**
   * Moves the remainder of a difference over bytes that do not differ.
   *
   * @param remainder of the differing front
   * @param bytes how many follow, at least 0
   * @return what to xor to the old checksum
   */
  public int advance(int remainder, int bytes) {
    int result = remainder;
    int table = 0;
    for (int rest = bytes; rest != 0; rest >>>= Byte.SIZE) {
      int digit = rest & 0xFF;
      if (digit != 0) {
        result = multiply(result, powerTable[table + digit]);
      }
      table += 256;
    }
    return result;
  }

  private int multiply(int a, int b) {
    int product = 0;
    int shifted = b;
    for (int rest = a; rest != 0; rest <<= 1) {
      product ^= shifted & (rest >> 31);
      shifted = timesX(shifted);
    }
    return product;
  }

  private int timesX(int a) {
    return (a >>> 1) ^ (polynomial & -(a & 1));
  }

  private int[] newByteTable() {
    int[] table = new int[256];
    for (int value = 0; value < table.length; value++) {
      int remainder = value;
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        remainder = timesX(remainder);
      }
      table[value] = remainder;
    }
    return table;
  }

  private int[] newPowerTable() {
    int[] table = new int[Integer.BYTES * 256];
    int step = ONE;
    for (int bit = 0; bit < Byte.SIZE; bit++) {
      step = timesX(step);
    }
    for (int base = 0; base < table.length; base += 256) {
      table[base] = ONE;
      for (int digit = 1; digit < 256; digit++) {
        table[base + digit] = multiply(table[base + digit - 1], step);
      }
      step = multiply(table[base + 255], step);
    }
    return table;
  }
}
