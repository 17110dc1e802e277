// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.chaos;

import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/** What becomes of a run for which the right to mount is missing. */
class ChaosSkipTest {
  @Test
  void aRunWithoutReportIsSkipped() {
    assertThrows(TestAbortedException.class, () -> ChaosIT.skip("no small disk", ""));
  }

  @Test
  void aRunWithAReportFails() {
    assertThrows(AssertionFailedError.class, () -> ChaosIT.skip("no small disk", "chaos.md"));
  }
}
