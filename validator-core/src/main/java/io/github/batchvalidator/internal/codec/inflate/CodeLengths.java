// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.inflate;

import java.util.Arrays;

/**
 * A reader of the Huffman codes at the start of a deflate block (RFC 1951, 3.2.7). The stream
 * contains the code length of each symbol, itself Huffman-coded. Confined to one thread.
 */
final class CodeLengths {
  private static final int SYMBOLS = 19;
  private static final int ROOT_BITS = 7;
  private static final int ROOT_MASK = (1 << ROOT_BITS) - 1;

  /** The first symbol that repeats a length. The smaller ones are lengths. */
  private static final int FIRST_REPEAT = 16;

  private static final int MIN_REPEATS = 3;
  private static final int MIN_MANY_ZEROS = 11;

  /**
   * In the entry of a repetition: repeats the last length, and not 0. {@link HuffmanTable#value}
   * ignores this bit.
   */
  private static final int OF_LAST = HuffmanTable.END;

  /** The order of the code lengths of the code length alphabet in the stream. */
  private static final byte[] ORDER = {
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15
  };

  private static final int[] MEANINGS = meanings();

  /** The tables read the lengths word by word. */
  private static final int LENGTHS_BYTES =
      DeflateCodes.MAX_LITERALS + DeflateCodes.MAX_DISTANCES + Long.BYTES;

  private final byte[] lengths = new byte[LENGTHS_BYTES];
  private final HuffmanTable table = new HuffmanTable(ROOT_BITS, 1 << ROOT_BITS, SYMBOLS);

  private static int[] meanings() {
    int[] meanings = new int[SYMBOLS];
    for (int length = 0; length < FIRST_REPEAT; length++) {
      meanings[length] = HuffmanTable.LITERAL | length << HuffmanTable.VALUE_SHIFT;
    }
    meanings[FIRST_REPEAT] = OF_LAST | MIN_REPEATS << HuffmanTable.VALUE_SHIFT | 2;
    meanings[FIRST_REPEAT + 1] = MIN_REPEATS << HuffmanTable.VALUE_SHIFT | 3;
    meanings[FIRST_REPEAT + 2] = MIN_MANY_ZEROS << HuffmanTable.VALUE_SHIFT | 7;
    return meanings;
  }

  /** {@return the heap bytes of an instance} */
  int heapBytes() {
    return LENGTHS_BYTES + table.heapBytes();
  }

  /** {@return false if the next bits do not define both codes, or the input ends} */
  boolean read(BitInput in, DeflateCodes codes) {
    in.fill();
    if (in.bits() < 14) {
      return false;
    }
    int literals = DeflateCodes.FIRST_LITERALS + in.take(5);
    int distances = 1 + in.take(5);
    int given = 4 + in.take(4);
    return literals <= DeflateCodes.MAX_LITERALS
        && distances <= DeflateCodes.MAX_DISTANCES
        && readTable(in, given)
        && readLengths(in, literals + distances)
        && lengths[DeflateCodes.END_OF_BLOCK] != 0
        && codes.build(lengths, literals, distances);
  }

  private boolean readTable(BitInput in, int given) {
    Arrays.fill(lengths, 0, SYMBOLS, (byte) 0);
    for (int i = 0; i < given; i++) {
      if (in.bits() < 3) {
        in.fill();
        if (in.bits() < 3) {
          return false;
        }
      }
      lengths[ORDER[i]] = (byte) in.take(3);
    }
    return table.build(lengths, 0, SYMBOLS, MEANINGS, false);
  }

  private boolean readLengths(BitInput in, int count) {
    int i = readByWords(in, count);
    while (i >= 0 && i < count) {
      in.fill();
      long word = in.peek();
      int entry = table.find(word);
      int drop = entry & HuffmanTable.DROP;
      if (drop > in.bits()) {
        return false;
      }
      in.take(drop);
      if (entry < 0) {
        lengths[i++] = (byte) (entry >> HuffmanTable.VALUE_SHIFT);
      } else {
        i = repeat(entry, word, i, count);
      }
    }
    return i >= 0;
  }

  /** Reads lengths while the input has room for whole words. Returns as {@link #repeat}. */
  private int readByWords(BitInput in, int count) {
    byte[] input = in.array();
    int[] entries = table.entries();
    int lastWord = in.end() - Long.BYTES;
    int next = in.at();
    int there = in.bits();
    long word = in.peek();
    int i = 0;
    while (i >= 0 && i < count && next <= lastWord) {
      word |= (long) BitInput.WORD.get(input, next) << there;
      next += BitInput.bytesAdded(there);
      there |= BitInput.WORD_BITS;
      int entry = entries[(int) word & ROOT_MASK];
      if (entry < 0) {
        lengths[i++] = (byte) (entry >> HuffmanTable.VALUE_SHIFT);
      } else {
        i = repeat(entry, word, i, count);
      }
      word >>>= entry;
      there -= entry & HuffmanTable.DROP;
    }
    in.resume(next, word, there);
    return i;
  }

  /** {@return the index after a repeated length, or -1 if the repetition is invalid} */
  private int repeat(int entry, long word, int from, int count) {
    int to = from + HuffmanTable.value(entry, word);
    boolean ofLast = (entry & OF_LAST) != 0;
    if (to > count || (ofLast && from == 0)) {
      return -1;
    }
    Arrays.fill(lengths, from, to, ofLast ? lengths[from - 1] : 0);
    return to;
  }
}
