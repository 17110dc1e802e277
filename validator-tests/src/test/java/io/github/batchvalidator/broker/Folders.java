// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Folders of brokers, which may have gigabytes. */
public final class Folders {
  private Folders() {}

  /** Deletes a folder before the test ends. */
  public static void delete(Path folder) throws IOException {
    List<Path> contentFirst;
    try (Stream<Path> files = Files.walk(folder)) {
      contentFirst = files.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path each : contentFirst) {
      Files.delete(each);
    }
  }
}
