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
  private static final int REPEAT_LAST = 16;
  private static final int ZEROS = 17;
  private static final int MANY_ZEROS = 18;

  /** The order of the code lengths of the code length alphabet in the stream. */
  private static final byte[] ORDER = {
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15
  };

  private static final int[] MEANINGS = meanings();

  /** The maximum heap bytes of an instance. */
  static final int HEAP_BYTES =
      DeflateCodes.MAX_LITERALS + DeflateCodes.MAX_DISTANCES + (Integer.BYTES << ROOT_BITS);

  private final byte[] lengths = new byte[DeflateCodes.MAX_LITERALS + DeflateCodes.MAX_DISTANCES];
  private final HuffmanTable table = new HuffmanTable(ROOT_BITS, 1 << ROOT_BITS, SYMBOLS);

  private static int[] meanings() {
    int[] meanings = new int[SYMBOLS];
    for (int i = 0; i < SYMBOLS; i++) {
      meanings[i] = i << HuffmanTable.VALUE_SHIFT;
    }
    return meanings;
  }

  /** {@return false if the next bits do not define both codes, or the input ends} */
  boolean read(DeflateReader in, DeflateCodes codes) {
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

  private boolean readTable(DeflateReader in, int given) {
    Arrays.fill(lengths, 0, SYMBOLS, (byte) 0);
    for (int i = 0; i < given; i++) {
      in.fill();
      if (in.bits() < 3) {
        return false;
      }
      lengths[ORDER[i]] = (byte) in.take(3);
    }
    return table.build(lengths, 0, SYMBOLS, MEANINGS, false);
  }

  private boolean readLengths(DeflateReader in, int count) {
    int i = 0;
    while (i < count) {
      in.fill();
      int entry = table.find(in.peek());
      int drop = entry & HuffmanTable.DROP;
      int symbol = entry >> HuffmanTable.VALUE_SHIFT;
      int extra = extraBits(symbol);
      if (drop + extra > in.bits()) {
        return false;
      }
      in.take(drop);
      if (symbol < REPEAT_LAST) {
        lengths[i++] = (byte) symbol;
        continue;
      }
      int times = (symbol == MANY_ZEROS ? 11 : 3) + in.take(extra);
      if (times > count - i || (symbol == REPEAT_LAST && i == 0)) {
        return false;
      }
      Arrays.fill(lengths, i, i + times, symbol == REPEAT_LAST ? lengths[i - 1] : 0);
      i += times;
    }
    return true;
  }

  private static int extraBits(int symbol) {
    return switch (symbol) {
      case REPEAT_LAST -> 2;
      case ZEROS -> 3;
      case MANY_ZEROS -> 7;
      default -> 0;
    };
  }
}
