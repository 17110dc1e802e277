// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The resident size of this process, where the system tells it: heap, native memory, all. */
public final class ProcessMemory {
  public static final long UNKNOWN = -1;

  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String PEAK = "VmHWM:";
  private static final String NOW = "VmRSS:";

  private ProcessMemory() {}

  /** Returns the largest so far, in KiB. */
  public static long peakKib() {
    return kib(PEAK);
  }

  /** Returns the size now, in KiB. */
  public static long nowKib() {
    return kib(NOW);
  }

  private static long kib(String name) {
    if (!Files.isReadable(STATUS)) {
      return UNKNOWN;
    }
    try {
      for (String line : Files.readAllLines(STATUS)) {
        if (line.startsWith(name)) {
          return Long.parseLong(line.replaceAll("\\D", ""));
        }
      }
      return UNKNOWN;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
