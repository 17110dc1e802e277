// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Measures what costly inputs cost; with {@code -Dhostile.cost=FILE} writes it down. */
@Tag("slow")
class HostileCostIT {
  private static final int HEAD_LINES = 4;

  @TempDir private static Path folder;

  @Test
  void measure() throws Exception {
    List<HostileInput> inputs = HostileInputs.costly();
    String costs = new Runs(folder, inputs).costs();
    assertEquals(HEAD_LINES + inputs.size(), costs.lines().count(), costs);
    String file = System.getProperty("hostile.cost");
    if (file != null) {
      Files.writeString(Path.of("..").resolve(file), costs);
    }
  }
}
