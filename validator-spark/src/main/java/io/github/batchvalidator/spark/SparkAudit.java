// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark;

import io.github.batchvalidator.audit.profile.Profiles;
import io.github.batchvalidator.audit.report.Report;
import io.github.batchvalidator.audit.report.RunSummary;
import io.github.batchvalidator.audit.report.Tally;
import io.github.batchvalidator.spark.check.GroupPartitioner;
import io.github.batchvalidator.spark.check.JsonRows;
import io.github.batchvalidator.spark.check.MergedRows;
import io.github.batchvalidator.spark.check.Row;
import io.github.batchvalidator.spark.check.Rules;
import io.github.batchvalidator.spark.check.SegmentCheck;
import io.github.batchvalidator.spark.inventory.TaskPlan;
import io.github.batchvalidator.spark.inventory.Work;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.storage.StorageLevel;
import org.apache.spark.util.LongAccumulator;
import org.apache.spark.util.TaskCompletionListener;

/**
 * An audit of the segments of an inventory on Spark.
 *
 * <p>One stage checks segments, one merges the results of each partition in order. The rows are
 * kept on the disks of the executors, and pass through the driver merge by merge.
 */
final class SparkAudit implements AutoCloseable {
  private final JavaRDD<Row> rows;
  private final List<Row> problems;
  private final JavaSparkContext spark;
  private final Profiles profiles = new Profiles();

  SparkAudit(JavaSparkContext spark, Rules rules, TaskPlan plan, int merges, List<Row> problems) {
    this.spark = spark;
    this.problems = List.copyOf(problems);
    rows = rows(spark, rules, plan, merges).persist(StorageLevel.DISK_ONLY());
  }

  private static JavaRDD<Row> rows(JavaSparkContext spark, Rules rules, TaskPlan plan, int merges) {
    List<List<Work>> tasks = plan.tasks();
    if (tasks.isEmpty()) {
      return spark.emptyRDD();
    }
    Broadcast<Rules> shared = spark.broadcast(rules);
    LongAccumulator progress = spark.sc().longAccumulator("bytes checked");
    return spark
        .parallelize(tasks, tasks.size())
        .mapPartitionsToPair(work -> check(shared.value(), work, progress))
        .repartitionAndSortWithinPartitions(new GroupPartitioner(plan.merges(merges)))
        .mapPartitions(chunks -> new MergedRows(shared.value(), chunks));
  }

  private static SegmentCheck check(
      Rules rules, Iterator<List<Work>> tasks, LongAccumulator progress) {
    List<Work> work = new ArrayList<>();
    tasks.forEachRemaining(work::addAll);
    SegmentCheck check = new SegmentCheck(rules, work.iterator(), progress);
    TaskContext.get().addTaskCompletionListener((TaskCompletionListener) context -> check.close());
    return check;
  }

  /**
   * Runs the audit, and returns its summary.
   *
   * @param report receives the rows in order
   */
  RunSummary run(Report report) {
    long start = System.nanoTime();
    rows.count();
    long nanos = System.nanoTime() - start;
    problems.forEach(row -> row.to(report));
    Tally tally = new Tally();
    long files = 0;
    long fileBytes = 0;
    long errors = problems.size();
    long vanished = 0;
    Iterator<Row> all = rows.toLocalIterator();
    while (all.hasNext()) {
      Row row = all.next();
      row.to(report);
      if (row instanceof Row.Sums sums) {
        files += sums.summary().files();
        fileBytes += sums.summary().fileBytes();
        errors += sums.summary().errors();
        vanished += sums.summary().vanished();
        tally.add(sums.summary().tally());
        profiles.add(sums.profiles());
      }
    }
    RunSummary summary = new RunSummary(files, fileBytes, errors, vanished, nanos, false, tally);
    report.summary(summary);
    return summary;
  }

  /** Returns the profiles of the records, after the run. */
  Profiles profiles() {
    return profiles;
  }

  /**
   * Writes the rows as JSON Lines, after the run.
   *
   * @param directory a directory that does not exist
   * @param summary the last row
   */
  void write(String directory, RunSummary summary) {
    JavaRDD<Row> last = spark.parallelize(List.of(new Row.Summary(summary)), 1);
    JavaRDD<Row> all = rows.filter(row -> !(row instanceof Row.Sums)).union(last);
    if (!problems.isEmpty()) {
      all = spark.parallelize(problems, 1).union(all);
    }
    all.mapPartitions(JsonRows::new).saveAsTextFile(directory);
  }

  @Override
  public void close() {
    rows.unpersist();
  }
}
