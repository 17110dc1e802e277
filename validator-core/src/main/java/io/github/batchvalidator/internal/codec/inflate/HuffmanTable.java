// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.inflate;

import java.util.Arrays;

/**
 * A lookup table for a Huffman code of deflate (RFC 1951, 3.2.2), indexed by the next bits of the
 * stream. A link leads to codes longer than the root of the table. Every code that zlib rejects is
 * rejected. Reused for one code after another. Never allocates, never throws.
 *
 * <pre>
 *  31      30          16   14   13   12     11     8     5       0
 *  +-------+------------+  +----+----+----+  +-------+    +--------+
 *  |literal|   value    |  |end |link|spec|  |length |    |  drop  |     an entry
 *  +-------+------------+  +----+----+----+  +-------+    +--------+
 *
 *  drop    bits of the code and of its extra bits
 *  length  bits of the code alone; in a link, the bits to look up next
 *  value   literal, base of a length or distance; in a link, the start of its entries
 *  spec    a link, the end of a block or, alone, an invalid code
 * </pre>
 */
final class HuffmanTable {
  static final int DROP = 0x3F;
  static final int LENGTH_SHIFT = 8;
  static final int SPECIAL = 1 << 12;
  static final int LINK = 1 << 13;
  static final int END = 1 << 14;
  static final int VALUE_SHIFT = 16;
  static final int LITERAL = 1 << 31;

  private static final int LENGTH = 0xF;
  private static final int MAX_BITS = 15;

  /** A collected symbol is above the length of its code. */
  private static final int SYMBOL_SHIFT = 4;

  /** Added to a meaning for each bit of its code. */
  private static final int ONE_BIT = 1 << LENGTH_SHIFT | 1;

  private final int rootBits;
  private final int[] entries;
  private final short[] collected;
  private final short[] symbols;
  private final int[] counts = new int[MAX_BITS + 1];
  private final int[] starts = new int[MAX_BITS + 2];

  /**
   * Creates an empty table.
   *
   * @param rootBits the number of bits to look up first, below 15
   * @param size the maximum number of entries for any code of these symbols
   * @param symbols the maximum number of symbols of a code
   */
  HuffmanTable(int rootBits, int size, int symbols) {
    this.rootBits = rootBits;
    this.symbols = new short[symbols];
    collected = new short[symbols];
    entries = new int[size];
  }

  /** {@return the bytes of the arrays} */
  int heapBytes() {
    return Integer.BYTES * (entries.length + counts.length + starts.length)
        + Short.BYTES * (collected.length + symbols.length);
  }

  /** {@return the entries, those of the root first} */
  int[] entries() {
    return entries;
  }

  /** {@return the entry of the code in the lowest bits of {@code bits}} */
  int find(long bits) {
    int entry = entries[(int) bits & (1 << rootBits) - 1];
    return resolve(entries, entry, bits >>> rootBits);
  }

  /**
   * {@return the entry itself or, if it is a link, the one it leads to, given the bits after it}
   */
  static int resolve(int[] entries, int entry, long bits) {
    return (entry & LINK) != 0 ? follow(entries, entry, bits) : entry;
  }

  /** {@return the entry that a link leads to, given the bits after the root} */
  static int follow(int[] entries, int link, long bits) {
    int mask = (1 << (link >> LENGTH_SHIFT & LENGTH)) - 1;
    return entries[(link >> VALUE_SHIFT) + ((int) bits & mask)];
  }

  /** {@return the value of an entry plus its extra bits, given the bits from the code on} */
  static int value(int entry, long bits) {
    return (entry >> VALUE_SHIFT) + (int) ((bits & (1L << entry) - 1) >>> (entry >> LENGTH_SHIFT));
  }

