// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark;

import io.github.batchvalidator.audit.compare.CompareReport;
import io.github.batchvalidator.audit.compare.CompareResult;
import io.github.batchvalidator.audit.compare.CompareTotals;
import io.github.batchvalidator.audit.compare.CopySource;
import io.github.batchvalidator.audit.compare.PartitionCompare;
import io.github.batchvalidator.audit.print.CompareJson;
import io.github.batchvalidator.spark.inventory.CopyRef;
import io.github.batchvalidator.spark.storage.Storage;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.storage.StorageLevel;
import org.apache.spark.util.LongAccumulator;

/**
 * A comparison of the copies of many partitions on Spark. Each partition is the work of one task.
 * Results are kept on the disks of the executors, and pass through the driver task by task.
 */
final class SparkCompare implements AutoCloseable {
  /** The maximum number of tasks, to bound the heap of the driver. */
  private static final int MAX_TASKS = 20_000;

  private final JavaSparkContext spark;
  private final List<String[]> problems;
  private final List<List<CopyRef>> compared = new ArrayList<>();
  private final List<CopySource> singles = new ArrayList<>();
  private final JavaRDD<CompareResult> results;

  /**
   * Creates a comparison that has not started.
   *
   * @param compacted true if all partitions are known to be compacted
   * @param copies the copies of each partition
   * @param problems the name of each path that could not be searched, and the cause
   */
  SparkCompare(
      JavaSparkContext spark,
      Storage storage,
      boolean compacted,
      Map<String, List<CopyRef>> copies,
      List<String[]> problems) {
    this.spark = spark;
    this.problems = List.copyOf(problems);
    for (List<CopyRef> each : copies.values()) {
      if (each.size() > 1) {
        compared.add(each);
      } else {
        singles.add(each.get(0).open(storage));
      }
    }
    results = results(spark, storage, compacted).persist(StorageLevel.DISK_ONLY());
  }

  private JavaRDD<CompareResult> results(
      JavaSparkContext spark, Storage storage, boolean compacted) {
    if (compared.isEmpty()) {
      return spark.emptyRDD();
    }
    Broadcast<Storage> shared = spark.broadcast(storage);
    LongAccumulator progress = spark.sc().longAccumulator("bytes compared");
    return spark
        .parallelize(compared, Math.min(compared.size(), MAX_TASKS))
        .map(copies -> compare(shared.value(), copies, compacted, progress));
  }

  private static CompareResult compare(
      Storage storage, List<CopyRef> copies, boolean compacted, LongAccumulator progress) {
    List<CopySource> sources = copies.stream().map(each -> each.open(storage)).toList();
    try (PartitionCompare compare =
        new PartitionCompare(compacted, sources.size(), bytes -> progress.add(bytes))) {
      return compare.compare(sources);
    }
  }

  /** Returns the number of partitions to compare. */
  int partitions() {
    return compared.size();
  }

  /** Runs the comparison, and reports and returns its summary. */
  CompareReport.Summary run(CompareReport report) {
    long start = System.nanoTime();
    results.count();
    long nanos = System.nanoTime() - start;
    CompareTotals totals = new CompareTotals(report);
    problems.forEach(each -> totals.error(each[0], each[1]));
    singles.forEach(each -> totals.single(each.partition(), each.name()));
    results.toLocalIterator().forEachRemaining(totals::add);
    return totals.end(nanos);
  }

  /**
   * Writes the rows as JSON Lines, after the run.
   *
   * @param directory a directory that does not exist
   * @param summary the last row
   */
  void write(String directory, CompareReport.Summary summary) {
    List<String> first = new ArrayList<>();
    problems.forEach(each -> first.add(json(report -> report.error(each[0], each[1]))));
    List<String> last = List.of(json(report -> report.summary(summary)));
    JavaRDD<String> rows = results.map(result -> json(result::to));
    if (!first.isEmpty()) {
      rows = spark.parallelize(first, 1).union(rows);
    }
    rows.union(spark.parallelize(last, 1)).saveAsTextFile(directory);
  }

  private static String json(Consumer<CompareReport> rows) {
    StringWriter written = new StringWriter();
    rows.accept(new CompareJson(new PrintWriter(written)));
    return written.toString().strip();
  }

  @Override
  public void close() {
    results.unpersist();
  }
}
