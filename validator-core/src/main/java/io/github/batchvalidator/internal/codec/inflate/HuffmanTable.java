// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.inflate;

import java.util.Arrays;

/**
 * A Huffman code of deflate (RFC 1951, 3.2.2) as a table that is looked up with the next bits of
 * the stream. Codes longer than the root of the table are found behind a link. Codes that zlib
 * refuses are refused, and nothing is accepted that zlib does not accept. Re-used for one code
 * after the other; never allocates, never throws.
 *
 * <pre>
 *  31      30          16   14   13   12     11     8     5       0
 *  +-------+------------+  +----+----+----+  +-------+    +--------+
 *  |literal|   value    |  |end |link|spec|  |length |    |  drop  |     an entry
 *  +-------+------------+  +----+----+----+  +-------+    +--------+
 *
 *  drop    bits of the code and of the extra bits behind it
 *  length  bits of the code alone; of a link, the bits to look up there
 *  value   literal, base of a length or distance; of a link, where its entries start
 *  spec    none of these: a link, the end of a block, or, alone, no code at all
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

  /** Added to a meaning for each bit of its code. */
  private static final int ONE_BIT = 1 << LENGTH_SHIFT | 1;

  private final int rootBits;
  private final int[] entries;
  private final short[] symbols;
  private final int[] counts = new int[MAX_BITS + 1];
  private final int[] starts = new int[MAX_BITS + 2];

  /**
   * Creates a table without a code.
   *
   * @param rootBits of the part that is looked up first, below 15
   * @param size entries that any code of these symbols takes at the most
   * @param symbols how many a code has at the most
   */
  HuffmanTable(int rootBits, int size, int symbols) {
    this.rootBits = rootBits;
    this.symbols = new short[symbols];
    entries = new int[size];
  }

  /** {@return the entries: first those of the root} */
  int[] entries() {
    return entries;
  }

  /** {@return the entry of the code that the lowest of some bits are} */
  int find(long bits) {
    int entry = entries[(int) bits & (1 << rootBits) - 1];
    return (entry & LINK) != 0 ? follow(entries, entry, bits >>> rootBits) : entry;
  }

  /** {@return what a link leads to, given the bits behind those of the root} */
  static int follow(int[] entries, int link, long bits) {
    int mask = (1 << (link >> LENGTH_SHIFT & LENGTH)) - 1;
    return entries[(link >> VALUE_SHIFT) + ((int) bits & mask)];
  }

  /** {@return the value of an entry with the extra bits, given the bits from the code on} */
  static int value(int entry, long bits) {
    return (entry >> VALUE_SHIFT) + (int) ((bits & (1L << entry) - 1) >>> (entry >> LENGTH_SHIFT));
  }

  /**
   * Takes the next code.
   *
   * @param lengths bits of the code of each symbol, 0 if it has none
   * @param from index of the first symbol
   * @param count of symbols
   * @param meanings the entry of each symbol, before the bits of its code are added
   * @param mayBeScarce whether a code of one bit for one symbol, or no code at all, will do
   * @return false if there is no such code
   */
  boolean build(byte[] lengths, int from, int count, int[] meanings, boolean mayBeScarce) {
    Arrays.fill(counts, 0);
    for (int i = from; i < from + count; i++) {
      counts[lengths[i]]++;
    }
    int coded = count - counts[0];
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
    for (int i = 0; i < count; i++) {
      int bits = lengths[from + i];
      if (bits > 0) {
        symbols[starts[bits]++] = (short) i;
      }
    }
    fill(meanings);
    return true;
  }

  /** Codes go up with their lengths. In the table their first bit is the lowest. */
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

  /** {@return how many bits behind the root tell the codes apart that share the next root} */
  private int linkBits(int firstBits, int ofTheFirst) {
    int bits = firstBits;
    int used = ofTheFirst;
    while (used < 1 << (bits - rootBits)) {
      bits++;
      used = 2 * used + counts[bits];
    }
    return bits - rootBits;
  }

  /** {@return the next code of so many bits, the first one being the lowest} */
  private static int successor(int code, int bits) {
    int carry = Integer.highestOneBit(~code & (1 << bits) - 1);
    return (code & (carry - 1)) | carry;
  }
}
