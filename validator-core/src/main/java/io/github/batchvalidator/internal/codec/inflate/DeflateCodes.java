// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.inflate;

import java.util.Arrays;

/**
 * The two Huffman codes of a deflate block (RFC 1951, 3.2.5 to 3.2.7): one for literals and
 * lengths, one for distances. A block uses the fixed codes or defines its own.
 */
final class DeflateCodes {
  /** Number of root bits. The tables stay in the L1 cache, and most codes need no link. */
  static final int LITERAL_ROOT_BITS = 10;

  static final int DISTANCE_ROOT_BITS = 8;

  /**
   * Maximum number of symbols in a block's own codes. Each fixed code has two more, without a
   * meaning.
   */
  static final int MAX_LITERALS = 286;

  static final int MAX_DISTANCES = 30;

  static final int FIRST_LITERALS = 257;
  static final int END_OF_BLOCK = 256;

  private static final int FIXED_LITERALS = 288;
  private static final int FIXED_DISTANCES = 32;

  /** Maximum number of entries in a table with this root, for codes of up to 15 bits. */
  private static final int LITERAL_ENTRIES = 1334;

  private static final int DISTANCE_ENTRIES = 402;

  private static final int[] LITERAL_MEANINGS = literalMeanings();
  private static final int[] DISTANCE_MEANINGS = distanceMeanings();

  static final DeflateCodes FIXED = fixed();

  private final HuffmanTable literals =
      new HuffmanTable(LITERAL_ROOT_BITS, LITERAL_ENTRIES, FIXED_LITERALS);
  private final HuffmanTable distances =
      new HuffmanTable(DISTANCE_ROOT_BITS, DISTANCE_ENTRIES, FIXED_DISTANCES);

  /** {@return the code of literals, lengths and the end of the block} */
  HuffmanTable literals() {
    return literals;
  }

  /** {@return the code of distances} */
  HuffmanTable distances() {
    return distances;
  }

  /** {@return the heap bytes of an instance} */
  int heapBytes() {
    return literals.heapBytes() + distances.heapBytes();
  }

  /**
   * Builds the codes of a block.
   *
   * @param lengths the code lengths in bits, first of literals and lengths, then of distances
   * @param literalCount the number of literals and lengths
   * @param distanceCount the number of distances
   * @return false if the codes are invalid, or if the JDK's inflater has to decide about them
   */
  boolean build(byte[] lengths, int literalCount, int distanceCount) {
    return literals.build(lengths, 0, literalCount, LITERAL_MEANINGS, false)
        && distances.build(lengths, literalCount, distanceCount, DISTANCE_MEANINGS, true);
  }

  private static DeflateCodes fixed() {
    byte[] lengths = new byte[FIXED_LITERALS + FIXED_DISTANCES + Long.BYTES];
    Arrays.fill(lengths, 0, 144, (byte) 8);
    Arrays.fill(lengths, 144, 256, (byte) 9);
    Arrays.fill(lengths, 256, 280, (byte) 7);
    Arrays.fill(lengths, 280, FIXED_LITERALS, (byte) 8);
    Arrays.fill(lengths, FIXED_LITERALS, FIXED_LITERALS + FIXED_DISTANCES, (byte) 5);
    DeflateCodes codes = new DeflateCodes();
    codes.build(lengths, FIXED_LITERALS, FIXED_DISTANCES);
    return codes;
  }

  /**
   * Returns the entries. The number of extra bits grows every four lengths. The last, 258, has
   * none.
   */
  private static int[] literalMeanings() {
    int[] meanings = new int[FIXED_LITERALS];
    for (int literal = 0; literal < END_OF_BLOCK; literal++) {
      meanings[literal] = HuffmanTable.LITERAL | literal << HuffmanTable.VALUE_SHIFT;
    }
    meanings[END_OF_BLOCK] = HuffmanTable.SPECIAL | HuffmanTable.END;
    int length = 3;
    for (int i = 0; i < MAX_LITERALS - FIRST_LITERALS - 1; i++) {
      int extra = Math.max(0, i / 4 - 1);
      meanings[FIRST_LITERALS + i] = length << HuffmanTable.VALUE_SHIFT | extra;
      length += 1 << extra;
    }
    meanings[MAX_LITERALS - 1] = DeflateReader.MAX_MATCH_BYTES << HuffmanTable.VALUE_SHIFT;
    Arrays.fill(meanings, MAX_LITERALS, FIXED_LITERALS, HuffmanTable.SPECIAL);
    return meanings;
  }

  /** Returns the entries. The number of extra bits grows every two distances. */
  private static int[] distanceMeanings() {
    int[] meanings = new int[FIXED_DISTANCES];
    int distance = 1;
    for (int i = 0; i < MAX_DISTANCES; i++) {
      int extra = Math.max(0, i / 2 - 1);
      meanings[i] = distance << HuffmanTable.VALUE_SHIFT | extra;
      distance += 1 << extra;
    }
    Arrays.fill(meanings, MAX_DISTANCES, FIXED_DISTANCES, HuffmanTable.SPECIAL);
    return meanings;
  }
}
