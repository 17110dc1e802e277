// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Counts, in the JVM of a broker, for how long clients' appends held the lock of their partition,
 * and how long they worked while they held it, which is less where others have the processors. It
 * writes the counts to a file again and again. {@link LockHoldAgent} adds the calls.
 *
 * @param nanos for which the lock was held
 * @param cpuNanos that its holder worked meanwhile
 */
public record LockHold(Histogram nanos, Histogram cpuNanos) {
  private static final String CLIENT = "CLIENT";
  private static final long WRITE_EVERY_MS = 100;
  private static final int DIGITS = 2;
  private static final LockHold COUNTS =
      new LockHold(new ConcurrentHistogram(DIGITS), new ConcurrentHistogram(DIGITS));
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** Returns what this thread has worked so far. */
  public static long workedNanos() {
    return THREADS.getCurrentThreadCpuTime();
  }

  /** Called with the lock about to be given back, and what the thread had worked when it got it. */
  public static void held(long nanos, long workedBefore, Object origin) {
    if (origin.toString().equals(CLIENT)) {
      COUNTS.nanos.recordValue(nanos);
      COUNTS.cpuNanos.recordValue(workedNanos() - workedBefore);
    }
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
        Histogram nanos = COUNTS.nanos.copy();
        Histogram cpuNanos = COUNTS.cpuNanos.copy();
        ByteBuffer bytes =
            ByteBuffer.allocate(
                nanos.getNeededByteBufferCapacity() + cpuNanos.getNeededByteBufferCapacity());
        nanos.encodeIntoByteBuffer(bytes);
        cpuNanos.encodeIntoByteBuffer(bytes);
        Files.write(next, Arrays.copyOf(bytes.array(), bytes.position()));
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        Thread.sleep(WRITE_EVERY_MS);
      }
    } catch (IOException | InterruptedException e) {
      System.err.println("lock-hold: " + e);
    }
  }

  /** Reads what was written, in the JVM that started the broker. */
  static LockHold read(Path file) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
    return new LockHold(
        Histogram.decodeFromByteBuffer(bytes, 0), Histogram.decodeFromByteBuffer(bytes, 0));
  }

  /** Takes away what had been counted then, and returns the rest. */
  LockHold since(LockHold then) {
    nanos.subtract(then.nanos);
    cpuNanos.subtract(then.cpuNanos);
    return this;
  }
}
