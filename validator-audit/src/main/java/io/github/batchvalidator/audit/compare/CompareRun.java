// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.compare;

import io.github.batchvalidator.audit.source.PartitionDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongConsumer;

/** A comparison of many partitions with several threads. */
public final class CompareRun {
  private final int threads;
  private final boolean compacted;
  private final CompareTotals totals;
  private final LongConsumer progress;
  private final SortedMap<String, List<CopySource>> copies = new TreeMap<>();

  /**
   * Creates a run.
   *
   * @param compacted true if all partitions are known to be compacted
   * @param progress receives the number of bytes done, from any thread
   */
  public CompareRun(int threads, boolean compacted, CompareReport report, LongConsumer progress) {
    this.threads = threads;
    this.compacted = compacted;
    this.progress = progress;
    totals = new CompareTotals(report);
  }

  /** Adds a copy. Copies of a partition have directories of the same name. */
  public void add(PartitionDirectory copy) {
    add(new CopySource.InDirectory(copy));
  }

  /** Adds the copies of a digest file. */
  public void add(DigestFile digests) {
    digests.partitions().forEach(this::add);
  }

  private void add(CopySource copy) {
    copies.computeIfAbsent(copy.partition(), any -> new ArrayList<>()).add(copy);
  }

  /** Reports a file or directory that could not be read. */
  public void error(String file, String message) {
    totals.error(file, message);
  }

  /**
   * Compares all partitions that have two or more copies, and returns and reports the summary.
   * Throws if a thread failed unexpectedly.
   */
  public CompareReport.Summary run() throws InterruptedException {
    long start = System.nanoTime();
    List<List<CopySource>> compared = new ArrayList<>();
    int most = 1;
    for (List<CopySource> sources : copies.values()) {
      most = Math.max(most, sources.size());
      if (sources.size() > 1) {
        compared.add(sources);
      } else {
        totals.single(sources.get(0).partition(), sources.get(0).name());
      }
    }
    int number = Math.max(1, Math.min(threads, compared.size()));
    int copiesOfOne = most;
    new OrderedWork<>(compared.size(), totals::add)
        .run(number, () -> new Worker(compared, comparison(number, copiesOfOne)));
    return totals.end(System.nanoTime() - start);
  }

  private PartitionCompare comparison(int number, int copiesOfOne) {
    return new PartitionCompare(compacted, CompareMemory.of(number, copiesOfOne), progress);
  }

  /** What one thread uses. */
  private record Worker(List<List<CopySource>> partitions, PartitionCompare compare)
      implements OrderedWork.Worker<CompareResult> {
    @Override
    public CompareResult work(int item) {
      return compare.compare(partitions.get(item));
    }

    @Override
    public void close() {
      compare.close();
    }
  }
}
