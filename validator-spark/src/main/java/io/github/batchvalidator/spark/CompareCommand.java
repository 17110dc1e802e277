// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark;

import io.github.batchvalidator.audit.compare.CompareReport;
import io.github.batchvalidator.audit.print.CompareText;
import io.github.batchvalidator.audit.print.Style;
import io.github.batchvalidator.audit.print.TextReport.Detail;
import io.github.batchvalidator.spark.inventory.CopyRef;
import io.github.batchvalidator.spark.inventory.CopySearch;
import io.github.batchvalidator.spark.storage.Storage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.api.java.JavaSparkContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code audit compare} command. */
@Command(
    name = "compare",
    description = "Compares copies of partitions as ./check compare does, on Spark.",
    exitCodeList = {
      "0:equal",
      "1:differences were found",
      "2:wrong usage",
      "3:no complete answer: a file could not be read, there was nothing to compare, the report"
          + " could not be written, or Spark failed; differences may have been found, too"
    })
final class CompareCommand extends SparkCommand {
  @Parameters(
      paramLabel = "PATH",
      arity = "0..*",
      description =
          "On any file system of Hadoop: directories to search for partitions, files that ./check"
              + " digest wrote, or directories of such files, all named *.digest.")
  private List<String> paths = new ArrayList<>();

  @Option(names = "--compacted", description = "Compares all partitions as compacted ones.")
  private boolean compacted;

  CompareCommand() {}

  @Override
  public Integer call() throws IOException {
    if (paths.isEmpty()) {
      throw usageError("name the partitions to compare");
    }
    try (JavaSparkContext spark = new JavaSparkContext(configuration())) {
      Storage storage = new Storage(spark.hadoopConfiguration());
      checkOutput(storage);
      return compare(spark, storage);
    }
  }

  private int compare(JavaSparkContext spark, Storage storage) {
    List<String[]> problems = new ArrayList<>();
    CopySearch search =
        new CopySearch(storage, (name, why) -> problems.add(new String[] {name, why}));
    paths.forEach(search::add);
    Map<String, List<CopyRef>> copies = search.copies();
    try (SparkCompare compare = new SparkCompare(spark, storage, compacted, copies, problems)) {
      double gigabytes = search.bytes() / 1e9;
      say(String.format(Locale.ROOT, "%d partitions, %.3f GB", compare.partitions(), gigabytes));
      CompareReport.Summary summary = compare.run(report());
      String target = output();
      if (target != null) {
        compare.write(target, summary);
      }
      if (!summary.problem().isEmpty()) {
        say(summary.problem());
        return IO_ERROR;
      }
      return exitCode(summary.errors(), summary.differences());
    }
  }

  /** Returns a report that also prints errors on stderr. */
  private CompareReport report() {
    return new CompareText(line().getOut(), Style.PLAIN, Detail.NORMAL, CHECK_COMMAND) {
      @Override
      public void error(String file, String message) {
        say(file + ": " + message);
      }
    };
  }
}
