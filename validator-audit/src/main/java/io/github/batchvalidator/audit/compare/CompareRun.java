// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.compare;

import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.source.PartitionDirectory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A comparison of many partitions with several threads. */
public final class CompareRun {
  /** The number of results that may wait for the result of an earlier partition. */
  private static final int MAX_AHEAD = 256;

  /** The windows of all threads and copies together take at most 1/{@value} of the heap. */
  private static final int HEAP_PARTS = 8;

  private static final int MIN_WINDOW_BYTES = 1 << 16;
  private static final int MAX_WINDOW_BYTES = 1 << 24;

  private final int threads;
  private final boolean compacted;
  private final CompareReport report;
  private final LongConsumer progress;
  private final SortedMap<String, List<PartitionDirectory>> copies = new TreeMap<>();
  private final List<String> names = new ArrayList<>();
  private final Map<Integer, Result> waiting = new HashMap<>();
  private final List<String> singles = new ArrayList<>();
  private final LongAdder bytes = new LongAdder();
  private int next;
  private int turn;
  private @Nullable Throwable failure;

  private long partitions;
  private long differing;
  private long differences;
  private long batches;
  private long errors;

  /** The result for a partition, and the files that could not be read. */
  private record Result(PartitionComparison comparison, List<String[]> errors) {}

  /**
   * Creates a run.
   *
   * @param compacted true if all partitions are known to be compacted
   * @param progress receives the number of bytes done, from any thread
   */
  public CompareRun(int threads, boolean compacted, CompareReport report, LongConsumer progress) {
    this.threads = threads;
    this.compacted = compacted;
    this.report = report;
    this.progress =
        done -> {
          bytes.add(done);
          progress.accept(done);
        };
  }

  /** Adds a copy. Copies of a partition have directories of the same name. */
  public void add(PartitionDirectory copy) {
    copies.computeIfAbsent(copy.directory(), name -> new ArrayList<>()).add(copy);
  }

  /** Reports a file or directory that could not be read. */
  public synchronized void error(String file, String message) {
    errors++;
    report.error(file, message);
  }

  /**
   * Compares all partitions that have two or more copies, and returns and reports the summary.
   * Throws if a thread failed unexpectedly.
   */
  public CompareReport.Summary run() throws InterruptedException {
    long start = System.nanoTime();
    int most = 1;
    for (Map.Entry<String, List<PartitionDirectory>> entry : copies.entrySet()) {
      most = Math.max(most, entry.getValue().size());
      if (entry.getValue().size() > 1) {
        names.add(entry.getKey());
      } else {
        singles.add(entry.getKey());
        report.single(entry.getKey(), entry.getValue().get(0).name());
      }
    }
    work(most);
    CompareReport.Summary summary =
        new CompareReport.Summary(
            partitions,
            differing,
            List.copyOf(singles),
            differences,
            batches,
            bytes.sum(),
            errors,
            System.nanoTime() - start);
    report.summary(summary);
    return summary;
  }

  private void work(int mostCopies) throws InterruptedException {
    int number = Math.max(1, Math.min(threads, names.size()));
    long share = Runtime.getRuntime().maxMemory() / HEAP_PARTS / number / mostCopies;
    int window = (int) Math.max(MIN_WINDOW_BYTES, Math.min(MAX_WINDOW_BYTES, share));
    List<Thread> started = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      Thread thread = new Thread(() -> work(new PartitionCompare(compacted, window, progress)));
      thread.setName("compare-" + i);
      thread.start();
      started.add(thread);
    }
    for (Thread thread : started) {
      thread.join();
    }
    Throwable why = failure;
    if (why != null) {
      throw new IllegalStateException("a thread failed: " + Messages.of(why), why);
    }
  }

  private void work(PartitionCompare compare) {
    try (compare) {
      for (int index = take(); index >= 0; index = take()) {
        String name = names.get(index);
        List<String[]> unread = new ArrayList<>();
        PartitionComparison found =
            compare.compare(
                name,
                copies.getOrDefault(name, List.of()),
                (file, why) -> unread.add(new String[] {file, why}));
        add(index, new Result(found, unread));
      }
    } catch (InterruptedException | RuntimeException | Error e) {
      failed(e);
    }
  }

  /** Returns the index of the next partition, or -1. */
  private synchronized int take() {
    return failure != null || next == names.size() ? -1 : next++;
  }

  /** Reports results in the order of the partitions. Waits if the result is too far ahead. */
  private synchronized void add(int index, Result result) throws InterruptedException {
    while (index - turn > MAX_AHEAD && failure == null) {
      wait();
    }
    waiting.put(index, result);
    for (Result each = waiting.remove(turn); each != null; each = waiting.remove(turn)) {
      finish(each);
      turn++;
    }
    notifyAll();
  }

  private void finish(Result result) {
    result.errors.forEach(each -> error(each[0], each[1]));
    PartitionComparison found = result.comparison;
    partitions++;
    differences += found.faults();
    differing += found.faults() > 0 ? 1 : 0;
    batches += found.batches();
    report.partition(found);
  }

  private synchronized void failed(Throwable why) {
    failure = failure == null ? why : failure;
    notifyAll();
  }
}
