// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rule;

/**
 * A range of sizes in bytes, both bounds included.
 *
 * @param least the minimum size, at least 0
 * @param most the maximum size
 */
public record SizeRange(int least, int most) {
  /** Any size. */
  public static final SizeRange ANY = new SizeRange(0, Integer.MAX_VALUE);

  /**
   * Checks the bounds.
   *
   * @param least as above
   * @param most as above
   */
  public SizeRange {
    if (least < 0 || least > most) {
      throw new IllegalArgumentException("no range of sizes: " + least + " to " + most);
    }
  }

  /** {@return a text such as {@code 1-1000}, as in a policy file} */
  @Override
  public String toString() {
    return least + "-" + most;
  }

  /**
   * {@return true if the size is in the range}
   *
   * @param size a size in bytes
   */
  public boolean contains(int size) {
    return size >= least && size <= most;
  }
}
