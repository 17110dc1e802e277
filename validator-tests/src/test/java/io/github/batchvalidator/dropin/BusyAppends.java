// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import io.github.batchvalidator.testing.ProcessMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * A program that appends valid batches on many threads and prints {@link BusyFigures}. The class
 * path of its JVM decides whether {@code LogValidator} is Kafka's or ours.
 */
final class BusyAppends {
  /** Long enough for one thread to append each batch many times. */
  private static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final List<BusyBatch> batches;
  private final int threads;

  private BusyAppends(List<BusyBatch> batches, int threads) {
    this.batches = batches;
    this.threads = threads;
  }

  /**
   * Appends with one thread, to warm up, then with all threads.
   *
   * @param args number of threads, {@code platform} or {@code virtual}, seconds, workloads
   */
  public static void main(String[] args) throws Exception {
    int threads = Integer.parseInt(args[0]);
    boolean virtual = args[1].equals("virtual");
    long nanos = TimeUnit.SECONDS.toNanos(Long.parseLong(args[2]));
    List<BusyBatch> batches = new ArrayList<>();
    for (int i = 3; i < args.length; i++) {
      batches.addAll(BusyBatch.of(args[i]));
    }
    System.out.print(new BusyAppends(batches, threads).run(virtual, nanos).toLines());
  }

  private BusyFigures run(boolean virtual, long nanos) throws Exception {
    BusyThread first = new BusyThread(batches, 0);
    long before = DirectMemory.bytes();
    first.appendUntil(System.nanoTime() + WARM_UP_NANOS);
    first.appendEach(); // even if the warm-up was too short for all
    long workerBytes = DirectMemory.bytes() - before;

    CountDownLatch start = new CountDownLatch(threads);
    List<Callable<BusyThread>> tasks = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      BusyThread thread = new BusyThread(batches, i);
      tasks.add(
          () -> {
            start.countDown();
            start.await();
            return thread.appendUntil(System.nanoTime() + nanos);
          });
    }
    ExecutorService executor = virtual ? virtualThreads() : Executors.newFixedThreadPool(threads);
    long began = System.nanoTime();
    List<Future<BusyThread>> done = executor.invokeAll(tasks);
    long took = System.nanoTime() - began;
    executor.shutdown();

    Map<String, Long> refused = new TreeMap<>(first.refused());
    long appends = 0;
    long plainBytes = 0;
    long fewest = Long.MAX_VALUE;
    long longest = 0;
    long peakDirect = DirectMemory.bytes();
    for (Future<BusyThread> each : done) {
      BusyThread thread = each.get();
      thread.refused().forEach((why, count) -> refused.merge(why, count, Long::sum));
      appends += thread.appends();
      plainBytes += thread.plainBytes();
      fewest = Math.min(fewest, thread.appends());
      longest = Math.max(longest, thread.longestNanos());
      peakDirect = Math.max(peakDirect, thread.peakDirectBytes());
    }
    return new BusyFigures(
        appends,
        fewest,
        TimeUnit.NANOSECONDS.toMillis(longest),
        plainBytes,
        TimeUnit.NANOSECONDS.toMillis(took),
        validators(),
        workerBytes,
        peakDirect,
        ProcessMemory.peakKib(),
        refused);
  }

  /** Uses reflection because the method exists only since JDK 21. */
  private static ExecutorService virtualThreads() throws ReflectiveOperationException {
    return (ExecutorService)
        Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
  }

  /** {@return the number of validators in the pool, 0 with the stock class} */
  private static int validators() {
    try {
      return DropIn.runtime().validators().idle();
    } catch (NoClassDefFoundError e) {
      return 0;
    }
  }
}
