// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.watch;

import java.util.Objects;

/**
 * How many values fell into each bucket. The upper bounds are the powers of two, 1, 2, 4, ..., each
 * included in its bucket; the last bucket takes what is larger. As safe and as current as the
 * {@link Counts} that it is part of.
 */
public final class Histogram {
  private final Counts counts;
  private final int firstPlace;
  private final int buckets;

  Histogram(Counts counts, int firstPlace, int buckets) {
    this.counts = counts;
    this.firstPlace = firstPlace;
    this.buckets = buckets;
  }

  /** Returns the bucket that a value falls into; what is below 1 falls into the first. */
  static int bucket(long value, int buckets) {
    int exact = value <= 1 ? 0 : Long.SIZE - Long.numberOfLeadingZeros(value - 1);
    return Math.min(exact, buckets - 1);
  }

  /** {@return how many buckets there are} */
  public int buckets() {
    return buckets;
  }

  /**
   * {@return the largest value of a bucket; that of the last one is {@link Long#MAX_VALUE}}
   *
   * @param bucket 0 to {@link #buckets()} - 1
   */
  public long upperBound(int bucket) {
    return Objects.checkIndex(bucket, buckets) == buckets - 1 ? Long.MAX_VALUE : 1L << bucket;
  }

  /**
   * {@return how many values fell into a bucket}
   *
   * @param bucket 0 to {@link #buckets()} - 1
   */
  public long count(int bucket) {
    return counts.at(firstPlace + Objects.checkIndex(bucket, buckets));
  }

  /**
   * {@return how many values are not above the upper bound of a bucket}
   *
   * @param bucket 0 to {@link #buckets()} - 1
   */
  public long countUpTo(int bucket) {
    long sum = 0;
    for (int i = 0; i <= bucket; i++) {
      sum += count(i);
    }
    return sum;
  }
}
