// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.compare;

import io.github.batchvalidator.audit.source.PartitionDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;

/** A comparison of many partitions with several threads. */
public final class CompareRun {
  private final int threads;
  private final boolean compacted;
  private final CompareReport report;
  private final LongConsumer progress;
  private final SortedMap<String, List<CopySource>> copies = new TreeMap<>();
  private final List<String> singles = new ArrayList<>();
  private final LongAdder bytes = new LongAdder();

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
    add(copy.directory(), new CopySource.InDirectory(copy));
  }

  /** Adds the copies of a digest file. */
  public void add(DigestFile digests) {
    for (String name : digests.partitions()) {
      add(name, new CopySource.InDigest(digests, name));
    }
  }

  private void add(String name, CopySource copy) {
    copies.computeIfAbsent(name, any -> new ArrayList<>()).add(copy);
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
    List<String> names = new ArrayList<>();
    int most = 1;
    for (String name : copies.keySet()) {
      List<CopySource> sources = sources(name);
      most = Math.max(most, sources.size());
      if (sources.size() > 1) {
        names.add(name);
      } else {
        singles.add(name);
        report.single(name, sources.get(0).name());
      }
    }
    int number = Math.max(1, Math.min(threads, names.size()));
    int copiesOfOne = most;
    new OrderedWork<>(names.size(), this::finish)
        .run(number, () -> new Worker(names, CompareMemory.of(number, copiesOfOne)));
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

  private List<CopySource> sources(String name) {
    return copies.getOrDefault(name, List.of());
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

  /** What one thread uses. */
  private final class Worker implements OrderedWork.Worker<Result> {
    private final List<String> names;
    private final PartitionCompare compare;

    private Worker(List<String> names, CompareMemory memory) {
      this.names = names;
      compare = new PartitionCompare(compacted, memory, progress);
    }

    @Override
    public Result work(int item) {
      String name = names.get(item);
      List<String[]> unread = new ArrayList<>();
      PartitionComparison found =
          compare.compare(name, sources(name), (file, why) -> unread.add(new String[] {file, why}));
      return new Result(found, unread);
    }

    @Override
    public void close() {
      compare.close();
    }
  }
}
