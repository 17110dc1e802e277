// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.workload;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;

/** Values in a file, one per line, for load generators that are not ours. */
public final class PayloadFile {
  private static final long SEED = 20_261_121L;
  private static final long FIRST_TIME_MS = 1_700_000_000_000L;

  private PayloadFile() {}

  /**
   * Writes events as JSON, none of which holds a line end.
   *
   * @param file to write
   * @param values how many
   * @param valueBytes of each, at least 100
   * @throws IOException if the file cannot be written
   */
  public static void writeJson(Path file, int values, int valueBytes) throws IOException {
    ValueSource events = PayloadKind.JSON.values(new SplittableRandom(SEED));
    try (OutputStream out = Files.newOutputStream(file)) {
      for (int i = 0; i < values; i++) {
        out.write(events.next(valueBytes, FIRST_TIME_MS + i));
        out.write('\n');
      }
    }
  }
}
