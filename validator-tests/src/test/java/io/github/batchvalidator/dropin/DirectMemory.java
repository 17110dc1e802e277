// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;

/** The direct buffers of this JVM. */
final class DirectMemory {
  private DirectMemory() {}

  /** Returns how many bytes they have. */
  static long bytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }
}
