// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;

/** The direct buffers of this JVM. */
public final class DirectMemory {
  private static final BufferPoolMXBean POOL =
      ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
          .filter(pool -> pool.getName().equals("direct"))
          .findFirst()
          .orElseThrow();

  private DirectMemory() {}

  /** Returns how many bytes they have. */
  public static long bytes() {
    return POOL.getMemoryUsed();
  }

  /** Waits until the collector has freed the buffers that other tests have dropped. */
  public static void collect() throws InterruptedException {
    long before = bytes();
    int unchanged = 0;
    while (unchanged < 3) {
      System.gc();
      Thread.sleep(50);
      long after = bytes();
      unchanged = after == before ? unchanged + 1 : 0;
      before = after;
    }
  }
}
