// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.rule.SizeRange;
import java.time.Instant;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Tests {@link FieldBounds}. */
class FieldBoundsTest {
  private static final long LEAST = Instant.parse("2000-01-01T00:00:00Z").toEpochMilli();
  private static final long MOST = Instant.parse("2100-01-01T00:00:00Z").toEpochMilli();

  private final FieldBounds bounds = new FieldBounds();

  FieldBoundsTest() {}

  /** Sizes that are outside of the bounds but pass, because null has no size. */
  private static boolean isNullThatPasses(boolean required, SizeRange range, int size) {
    return !required && size < 0 && (range.least() > 0 || size < -1);
  }

  private static boolean passes(boolean required, SizeRange range, int size) {
    return size < 0 ? !required : range.contains(size);
  }

  @Property
  void sizesWithinTheBoundsPass(
      @ForAll boolean required,
      @ForAll("ranges") SizeRange range,
      @ForAll("sizes") int size,
      @ForAll boolean ofKey) {
    bounds.keys(ofKey && required, ofKey ? range : SizeRange.ANY);
    bounds.values(!ofKey && required, ofKey ? SizeRange.ANY : range);
    bounds.timestamps(false, 0);
    boolean expected = passes(required, range, size) && !isNullThatPasses(required, range, size);
    assertEquals(expected, bounds.contain(ofKey ? size : 0, ofKey ? 0 : size, 0));
  }

  @Property
  void timestampsWithinTheBoundsPass(
      @ForAll("timestamps") long base, @ForAll("timestamps") long timestamp) {
    anySize();
    bounds.timestamps(true, base);
    boolean expected = timestamp >= LEAST && timestamp <= MOST;
    assertEquals(expected, bounds.contain(0, 0, timestamp - base));
    assertEquals(expected, FieldBounds.isPlausible(timestamp));
  }

  @Property
  void anyTimestampPassesIfTheyAreNotChecked(@ForAll long base, @ForAll long delta) {
    anySize();
    bounds.timestamps(false, base);
    assertTrue(bounds.contain(0, 0, delta));
  }

  private void anySize() {
    bounds.keys(false, SizeRange.ANY);
    bounds.values(false, SizeRange.ANY);
  }

  @Provide
  Arbitrary<SizeRange> ranges() {
    Arbitrary<Integer> size = Arbitraries.of(0, 1, 2, 99, 100, Integer.MAX_VALUE);
    return size.tuple2()
        .filter(two -> two.get1() <= two.get2())
        .map(two -> new SizeRange(two.get1(), two.get2()));
  }

  @Provide
  Arbitrary<Integer> sizes() {
    return Arbitraries.of(
        Integer.MIN_VALUE, -2, -1, 0, 1, 2, 3, 98, 99, 100, 101, Integer.MAX_VALUE);
  }

  @Provide
  Arbitrary<Long> timestamps() {
    return Arbitraries.oneOf(
        Arbitraries.of(Long.MIN_VALUE, -1L, 0L, LEAST - 1, LEAST, MOST, MOST + 1, Long.MAX_VALUE),
        Arbitraries.longs());
  }
}
