// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ResultsFolderTest {
  private static final Path ROOT = Path.of("..");
  private static final Path RESULTS = ROOT.resolve("validator-bench/results");
  private static final long MOST_RESULT_BYTES = 4 << 20;

  @Test
  void everyResultHasAReaderAndASheetAndAllAreSmall() throws Exception {
    StringBuilder readers = new StringBuilder();
    for (String folder : new String[] {"", "docs", "validator-bench/results"}) {
      for (Path each : files(ROOT.resolve(folder))) {
        readers.append(isReader(each) ? Files.readString(each) : "");
      }
    }
    long bytes = 0;
    for (Path file : files(RESULTS)) {
      String name = String.valueOf(file.getFileName());
      assertTrue(name.matches(".*\\.(json|md|csv|txt)"), name);
      String page = name.replaceFirst("json$", "md");
      assertTrue(Files.exists(RESULTS.resolve(page)), "no sheet beside " + name);
      assertTrue(readers.toString().contains(page), "nothing names " + page);
      bytes += Files.size(file);
    }
    assertTrue(bytes <= MOST_RESULT_BYTES, bytes + " bytes");
  }

  /** Only the first page of the results counts, because a sheet names only files of its run. */
  private static boolean isReader(Path file) {
    return file.toString().endsWith(".md")
        && (!file.startsWith(RESULTS) || file.endsWith("README.md"));
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }
}
