// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The resident size of processes, where the system shows it: heap, native memory, all. */
public final class ProcessMemory {
  public static final long UNKNOWN = -1;

  private static final String SELF = "self";
  private static final String PEAK = "VmHWM:";
  private static final String NOW = "VmRSS:";

  private ProcessMemory() {}

  /** Returns the largest size of this process so far, in KiB. */
  public static long peakKib() {
    return kib(SELF, PEAK);
  }

  /** Returns the size of this process, in KiB. */
  public static long nowKib() {
    return kib(SELF, NOW);
  }

  /** Returns the size of another process, in KiB. */
  public static long nowKib(long pid) {
    return kib(Long.toString(pid), NOW);
  }

  private static long kib(String process, String name) {
    Path status = Path.of("/proc", process, "status");
    if (!Files.isReadable(status)) {
      return UNKNOWN;
    }
    try {
      for (String line : Files.readAllLines(status)) {
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
