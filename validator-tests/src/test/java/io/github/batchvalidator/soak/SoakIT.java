// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SoakIT {
  @TempDir private Path folder;

  /** This JVM does not track its native memory, so the first sample fails. */
  @Test
  void aFailedSampleEndsAllThreads() {
    String report = folder.resolve("report.md").toString();
    assertThrows(IllegalStateException.class, () -> Soak.main(new String[] {"1", "1", "", report}));
    List<String> alive =
        Thread.getAllStackTraces().keySet().stream()
            .map(Thread::getName)
            .filter(name -> name.startsWith("soak-"))
            .toList();
    assertEquals(List.of(), alive);
  }
}
