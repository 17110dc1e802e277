// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark;

import io.github.batchvalidator.audit.print.CompareJson;
import io.github.batchvalidator.audit.print.JsonReport;
import io.github.batchvalidator.audit.profile.Profiles;
import io.github.batchvalidator.audit.report.RunSummary;
import io.github.batchvalidator.audit.tiered.DataKeys;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.spark.check.Row;
import io.github.batchvalidator.spark.check.Rules;
import io.github.batchvalidator.spark.inventory.CopySearch;
import io.github.batchvalidator.spark.inventory.Inventory;
import io.github.batchvalidator.spark.inventory.TaskPlan;
import io.github.batchvalidator.spark.storage.Storage;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/** An audit with tasks and merges of any size. */
public final class Distributed {
  private static final String LOOPBACK = "127.0.0.1";

  private final JavaSparkContext spark;
  private final List<String> tiered = new ArrayList<>();

  private long taskBytes = 1 << 20;
  private int merges = 2;
  private boolean compacted;
  private boolean profile;
  private Level level = Level.KAFKA;
  private DataKeys keys = DataKeys.NONE;
  private Runnable meanwhile = () -> {};

  public Distributed(JavaSparkContext spark) {
    this.spark = spark;
  }

  /** Starts an embedded Spark. */
  public static JavaSparkContext local() {
    return new JavaSparkContext(configuration("local[2]"));
  }

  /** Returns the configuration of a Spark that only this machine can reach. */
  public static SparkConf configuration(String master) {
    return new SparkConf()
        .setMaster(master)
        .setAppName("test")
        .set("spark.ui.enabled", "false")
        .set("spark.driver.host", LOOPBACK)
        .set("spark.driver.bindAddress", LOOPBACK);
  }

  /** Sets the number of bytes of a task, and the maximum number of merges. */
  public Distributed split(long bytes, int most) {
    taskBytes = bytes;
    merges = most;
    return this;
  }

  public Distributed compacted() {
    compacted = true;
    return this;
  }

  public Distributed strict() {
    level = Level.STRICT;
    return this;
  }

  public Distributed tiered(String directory) {
    tiered.add(directory);
    return this;
  }

  public Distributed keys(DataKeys next) {
    keys = next;
    return this;
  }

  /** Sets what happens after the segments are listed, and before they are read. */
  public Distributed meanwhile(Runnable next) {
    meanwhile = next;
    return this;
  }

  /** Returns the lines of the report. */
  public List<String> lines(Path... paths) {
    StringWriter out = new StringWriter();
    run(new PrintWriter(out), names(paths));
    return out.toString().lines().toList();
  }

  /** Returns the lines of the report of files of any file system. */
  public List<String> lines(List<String> paths) {
    StringWriter out = new StringWriter();
    run(new PrintWriter(out), paths);
    return out.toString().lines().toList();
  }

  /** Returns what the records look like, as text. */
  public String profile(Path... paths) {
    profile = true;
    StringWriter text = new StringWriter();
    run(new PrintWriter(new StringWriter()), names(paths)).print(new PrintWriter(text, true));
    return text.toString();
  }

  /** Returns the lines of the report of a comparison. */
  public List<String> compare(Object... paths) {
    Storage storage = new Storage(spark.hadoopConfiguration());
    List<String[]> problems = new ArrayList<>();
    CopySearch search =
        new CopySearch(storage, (name, why) -> problems.add(new String[] {name, why}));
    for (Object path : paths) {
      search.add(path.toString());
    }
    StringWriter out = new StringWriter();
    try (SparkCompare compare =
        new SparkCompare(spark, storage, compacted, search.copies(), problems)) {
      compare.run(new CompareJson(new PrintWriter(out)));
    }
    return out.toString().lines().toList();
  }

  private static List<String> names(Path... paths) {
    List<String> names = new ArrayList<>();
    for (Path path : paths) {
      names.add(path.toString());
    }
    return names;
  }

  private Profiles run(PrintWriter out, List<String> paths) {
    Rules rules =
        new Rules(new Storage(spark.hadoopConfiguration()), level, null, compacted, profile, keys);
    List<Row> problems = new ArrayList<>();
    Inventory inventory =
        new Inventory(
            rules.storage(), keys, (name, why) -> problems.add(new Row.Failure(name, why)));
    tiered.forEach(inventory::addTiered);
    paths.forEach(inventory::add);
    TaskPlan plan = new TaskPlan(taskBytes);
    inventory.plan(plan);
    meanwhile.run();
    try (SparkAudit audit = new SparkAudit(spark, rules, plan, merges, problems)) {
      RunSummary summary = audit.run(new JsonReport(out));
      if (summary.errors() < problems.size()) {
        throw new AssertionError(problems.toString());
      }
      return audit.profiles();
    }
  }
}
