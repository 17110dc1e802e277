// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A comparison of what {@link GoldenVerdicts} printed on two processors.
 *
 * <p>One difference is libzstd's own: its fast loop for Huffman codes is compiled for little-endian
 * processors only, and does not notice all damage that the other loop notices. A damaged ZSTD frame
 * may therefore be corrupt for one processor and something else for the other.
 *
 * @param cases how many were compared
 * @param damagedFrames how many differ in that way
 * @param differing all others that differ, a line each
 */
record GoldenComparison(int cases, int damagedFrames, List<String> differing) {
  private static final Pattern CORRUPT_FRAME =
      Pattern.compile("\\d+ damaged [A-Za-z_ ]+: ZSTD CODEC_DATA_CORRUPT .*");

  private static final int SHOWN = 10;

  /** Compares the lines of two processors. */
  static GoldenComparison of(List<String> here, List<String> there) {
    List<String> differing = new ArrayList<>();
    int damagedFrames = 0;
    for (int i = 0; i < Math.max(here.size(), there.size()); i++) {
      String one = i < here.size() ? here.get(i) : "missing";
      String other = i < there.size() ? there.get(i) : "missing";
      if (isDamagedFrame(one, other)) {
        damagedFrames++;
      } else if (!one.equals(other)) {
        differing.add(one + " | " + other);
      }
    }
    return new GoldenComparison(here.size(), damagedFrames, differing);
  }

  /** Tells whether the lines differ, and exactly one processor finds the ZSTD frame corrupt. */
  private static boolean isDamagedFrame(String one, String other) {
    boolean sameCase = one.split(": ZSTD ", 2)[0].equals(other.split(": ZSTD ", 2)[0]);
    return sameCase
        && CORRUPT_FRAME.matcher(one).matches() != CORRUPT_FRAME.matcher(other).matches();
  }

  @Override
  public String toString() {
    String first = String.join("\n", differing.subList(0, Math.min(SHOWN, differing.size())));
    return cases
        + " cases, "
        + damagedFrames
        + " of damaged ZSTD frames differ, "
        + differing.size()
        + " others differ"
        + (first.isEmpty() ? "" : "\n" + first);
  }
}
