// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.hostile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Where inputs lie for the JVMs that they are given to, as long as a test runs. */
final class InputFolder {
  private InputFolder() {}

  static void write(Path folder, List<HostileInput> inputs) throws IOException {
    for (int i = 0; i < inputs.size(); i++) {
      Files.write(file(folder, i), inputs.get(i).bytes());
    }
  }

  static byte[] read(Path folder, int index) throws IOException {
    return Files.readAllBytes(file(folder, index));
  }

  private static Path file(Path folder, int index) {
    return folder.resolve("" + index);
  }
}
