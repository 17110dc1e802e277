// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.soak;

import io.github.batchvalidator.lines.SoakTraffic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import javax.management.JMException;
import org.jspecify.annotations.Nullable;

/** The soak: two platform threads and, where the JDK has them, virtual threads. */
final class Soak {
  private static final int PLATFORM_THREADS = 2;
  private static final int CALLS_OF_A_LIFE = 400;
  private static final int VIRTUAL_AT_A_TIME = 16;
  private static final int CALLS_OF_A_VIRTUAL_LIFE = 20;
  private static final long LARGEST_GAP_SECONDS = 60;
  private static final int FEWEST_SAMPLES = 30;
  private static final int JDK_WITH_VIRTUAL_THREADS = 21;

  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final SoakCounts counts = new SoakCounts();
  private final AtomicLong seeds;

  /** Shared by lives, held alone by a sample: what is in use then is nobody's. Fair. */
  private final ReadWriteLock gate = new ReentrantReadWriteLock(true);

  private final SoakTraffic traffic;
  private final long start;
  private volatile boolean stopped;

  private Soak(long seed, SoakTraffic traffic) {
    seeds = new AtomicLong(seed);
    this.traffic = traffic;
    start = System.nanoTime();
  }

  /**
   * Runs and writes a report; ends with 1 if something grew.
   *
   * @param args minutes, seed, commit, report
   */
  public static void main(String[] args) throws Exception {
    long seconds = TimeUnit.MINUTES.toSeconds(Long.parseLong(args[0]));
    long seed = Long.parseLong(args[1]);
    Soak soak;
    List<SoakSample> samples;
    try (SoakTraffic traffic = new SoakTraffic(seed)) {
      soak = new Soak(seed, traffic);
      samples = soak.run(seconds);
    }
    String command =
        "`scripts/soak --minutes %s --seed %s`, commit %s".formatted(args[0], args[1], args[2]);
    Path report = Path.of(args[3]).toAbsolutePath();
    Files.createDirectories(report.resolveSibling(""));
    Files.writeString(report, new SoakReport(command, samples, soak.counts).toText());
    Throwable failed = soak.failure.get();
    if (failed != null) {
      throw new AssertionError("after " + soak.seconds() + " s", failed);
    }
    for (Flatness kind : Flatness.values()) {
      if (!kind.isFlat(samples)) {
        throw new AssertionError(kind.title() + " grew by " + kind.growth(samples));
      }
    }
  }

  private long seconds() {
    return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
  }

  private List<SoakSample> run(long seconds)
      throws InterruptedException, ReflectiveOperationException, JMException, IOException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < PLATFORM_THREADS; i++) {
      threads.add(new Thread(() -> guarded(this::live), "soak-" + i));
    }
    if (Runtime.version().feature() >= JDK_WITH_VIRTUAL_THREADS) {
      ExecutorService virtual = virtualThreads();
      threads.add(new Thread(() -> guarded(() -> feed(virtual)), "soak-feeder"));
    }
    threads.forEach(Thread::start);
    try {
      return samples(seconds);
    } finally {
      stopped = true; // after a failed sample, too: the threads would keep the JVM alive
      for (Thread thread : threads) {
        thread.join();
      }
    }
  }

  private List<SoakSample> samples(long seconds)
      throws InterruptedException, JMException, IOException {
    long gap = Math.min(LARGEST_GAP_SECONDS, Math.max(1, seconds / FEWEST_SAMPLES));
    List<SoakSample> samples = new ArrayList<>();
    while (seconds() < seconds && failure.get() == null) {
      TimeUnit.SECONDS.sleep(gap);
      samples.add(sample());
    }
    return samples;
  }

  private SoakSample sample() throws JMException, IOException, InterruptedException {
    gate.writeLock().lock();
    try {
      return SoakSample.take(seconds(), counts.calls());
    } finally {
      gate.writeLock().unlock();
    }
  }

  private static ExecutorService virtualThreads() throws ReflectiveOperationException {
    return (ExecutorService)
        Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
  }

  private void live() {
    SoakWork work = new SoakWork(traffic, counts, seeds.incrementAndGet());
    while (!stopped) {
      live(work, CALLS_OF_A_LIFE);
    }
  }

  private void live(SoakWork work, int calls) {
    gate.readLock().lock();
    try {
      work.life(calls);
    } finally {
      gate.readLock().unlock();
    }
  }

  private void feed(ExecutorService virtual) {
    Semaphore free = new Semaphore(VIRTUAL_AT_A_TIME);
    while (!stopped) {
      free.acquireUninterruptibly();
      long seed = seeds.incrementAndGet();
      virtual.execute(
          () -> {
            guarded(() -> live(new SoakWork(traffic, counts, seed), CALLS_OF_A_VIRTUAL_LIFE));
            free.release();
          });
    }
    free.acquireUninterruptibly(VIRTUAL_AT_A_TIME);
    virtual.shutdown();
  }

  private void guarded(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error e) {
      failure.compareAndSet(null, e);
      stopped = true;
    }
  }
}
