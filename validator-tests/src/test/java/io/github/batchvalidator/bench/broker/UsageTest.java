// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.batchvalidator.bench.broker.Usage.OfThread;
import java.lang.management.ManagementFactory;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UsageTest {
  private static final int BYTES = 10 << 20;

  @Test
  void aThreadThatCameInBetweenCountsFromNothing() {
    Usage before = new Usage(0, Map.of(1L, new OfThread(100, 1_000), 2L, new OfThread(5, 5)), 0);
    Usage after = new Usage(0, Map.of(1L, new OfThread(130, 1_500), 3L, new OfThread(7, 70)), 0);
    assertEquals(37, after.javaNanosSince(before));
    assertEquals(570, after.allocatedBytesSince(before));
  }

  /** Of this JVM; that of a broker is asked in the same way. */
  @Test
  void allocatedBytesAreThoseOfTheThreads() throws Exception {
    var jvm = ManagementFactory.getPlatformMBeanServer();
    Usage.of(jvm); // loads classes
    long questions = difference(jvm, 0);
    long bytes = difference(jvm, BYTES) - questions;
    assertEquals(BYTES, (double) bytes, BYTES / 20.0);
  }

  private static long difference(javax.management.MBeanServer jvm, int size) throws Exception {
    Usage before = Usage.of(jvm);
    byte[] kept = new byte[size];
    Usage after = Usage.of(jvm);
    assertEquals(size, kept.length);
    return after.allocatedBytesSince(before);
  }
}
