// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.format;

/**
 * A calculator that updates a CRC after a change to the first bytes that it covers, without reading
 * the rest.
 *
 * <p>A CRC is linear: the checksums of two messages of the same length differ by the remainder of
 * their difference. If only the first bytes differ, this is the remainder of those bytes multiplied
 * by x<sup>n</sup> modulo the polynomial, for n following bits. The power is the product of one
 * table entry for each byte of the length, so the cost does not depend on the length.
 *
 * <p>A wrong stored checksum stays wrong. Computing the checksum from the data would hide the
 * damage.
 *
 * <p>Remainders are reflected, as in the checksum: bit 31 is the coefficient of x<sup>0</sup>.
 * Immutable and thread-safe. Never allocates.
 */
public final class CrcSplice {
  /** The CRC-32C of batches of magic 2. */
  public static final CrcSplice CRC32C = new CrcSplice(0x82F63B78);

  /** The CRC-32 of messages of magic 0 and 1. */
  public static final CrcSplice CRC32 = new CrcSplice(0xEDB88320);

  private static final int ONE = 1 << 31;

  private final int polynomial;

  /** The remainders of all single bytes. */
  private final int[] byteTable;

  /** Entry 256 * i + b is x to the power of 8 * b * 256^i. */
  private final int[] powerTable;

  private CrcSplice(int polynomial) {
    this.polynomial = polynomial;
    byteTable = newByteTable();
    powerTable = newPowerTable();
  }

  /**
   * Extends the remainder of a difference by its next eight bytes.
   *
   * @param remainder the remainder so far, 0 at the start
   * @param difference the old bytes xor the new ones, big-endian
   * @return the remainder including the eight bytes
   */
  public int continueBy(int remainder, long difference) {
    int result = remainder;
    for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
      result = continueByByte(result, (int) (difference >>> shift));
    }
    return result;
  }

  /**
   * Extends the remainder of a difference by its next byte.
   *
   * @param remainder the remainder so far, 0 at the start
   * @param difference the old byte xor the new one, in the low 8 bits
   * @return the remainder including the byte
   */
  public int continueByByte(int remainder, int difference) {
    return remainder >>> Byte.SIZE ^ byteTable[(remainder ^ difference) & 0xFF];
  }

  /**
   * Extends the remainder of a difference by bytes that did not change.
   *
   * @param remainder the remainder so far
   * @param bytes the number of unchanged bytes, at least 0
   * @return the number to xor with the old checksum
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
