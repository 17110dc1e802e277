// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import io.github.batchvalidator.audit.compare.CompareReport;
import io.github.batchvalidator.audit.compare.CompareRun;
import io.github.batchvalidator.audit.compare.DigestFile;
import io.github.batchvalidator.audit.compare.PartitionComparison;
import io.github.batchvalidator.audit.print.CompareJson;
import io.github.batchvalidator.audit.print.CompareText;
import io.github.batchvalidator.audit.print.Style;
import io.github.batchvalidator.audit.print.TextReport.Detail;
import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.source.LocalFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code check compare} command. */
@Command(
    name = "compare",
    description =
        "Compares copies of partitions, batch by batch and byte by byte: offsets from the highest"
            + " log start to the lowest checkpointed high watermark. Names offsets, leader epochs"
            + " and damaged copies. Of compacted partitions, compares the records that several"
            + " copies have.",
    exitCodeList = {
      "0:equal",
      "1:differences were found",
      "2:wrong usage",
      "3:no complete answer: a file could not be read, there was nothing to compare, or the report"
          + " could not be written; differences may have been found, too"
    })
final class CompareCommand extends PartitionCommand {
  @Mixin private DetailOptions details = new DetailOptions();

  @Option(
      names = "--compacted",
      description =
          "Compares all partitions as compacted ones. Without it, a partition counts as compacted"
              + " if the files of a copy show that.")
  private boolean compacted;

  @Option(names = "--json", description = "Prints JSON Lines on stdout, as check does.")
  private boolean json;

  private final BooleanSupplier isReadByProgram;

  CompareCommand(BooleanSupplier isReadByProgram) {
    this.isReadByProgram = isReadByProgram;
  }

  @Override
  int run(PartitionSearch found) throws InterruptedException {
    Detail detail = details.detail(line());
    boolean terminal = Boolean.getBoolean(Session.STDERR_IS_TERMINAL);
    try (Progress progress = new Progress(line().getErr(), terminal, found.bytes()).start()) {
      CompareReport report = new Console(report(detail), progress);
      CompareRun run = new CompareRun(threads(), compacted, report, progress::add);
      found.problems().forEach(problem -> run.error(problem[0], problem[1]));
      found.partitions().forEach(run::add);
      found.digests().forEach(file -> addDigest(file, run));
      return exitCode(run.run());
    }
  }

  private static void addDigest(String file, CompareRun run) {
    try {
      run.add(DigestFile.open(new LocalFile(Path.of(file))));
    } catch (IOException e) {
      run.error(file, Messages.of(e));
    }
  }

  private CompareReport report(Detail detail) {
    PrintWriter out = line().getOut();
    Style style = Style.of(Boolean.getBoolean(Session.STDOUT_IS_TERMINAL));
    return json ? new CompareJson(out) : new CompareText(out, style, detail, Session.command());
  }

  private int exitCode(CompareReport.Summary run) {
    if (isReportLost(isReadByProgram)) {
      return CheckCommand.IO_ERROR;
    }
    if (!run.problem().isEmpty()) {
      line().getErr().println("check: " + run.problem());
      return CheckCommand.IO_ERROR;
    }
    if (run.errors() > 0) {
      return CheckCommand.IO_ERROR;
    }
    return run.differences() > 0 ? CheckCommand.FAULTS : CheckCommand.CLEAN;
  }

  /** A report that also prints errors on stderr, and hides the progress line while it prints. */
  private final class Console implements CompareReport {
    private final CompareReport report;
    private final Progress progress;

    private Console(CompareReport report, Progress progress) {
      this.report = report;
      this.progress = progress;
    }

    @Override
    public void partition(PartitionComparison result) {
      progress.whileHidden(line().getOut(), () -> report.partition(result));
      line().getOut().flush();
    }

    @Override
    public void single(String partition, String copy) {
      report.single(partition, copy);
    }

    @Override
    public void error(String file, String message) {
      PrintWriter err = line().getErr();
      progress.whileHidden(
          line().getOut(),
          () -> {
            report.error(file, message);
            err.println(Messages.printable("check: " + file + ": " + message));
            err.flush();
          });
    }

    @Override
    public void summary(Summary run) {
      progress.close();
      report.summary(run);
    }
  }
}
