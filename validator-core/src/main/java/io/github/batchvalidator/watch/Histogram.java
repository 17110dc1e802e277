// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.watch;

import java.util.Objects;

/**
 * A histogram with buckets up to 1, 2, 4, 8, ... The upper bound belongs to the bucket. The last
 * bucket has no upper bound. Thread safety and freshness are those of the {@link Counts} that the
 * histogram is part of.
 */
public final class Histogram {
  private final Counts counts;
  private final int firstPlace;
  private final int buckets;
  private final int parts;

  /** Creates a histogram that is the sum of one or more, whose buckets follow each other. */
  Histogram(Counts counts, int firstPlace, int buckets, int parts) {
    this.counts = counts;
    this.firstPlace = firstPlace;
    this.buckets = buckets;
    this.parts = parts;
  }

  /** Returns the bucket of a value. Values below 1 belong to the first bucket. */
  static int bucket(long value, int buckets) {
    int exact = value <= 1 ? 0 : Long.SIZE - Long.numberOfLeadingZeros(value - 1);
    return Math.min(exact, buckets - 1);
  }

  /** {@return the number of buckets} */
  public int buckets() {
    return buckets;
  }

  /**
   * {@return the largest value of a bucket; {@link Long#MAX_VALUE} for the last bucket}
   *
   * @param bucket 0 to {@link #buckets()} - 1
   * @throws IndexOutOfBoundsException if there is no such bucket
   */
  public long upperBound(int bucket) {
    return Objects.checkIndex(bucket, buckets) == buckets - 1 ? Long.MAX_VALUE : 1L << bucket;
  }

  /**
   * {@return the number of values in a bucket}
   *
   * @param bucket 0 to {@link #buckets()} - 1
   * @throws IndexOutOfBoundsException if there is no such bucket
   */
  public long count(int bucket) {
    Objects.checkIndex(bucket, buckets);
    long sum = 0;
    for (int part = 0; part < parts; part++) {
      sum += counts.at(firstPlace + part * buckets + bucket);
    }
    return sum;
  }

  /**
   * {@return the number of values up to the upper bound of a bucket}
   *
   * @param bucket 0 to {@link #buckets()} - 1
   * @throws IndexOutOfBoundsException if there is no such bucket
   */
  public long countUpTo(int bucket) {
    long sum = 0;
    for (int i = 0; i <= Objects.checkIndex(bucket, buckets); i++) {
      sum += count(i);
    }
    return sum;
  }
}
