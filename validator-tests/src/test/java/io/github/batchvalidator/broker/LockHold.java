// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts, in the JVM of a broker, for how long clients' appends held the lock of their partition,
 * and how long they worked while they held it, which is less where others have the processors. It
 * writes the counts to a file again and again. What {@link LockHoldAgent} adds calls it; it needs
 * nothing but the JDK.
 */
public final class LockHold {
  /** Each power of two is divided so often: a bucket is at most 3 percent wide. */
  static final int PARTS = 32;

  static final int BUCKETS = PARTS * 64;

  private static final String CLIENT = "CLIENT";
  private static final long WRITE_EVERY_MS = 100;
  private static final AtomicLongArray COUNTS = new AtomicLongArray(2 * BUCKETS);
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private LockHold() {}

  /** Returns what this thread has worked so far. */
  public static long cpuNanos() {
    return THREADS.getCurrentThreadCpuTime();
  }

  /** Called with the lock about to be given back, and what the thread had worked when it got it. */
  public static void held(long nanos, long cpuBefore, Object origin) {
    if (origin.toString().equals(CLIENT)) {
      COUNTS.incrementAndGet(bucket(nanos));
      COUNTS.incrementAndGet(BUCKETS + bucket(cpuNanos() - cpuBefore));
    }
  }

  static int bucket(long nanos) {
    if (nanos < PARTS) {
      return (int) Math.max(0, nanos);
    }
    int power = 63 - Long.numberOfLeadingZeros(nanos / PARTS);
    return (power + 1) * PARTS + (int) ((nanos >> power) - PARTS);
  }

  /** Returns the middle of a bucket. */
  static double nanos(int bucket) {
    if (bucket < PARTS) {
      return bucket;
    }
    int power = bucket / PARTS - 1;
    return (bucket % PARTS + PARTS + 0.5) * Math.scalb(1.0, power);
  }

  static void writeTo(Path file) {
    Thread writer = new Thread(() -> writeForEver(file), "lock-hold");
    writer.setDaemon(true);
    writer.start();
  }

  private static void writeForEver(Path file) {
    Path next = file.resolveSibling(file.getFileName() + ".next");
    try {
      while (true) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < COUNTS.length(); i++) {
          text.append(COUNTS.get(i)).append('\n');
        }
        Files.writeString(next, text);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        Thread.sleep(WRITE_EVERY_MS);
      }
    } catch (IOException | InterruptedException e) {
      System.err.println("lock-hold: " + e);
    }
  }

  /** Reads what was written, in the JVM that started the broker. */
  static long[] read(Path file) throws IOException {
    return Files.readAllLines(file).stream().mapToLong(Long::parseLong).toArray();
  }
}
