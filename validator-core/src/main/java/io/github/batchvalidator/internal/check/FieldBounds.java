// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.check;

import io.github.batchvalidator.rule.SizeRange;

/**
 * Bounds within which a record passes every rule about its sizes and its timestamp. A record
 * outside of them may pass, too: a null key whose size is limited, for instance.
 *
 * <p>Each field costs one comparison instead of up to three: a number is between two others if its
 * distance from the first, as an unsigned number, is at most theirs. {@code MIN_VALUE} turns that
 * into a comparison of signed numbers. Never allocates. Confined to one thread.
 */
final class FieldBounds {
  /** The years 2000 to 2100, in milliseconds since the epoch. */
  private static final long LEAST_PLAUSIBLE_MS = 946_684_800_000L;

  private static final long MOST_PLAUSIBLE_MS = 4_102_444_800_000L;

  static final long THOUSAND = 1000;

  private static final int NULL_SIZE = -1;

  private int keyFrom;
  private int keySpan;
  private int valueFrom;
  private int valueSpan;
  private long deltaFrom;
  private long deltaSpan;

  FieldBounds() {}

  /**
   * Sets the bounds of keys.
   *
   * @param required true if there has to be a key
   * @param range the sizes that are allowed
   */
  void keys(boolean required, SizeRange range) {
    int least = least(required, range);
    keyFrom = least + Integer.MIN_VALUE;
    keySpan = range.most() - least + Integer.MIN_VALUE;
  }

  /**
   * Sets the bounds of values.
   *
   * @param required true if there has to be a value
   * @param range the sizes that are allowed
   */
  void values(boolean required, SizeRange range) {
    int least = least(required, range);
    valueFrom = least + Integer.MIN_VALUE;
    valueSpan = range.most() - least + Integer.MIN_VALUE;
  }

  private static int least(boolean required, SizeRange range) {
    return required || range.least() > 0 ? range.least() : NULL_SIZE;
  }

  /**
   * Sets the bounds of timestamps: those that are plausible, or none.
   *
   * @param checked false if every timestamp passes
   * @param base the timestamp of a delta of 0, milliseconds since the epoch
   */
  void timestamps(boolean checked, long base) {
    deltaFrom = LEAST_PLAUSIBLE_MS - base + Long.MIN_VALUE;
    deltaSpan = checked ? MOST_PLAUSIBLE_MS - LEAST_PLAUSIBLE_MS + Long.MIN_VALUE : Long.MAX_VALUE;
  }

  /** {@return true if a time in milliseconds since the epoch is in the years 2000 to 2100} */
  static boolean isPlausible(long milliseconds) {
    return milliseconds >= LEAST_PLAUSIBLE_MS && milliseconds <= MOST_PLAUSIBLE_MS;
  }

  /** {@return true if a time in seconds since the epoch is in the years 2000 to 2100} */
  static boolean isPlausibleInSeconds(long seconds) {
    boolean isSmall = seconds >= 0 && seconds <= MOST_PLAUSIBLE_MS / THOUSAND;
    return isSmall && isPlausible(seconds * THOUSAND);
  }

  /**
   * {@return true if a record is within the bounds}
   *
   * @param keySize bytes, negative for null
   * @param valueSize bytes, negative for null
   * @param timestampDelta milliseconds
   */
  boolean contain(int keySize, int valueSize, long timestampDelta) {
    return keySize - keyFrom <= keySpan
        && valueSize - valueFrom <= valueSpan
        && timestampDelta - deltaFrom <= deltaSpan;
  }
}
