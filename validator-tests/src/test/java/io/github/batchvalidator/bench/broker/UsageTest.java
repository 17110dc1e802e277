// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.bench.broker.Usage.OfThread;
import io.github.batchvalidator.bench.broker.Usage.Waits;
import io.github.batchvalidator.bench.report.LiveFigure;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class UsageTest {
  private static final int BYTES = 10 << 20;
  private static final int TRIES = 5;
  private static final long HELD_MS = 100;
  private static final long BUSY_NANOS = 100_000_000;

  private static NativeThreads threads(Map<String, Long> nanos) {
    Map<String, NativeThreads.OfThread> threads = new HashMap<>();
    nanos.forEach((id, used) -> threads.put(id, new NativeThreads.OfThread("worker", used)));
    return new NativeThreads(threads);
  }

  private static OfThread thread(long cpuNanos, long allocated, long waits, long waitedMs) {
    return new OfThread(cpuNanos, allocated, new Waits(waits, waitedMs));
  }

  private static Usage used(long ours, long jit, long others) {
    var threads =
        Map.of(
            "1", new NativeThreads.OfThread("RMI TCP Connect", ours),
            "2", new NativeThreads.OfThread("C2 CompilerThre", jit),
            "3", new NativeThreads.OfThread("G1 Main Marker", others));
    return new Usage(0, new NativeThreads(threads), Map.of(), Waits.NONE);
  }

  @Test
  void compilerTimeIsSeparateAndMeasuringThreadsAreIgnored() {
    Usage before = used(1, 10, 100);
    Usage after = used(2, 30, 500);
    assertEquals(400, after.cpuNanosSince(before));
    assertEquals(20, after.compilerNanosSince(before));
  }

  @Test
  void aThreadThatCameInBetweenCountsFromNothing() {
    Usage before =
        new Usage(
            10_000,
            threads(Map.of("11", 1_000L, "12", 5L)),
            Map.of(1L, thread(100, 1_000, 4, 20), 2L, thread(5, 5, 1, 1)),
            Waits.NONE);
    Usage after =
        new Usage(
            20_000,
            threads(Map.of("11", 1_300L, "13", 7L)),
            Map.of(1L, thread(130, 1_500, 7, 50), 3L, thread(7, 70, 2, 6)),
            Waits.NONE);
    assertEquals(307, after.cpuNanosSince(before));
    assertEquals(37, after.javaNanosSince(before));
    assertEquals(570, after.allocatedBytesSince(before));
    assertEquals(new Waits(5, 36), after.lockWaitsSince(before));
  }

  @Test
  void figuresArePerUnitOfWork() {
    Usage before = used(0, 0, 0);
    Usage after =
        new Usage(
            0,
            new NativeThreads(
                Map.of(
                    "2", new NativeThreads.OfThread("C2 CompilerThre", 3_000_000_000L),
                    "3", new NativeThreads.OfThread("worker", 10_000_000_000L))),
            Map.of(1L, thread(8_000_000_000L, 4_000_000, 10, 50)),
            new Waits(4, 6));
    Histogram latencies = Latencies.empty();
    latencies.recordValueWithCount(7_000_000, 995);
    latencies.recordValueWithCount(90_000_000, 5);
    Produced produced = new Produced(1_000_000, 50_000, 9_000, latencies);
    Map<LiveFigure, Double> figures = after.figuresSince(before, produced, 2_000);
    assertEquals(7, requireNonNull(figures.remove(LiveFigure.P50)), 0.01);
    assertEquals(7, requireNonNull(figures.remove(LiveFigure.P99)), 0.01);
    assertEquals(90, requireNonNull(figures.remove(LiveFigure.P999)), 0.1);
    assertEquals(90, requireNonNull(figures.remove(LiveFigure.LONGEST)), 0.1);
    assertEquals(
        Map.of(
            LiveFigure.CPU, 5.0,
            LiveFigure.COMPILER_CPU, 1.5,
            LiveFigure.JAVA_CPU, 4.0,
            LiveFigure.ALLOCATED, 2.0,
            LiveFigure.PAUSES, 2.0,
            LiveFigure.PAUSED, 3.0,
            LiveFigure.LOCK_WAITS, 5.0,
            LiveFigure.LOCK_WAITED, 25.0,
            LiveFigure.RATE, 50_000.0,
            LiveFigure.BATCH_BYTES, 9_000.0),
        figures);
  }

  @Test
  void withoutThreadTimesTheTimeOfTheProcessCounts() throws Exception {
    NativeThreads none = NativeThreads.of(Long.MAX_VALUE);
    Usage before = new Usage(10_000, none, Map.of(), Waits.NONE);
    assertEquals(10_000, new Usage(20_000, none, Map.of(), Waits.NONE).cpuNanosSince(before));
  }

  /** The threads of this JVM have used what this one has, and no more than all processors have. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void cpuIsThatOfAllThreads() throws Exception {
    var jvm = ManagementFactory.getPlatformMBeanServer();
    ThreadMXBean own = ManagementFactory.getThreadMXBean();
    long start = System.nanoTime();
    Usage before = Usage.of(jvm);
    long from = own.getCurrentThreadCpuTime();
    long used = 0;
    while (used < BUSY_NANOS) {
      used = own.getCurrentThreadCpuTime() - from;
    }
    long all = Usage.of(jvm).cpuNanosSince(before);
    assertTrue(all > 0.9 * used, all + " of " + used);
    long most = Runtime.getRuntime().availableProcessors() * (System.nanoTime() - start);
    assertTrue(all < 3 * most, all + " of at most " + most); // the system counts in 10 ms
  }

  /** Of this JVM, as the system calls its threads: a test compiles all the time. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void theJitIsKnownByItsName() throws Exception {
    Usage now = Usage.of(ManagementFactory.getPlatformMBeanServer());
    Usage before = new Usage(0, new NativeThreads(Map.of()), Map.of(), Waits.NONE);
    long compiler = now.compilerNanosSince(before);
    assertTrue(compiler > 0);
    assertTrue(compiler < ManagementFactory.getCompilationMXBean().getTotalCompilationTime() * 3e6);
  }

  /** A thread of this JVM waits for a monitor that another holds. */
  @Test
  void waitsForMonitorsAreCounted() throws Exception {
    var jvm = ManagementFactory.getPlatformMBeanServer();
    Usage.countLockWaits(jvm);
    Object lock = new Object();
    CountDownLatch end = new CountDownLatch(1);
    Thread waiting =
        new Thread(
            () -> {
              synchronized (lock) {
                end.countDown();
              }
              LockSupport.park();
            });
    synchronized (lock) {
      waiting.start();
      while (waiting.getState() != Thread.State.BLOCKED) {
        Thread.sleep(1);
      }
      Thread.sleep(HELD_MS);
    }
    end.await();
    Usage.OfThread waited = requireNonNull(Usage.of(jvm).threads().get(waiting.getId()));
    LockSupport.unpark(waiting);
    waiting.join();
    assertEquals(1, waited.lockWaits().count());
    assertTrue(waited.lockWaits().ms() >= HELD_MS - 5, waited::toString);
  }

  /** Of this JVM; that of a broker is asked in the same way. */
  @Test
  void allocatedBytesAreThoseOfTheThreads() throws Exception {
    var jvm = ManagementFactory.getPlatformMBeanServer();
    Usage.of(jvm); // loads classes
    long bytes = leastDifference(jvm, BYTES) - leastDifference(jvm, 0);
    assertEquals(BYTES, (double) bytes, BYTES / 20.0);
  }

  /** Other threads of this JVM allocate now and then, too. */
  private static long leastDifference(javax.management.MBeanServer jvm, int size) throws Exception {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < TRIES; i++) {
      least = Math.min(least, difference(jvm, size));
    }
    return least;
  }

  private static long difference(javax.management.MBeanServer jvm, int size) throws Exception {
    Usage before = Usage.of(jvm);
    byte[] kept = new byte[size];
    Usage after = Usage.of(jvm);
    assertEquals(size, kept.length);
    return after.allocatedBytesSince(before);
  }
}
