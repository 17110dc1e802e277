// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import io.github.batchvalidator.audit.Settings;
import io.github.batchvalidator.audit.print.TextReport.Detail;
import io.github.batchvalidator.policy.PolicyFile;
import io.github.batchvalidator.policy.PolicyFileException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A command that checks files, with the options that all commands share. */
@Command(
    exitCodeList = {
      "0:clean",
      "1:faults were found",
      "2:wrong usage",
      "3:no complete answer: a file could not be read, there was nothing to read, the report could "
          + "not be written, or the library of a codec failed; faults may have been found, too"
    })
abstract class FileCommand extends ProgramCommand {
  @Parameters(
      paramLabel = "PATH",
      arity = "0..*",
      description =
          "Segment files, or directories to search recursively for *.log files. Other files of"
              + " Kafka (*.index, *.snapshot, *-checkpoint and the like) are skipped. A directory"
              + " named TOPIC-PARTITION is also checked as a whole: offsets, indexes, leader"
              + " epochs, producers and transactions.")
  private List<String> paths = new ArrayList<>();

  @Mixin private TieredOptions tiered = new TieredOptions();

  @Mixin private DetailOptions details = new DetailOptions();

  @Mixin private ThreadOption threads = new ThreadOption();

  @Mixin private RuleOptions rules = new RuleOptions();

  private final BooleanSupplier isReadByProgram;

  /**
   * Creates a command. Picocli sets its options and arguments.
   *
   * @param isReadByProgram returns true if another program reads the report and may end before the
   *     report does
   */
  FileCommand(BooleanSupplier isReadByProgram) {
    this.isReadByProgram = isReadByProgram;
  }

  /** Checks the values that picocli does not check, and runs the command. */
  @Override
  public final Integer call() throws InterruptedException, IOException, PolicyFileException {
    threads.count(line());
    detail();
    rules.byDefault(line());
    return run();
  }

  /** Runs the command and returns the exit code. */
  abstract int run() throws InterruptedException, IOException, PolicyFileException;

  /** Returns true if the report could not be written, and says so on stderr. */
  final boolean isReportLost() {
    return isReportLost(isReadByProgram);
  }

  final List<String> paths() {
    return paths;
  }

  final TieredOptions tiered() {
    return tiered;
  }

  /** Returns true if nothing is named to check. */
  final boolean hasNoPath() {
    return paths.isEmpty() && tiered.directories().isEmpty();
  }

  final boolean compacted() {
    return rules.compacted();
  }

  final Detail detail() {
    return details.detail(line());
  }

  /** Returns the policy file, or null if none is named. */
  final @Nullable PolicyFile policies() throws PolicyFileException {
    return rules.policies(line());
  }

  /** Returns the settings of a run, with the rules that the options set. */
  final Settings settings() throws PolicyFileException {
    return Settings.standard(threads.count(line()), rules.rules(line()));
  }
}
