// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.broker;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;

/**
 * The memory of the machine, which may be a virtual one. Such a machine is given a page when it
 * first writes to it, which takes ten times as long as to write to one that it has: a log is
 * written to ever new pages, so that whoever is measured first would pay.
 */
public final class GuestMemory {
  private static final int MIB = 1 << 20;

  /** The rest is left to whatever else runs meanwhile. */
  private static final double SHARE = 0.75;

  private GuestMemory() {}

  /**
   * Writes to most of the memory that nobody uses, once, in a JVM of its own that gives it back.
   *
   * @param folder for a file that is deleted again
   * @return how many MiB
   * @throws IOException if the JVM cannot be started
   * @throws InterruptedException if the wait is interrupted
   * @throws IllegalStateException if the JVM fails
   */
  public static long touch(Path folder) throws IOException, InterruptedException {
    var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long mebibytes = (long) (SHARE * system.getFreeMemorySize() / MIB);
    String heap = mebibytes + "m";
    String output =
        ChildJvm.run(
            folder,
            List.of(),
            List.of("-Xms" + heap, "-Xmx" + heap, "-XX:+UseParallelGC", "-XX:+AlwaysPreTouch"),
            List.of("-version"));
    if (!output.contains("version \"")) {
      throw new IllegalStateException(output);
    }
    return mebibytes;
  }
}
