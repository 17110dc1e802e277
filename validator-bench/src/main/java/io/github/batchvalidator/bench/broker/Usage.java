// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.github.batchvalidator.bench.report.LiveFigure;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.lang.management.ThreadInfo;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import javax.management.MBeanServerConnection;

/**
 * The resources that a JVM has used since it started, without the threads that measure them.
 *
 * @param processNanos CPU of the process by its own count, in steps of 10 ms, for where its threads
 *     are not told
 * @param all CPU of all threads
 * @param threads of each Java thread by its id
 * @param pauses of the collector
 */
record Usage(long processNanos, NativeThreads all, Map<Long, OfThread> threads, Waits pauses) {
  /**
   * What one thread has used.
   *
   * @param lockWaits for monitors
   */
  record OfThread(long cpuNanos, long allocatedBytes, Waits lockWaits) {
    static final OfThread NOTHING = new OfThread(0, 0, Waits.NONE);
  }

  /**
   * How often and how long something waited.
   *
   * @param ms in all
   */
  record Waits(long count, long ms) {
    static final Waits NONE = new Waits(0, 0);

    Waits plus(Waits other) {
      return new Waits(count + other.count, ms + other.ms);
    }

    Waits since(Waits then) {
      return new Waits(count - then.count, ms - then.ms);
    }
  }

  /** Makes a JVM count how long its threads wait for monitors. */
  static void countLockWaits(MBeanServerConnection jvm) throws IOException {
    ManagementFactory.getPlatformMXBean(jvm, ThreadMXBean.class)
        .setThreadContentionMonitoringEnabled(true);
  }

  /** Asks a JVM. */
  static Usage of(MBeanServerConnection jvm) throws IOException {
    ThreadMXBean beans = ManagementFactory.getPlatformMXBean(jvm, ThreadMXBean.class);
    long[] ids = beans.getAllThreadIds();
    ThreadInfo[] infos = beans.getThreadInfo(ids);
    long[] cpuNanos = beans.getThreadCpuTime(ids);
    long[] allocated = beans.getThreadAllocatedBytes(ids);
    Map<Long, OfThread> threads = new HashMap<>();
    for (int i = 0; i < ids.length; i++) {
      if (infos[i] != null && cpuNanos[i] >= 0 && !isOurs(infos[i].getThreadName())) {
        // The time is negative in a JVM that does not count it.
        Waits waits = new Waits(infos[i].getBlockedCount(), Math.max(0, infos[i].getBlockedTime()));
        threads.put(ids[i], new OfThread(cpuNanos[i], allocated[i], waits));
      }
    }
    Waits pauses = Waits.NONE;
    for (GarbageCollectorMXBean each :
        ManagementFactory.getPlatformMXBeans(jvm, GarbageCollectorMXBean.class)) {
      pauses = pauses.plus(new Waits(each.getCollectionCount(), each.getCollectionTime()));
    }
    long cpu =
        ManagementFactory.getPlatformMXBean(jvm, OperatingSystemMXBean.class).getProcessCpuTime();
    long pid = ManagementFactory.getPlatformMXBean(jvm, RuntimeMXBean.class).getPid();
    return new Usage(cpu, NativeThreads.of(pid), threads, pauses);
  }

  private static boolean isOurs(String thread) {
    return thread.startsWith("RMI ") || thread.startsWith("JMX ");
  }

  private static boolean isCompiler(String thread) {
    return thread.startsWith("C1 Compiler") || thread.startsWith("C2 Compiler");
  }

  /**
   * Returns the CPU time since then of all threads but the JIT's: a broker compiles for minutes and
   * runs for months. Where the system does not tell its threads, the JIT's are counted.
   */
  long cpuNanosSince(Usage then) {
    return all.threads().isEmpty()
        ? processNanos - then.processNanos
        : all.nanosSince(then.all, name -> !isOurs(name) && !isCompiler(name));
  }

  /** Returns the CPU time of the JIT since then; 0 where the system does not tell its threads. */
  long compilerNanosSince(Usage then) {
    return all.nanosSince(then.all, Usage::isCompiler);
  }

  /** Returns the CPU time of Java threads since then; what ended in between is not known. */
  long javaNanosSince(Usage then) {
    long nanos = 0;
    for (var each : threads.entrySet()) {
      nanos += each.getValue().cpuNanos() - then.thread(each.getKey()).cpuNanos();
    }
    return nanos;
  }

  /** Returns what Java threads have allocated since then, to the byte. */
  long allocatedBytesSince(Usage then) {
    long bytes = 0;
    for (var each : threads.entrySet()) {
      bytes += each.getValue().allocatedBytes() - then.thread(each.getKey()).allocatedBytes();
    }
    return bytes;
  }

  /** Returns how Java threads have waited for monitors since then. */
  Waits lockWaitsSince(Usage then) {
    Waits waits = Waits.NONE;
    for (var each : threads.entrySet()) {
      waits = waits.plus(each.getValue().lockWaits().since(then.thread(each.getKey()).lockWaits()));
    }
    return waits;
  }

  /**
   * Returns the figures since then, per unit of work.
   *
   * @param valueBytes of each record
   */
  Map<LiveFigure, Double> figuresSince(Usage then, Produced produced, int valueBytes) {
    double bytes = (double) produced.records() * valueBytes; // ns per byte are seconds per GB
    double gigabytes = bytes / 1e9;
    Waits collected = pauses.since(then.pauses);
    Waits blocked = lockWaitsSince(then);
    Map<LiveFigure, Double> figures = new EnumMap<>(LiveFigure.class);
    figures.put(LiveFigure.CPU, cpuNanosSince(then) / bytes);
    figures.put(LiveFigure.COMPILER_CPU, compilerNanosSince(then) / bytes);
    figures.put(LiveFigure.JAVA_CPU, javaNanosSince(then) / bytes);
    figures.put(LiveFigure.ALLOCATED, allocatedBytesSince(then) / 1e6 / gigabytes);
    figures.put(LiveFigure.PAUSES, collected.count() / gigabytes);
    figures.put(LiveFigure.PAUSED, collected.ms() / gigabytes);
    figures.put(LiveFigure.LOCK_WAITS, blocked.count() / gigabytes);
    figures.put(LiveFigure.LOCK_WAITED, blocked.ms() / gigabytes);
    figures.put(LiveFigure.RATE, produced.recordsPerSecond());
    figures.put(LiveFigure.BATCH_BYTES, produced.batchBytes());
    for (LiveFigure each : LiveFigure.values()) {
      if (each.isLatency()) {
        figures.put(each, Latencies.ms(produced.latencies(), each.percentile()));
      }
    }
    return figures;
  }

  private OfThread thread(long id) {
    return threads.getOrDefault(id, OfThread.NOTHING);
  }
}
