// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Walks over the same plain bytes, read in two ways. */
final class TwoWalks {
  private TwoWalks() {}

  /** Walks both from their first record on and compares all that they tell. */
  static void assertSame(
      SkipKeyValueIterator expected, SkipKeyValueIterator actual, int count, boolean strict) {
    int read = 0;
    long behind = 0;
    while (strict ? actual.nextStrict(null) : actual.next()) {
      assertTrue(
          strict ? expected.nextStrict(null) : expected.next(),
          () -> "ends: " + expected.failure());
      assertNull(actual.failure());
      assertEquals(read++, actual.index());
      assertEquals(behind, actual.start());
      behind = actual.window().plainPosition();
      assertEquals(expected.start(), actual.start());
      assertSameFields(expected, actual);
      if (strict && actual.encoding().isRegular()) {
        assertRegular(expected);
      }
      assertEquals(expected.declaredBytes(), actual.declaredBytes());
      assertEquals(expected.window().plainPosition(), behind);
    }
    assertFalse(strict ? expected.nextStrict(null) : expected.next());
    assertEquals(expected.finish(), actual.finish());
    assertEquals(expected.failure(), actual.failure());
    assertEquals(expected.fault().first(), actual.fault().first());
    assertEquals(expected.fault().second(), actual.fault().second());
    assertTrue(read == count || actual.failure() != null, "ends early");
  }

  /** Asserts that a record read on the short path is also regular when read byte by byte. */
  private static void assertRegular(SkipKeyValueIterator record) {
    RecordEncoding form = record.encoding();
    assertEquals(0, record.attributes());
    if (!form.isRegular()) {
      assertTrue(form.isShortest());
      assertTrue(form.leastLength() >= -1, () -> "length " + form.leastLength());
      assertEquals(RecordEncoding.NONE, form.malformedHeader());
      assertEquals(record.bodySize(), form.bodyBytes());
    }
  }

  private static void assertSameFields(BatchRecordWalk expected, BatchRecordWalk actual) {
    assertEquals(expected.bodySize(), actual.bodySize());
    assertEquals(expected.attributes(), actual.attributes());
    assertEquals(expected.timestampDelta(), actual.timestampDelta());
    assertEquals(expected.offsetDelta(), actual.offsetDelta());
    assertEquals(expected.keySize(), actual.keySize());
    assertEquals(expected.valueSize(), actual.valueSize());
    assertEquals(expected.headerCount(), actual.headerCount());
  }
}
