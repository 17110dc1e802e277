// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.hostile;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostileInputsTest {
  @TempDir private static Path folder;

  @Test
  void explore() throws Exception {
    List<HostileInput> inputs = HostileInputs.all();
    for (int i = 0; i < inputs.size(); i++) {
      long t = System.nanoTime();
      byte[] b = inputs.get(i).bytes();
      long ms = (System.nanoTime() - t) / 1_000_000;
      java.nio.file.Files.write(Path.of("/tmp/hostile-x/" + i), b);
      System.out.println(
          i
              + " "
              + b.length
              + " "
              + ms
              + " "
              + inputs.get(i)
              + " "
              + inputs.get(i).expected(HostileInput.Look.KAFKA)
              + " "
              + inputs.get(i).expected(HostileInput.Look.STRICT)
              + " "
              + inputs.get(i).expected(HostileInput.Look.LIMITED));
    }
  }
}