  /**
   * Builds the table of another code.
   *
   * @param lengths the code length of each symbol in bits, 0 if it has no code; and seven more
   *     bytes, which are ignored
   * @param from index of the first symbol
   * @param count the number of symbols
   * @param meanings the entry of each symbol, without the bits of its code
   * @param mayBeScarce true if a single code of one bit, or no code at all, is valid
   * @return false if the code is invalid
   */
  boolean build(byte[] lengths, int from, int count, int[] meanings, boolean mayBeScarce) {
    Arrays.fill(counts, 0);
    int coded = collect(lengths, from, count);
    int free = 1;
    starts[1] = 0;
    for (int bits = 1; bits <= MAX_BITS; bits++) {
      free = 2 * free - counts[bits];
      if (free < 0) {
        return false;
      }
      starts[bits + 1] = starts[bits] + counts[bits];
    }
    if (free > 0 && !(mayBeScarce && coded == counts[1])) {
      return false;
    }
    for (int i = 0; i < coded; i++) {
      int one = collected[i];
      symbols[starts[one & LENGTH]++] = (short) (one >> SYMBOL_SHIFT);
    }
    fill(meanings);
    return true;
  }

  /** Collects and counts the symbols with a code. Passes over eight without a code at a time. */
  private int collect(byte[] lengths, int from, int count) {
    int coded = 0;
    for (int i = 0; i < count; i += Long.BYTES) {
      long eight = (long) BitInput.WORD.get(lengths, from + i);
      if (count - i < Long.BYTES) {
        eight &= (1L << (Byte.SIZE * (count - i))) - 1;
      }
      for (int symbol = i; eight != 0; symbol++) {
        int bits = (int) eight & LENGTH;
        if (bits > 0) {
          counts[bits]++;
          collected[coded++] = (short) (symbol << SYMBOL_SHIFT | bits);
        }
        eight >>>= Byte.SIZE;
      }
    }
    return coded;
  }

  /**
   * Fills the root. Codes ascend with their lengths, and their first bit is the lowest in the
   * table.
   */
  private void fill(int[] meanings) {
    int code = 0;
    int next = 0;
    entries[0] = SPECIAL;
    for (int bits = 1; bits <= rootBits; bits++) {
      int half = 1 << (bits - 1);
      System.arraycopy(entries, 0, entries, half, half);
      for (int left = counts[bits]; left > 0; left--) {
        entries[code] = meanings[symbols[next++]] + bits * ONE_BIT;
        code = successor(code, bits);
      }
    }
    fillLinks(meanings, code, next);
  }

  private void fillLinks(int[] meanings, int firstCode, int firstSymbol) {
    int code = firstCode;
    int next = firstSymbol;
    int rootMask = (1 << rootBits) - 1;
    int linked = -1;
    int start = 0;
    int end = 1 << rootBits;
    for (int bits = rootBits + 1; bits <= MAX_BITS; bits++) {
      for (int left = counts[bits]; left > 0; left--) {
        if ((code & rootMask) != linked) {
          linked = code & rootMask;
          start = end;
          int more = linkBits(bits, left);
          end = start + (1 << more);
          entries[linked] = start << VALUE_SHIFT | LINK | SPECIAL | more << LENGTH_SHIFT;
        }
        int entry = meanings[symbols[next++]] + bits * ONE_BIT;
        int step = 1 << (bits - rootBits);
        for (int i = start + (code >> rootBits); i < end; i += step) {
          entries[i] = entry;
        }
        code = successor(code, bits);
      }
    }
  }

  /** {@return the number of bits after the root that distinguish the codes with the next root} */
  private int linkBits(int firstBits, int ofTheFirst) {
    int bits = firstBits;
    int used = ofTheFirst;
    while (used < 1 << (bits - rootBits)) {
      bits++;
      used = 2 * used + counts[bits];
    }
    return bits - rootBits;
  }

  /** {@return the next code of {@code bits} bits, where the first bit is the lowest} */
  private static int successor(int code, int bits) {
    int carry = Integer.highestOneBit(~code & (1 << bits) - 1);
    return (code & (carry - 1)) | carry;
  }
}
