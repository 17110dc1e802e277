// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.print;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class WordingTest {
  @Test
  void rangesOfTimeAreShort() {
    long start = 1_795_207_586_486L;
    assertEquals("2026-11-20 20:46:26.486 UTC", plain(Wording.time(start)));
    assertEquals(
        "2026-11-20 20:46:26.486 to 20:46:26.545 UTC", plain(Wording.times(start, start + 59)));
    assertEquals(
        "2026-11-20 20:46:26.486 to 2026-11-21 20:46:26.486 UTC",
        plain(Wording.times(start, start + 86_400_000L)));
    assertTrue(plain(Wording.time(Long.MAX_VALUE)).startsWith("+292278994-08-17 "));
    assertEquals("offset 4", Wording.offsets(4, 4));
  }

  private static String plain(String text) {
    return text.replace(Wording.FIXED_SPACE, ' ');
  }
}
