// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** Into which bucket a value falls. */
class HistogramTest {
  private static final int BUCKETS = Counts.PLAIN_BUCKETS;

  private final ValidationCounts counts = new ValidationCounts();

  @Test
  void boundsArePowersOfTwo() {
    assertEquals(0, Histogram.bucket(0, BUCKETS));
    assertEquals(0, Histogram.bucket(1, BUCKETS));
    assertEquals(1, Histogram.bucket(2, BUCKETS));
    assertEquals(2, Histogram.bucket(3, BUCKETS));
    assertEquals(2, Histogram.bucket(4, BUCKETS));
    assertEquals(3, Histogram.bucket(5, BUCKETS));
    assertEquals(30, Histogram.bucket(1 << 30, BUCKETS));
    assertEquals(31, Histogram.bucket((1 << 30) + 1, BUCKETS));
    assertEquals(31, Histogram.bucket(Long.MAX_VALUE, BUCKETS));
    assertEquals(17, Histogram.bucket((1 << 16) + 1, Counts.RATIO_BUCKETS));
    assertEquals(1 << 30, counts.plainBytes().upperBound(30));
    assertEquals(1 << 16, counts.ratio().upperBound(16));
    assertEquals(Long.MAX_VALUE, counts.plainBytes().upperBound(31));
    assertEquals(Long.MAX_VALUE, counts.ratio().upperBound(17));
  }

  @Property
  void aValueIsBetweenTheBoundsOfItsBucket(@ForAll @LongRange(min = 0) long value) {
    int bucket = Histogram.bucket(value, BUCKETS);
    assertTrue(value <= counts.plainBytes().upperBound(bucket));
    assertTrue(bucket == 0 || value > counts.plainBytes().upperBound(bucket - 1));
  }

  @Test
  void theLastBucketHasNoUpperBound() {
    Histogram ratio = counts.ratio();
    assertEquals(18, ratio.buckets());
    assertThrows(IndexOutOfBoundsException.class, () -> ratio.count(18));
    assertThrows(IndexOutOfBoundsException.class, () -> ratio.countUpTo(18));
    assertThrows(IndexOutOfBoundsException.class, () -> ratio.countUpTo(-1));
    assertThrows(IndexOutOfBoundsException.class, () -> ratio.upperBound(18));
    assertThrows(IndexOutOfBoundsException.class, () -> ratio.count(-1));
  }
}
