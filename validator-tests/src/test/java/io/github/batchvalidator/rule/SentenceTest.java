// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.github.batchvalidator.AllocationMeter;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The texts of reasons: those of {@link String#format}, at a fraction of its cost. */
class SentenceTest {
  private static final Reason[] REASONS = Reason.values();

  private static final long[] EDGES = {
    0,
    1,
    -1,
    0xf,
    0x10,
    0xffff,
    0x10000,
    0xffff_ffffL,
    0x1_0000_0000L,
    Long.MIN_VALUE,
    Long.MAX_VALUE
  };

  @ParameterizedTest
  @EnumSource
  void everyTextIsThatOfFormat(Reason reason) {
    Random random = new Random(reason.name().hashCode());
    for (long first : EDGES) {
      for (long second : EDGES) {
        assertText(reason, first, second);
      }
    }
    for (int i = 0; i < 1_000; i++) {
      assertText(
          reason, random.nextLong() >> random.nextInt(64), random.nextLong() >> random.nextInt(64));
    }
  }

  private static void assertText(Reason reason, long first, long second) {
    String template = reason.sentence.toString();
    String expected = String.format(Locale.ROOT, template, first, second);
    assertFalse(expected.contains("%"), expected);
    assertEquals(expected, reason.describe(first, second));
    StringBuilder text = new StringBuilder("so: ");
    reason.describe(first, second, text);
    assertEquals("so: " + expected, text.toString());
  }

  @Test
  void aTextWithoutNumbersIsMadeOnce() {
    assertSame(Reason.RECORD_KEY_MISSING.describe(1, 2), Reason.RECORD_KEY_MISSING.describe(3, 4));
  }

  @Test
  void appendingAllocatesNothing() {
    StringBuilder text = new StringBuilder(1_000);
    long bytes =
        AllocationMeter.bytesPerCall(
            () -> {
              for (Reason reason : REASONS) {
                text.setLength(0);
                reason.describe(Long.MIN_VALUE, -7, text);
              }
            });
    assertEquals(0, bytes);
  }
}
