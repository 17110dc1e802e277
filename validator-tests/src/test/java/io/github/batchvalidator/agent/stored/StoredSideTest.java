// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.stored;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The version that the preflight and JMX show. */
class StoredSideTest {
  private static final List<String> ONE = List.of("4.3.1");
  private static final List<String> SAME_CODE = List.of("4.3.1", "4.4.0");

  @Test
  void aPartWithTheCodeOfOneVersionDecides() {
    assertEquals(ONE, StoredSide.common(ONE, SAME_CODE));
    assertEquals(ONE, StoredSide.common(SAME_CODE, ONE));
  }

  @Test
  void versionsWithTheSameCodeAreAllNamed() {
    assertEquals("4.3.1 or 4.4.0", StoredSide.text(StoredSide.common(List.of(), SAME_CODE)));
    assertEquals("4.3.1", StoredSide.text(ONE));
  }
}
