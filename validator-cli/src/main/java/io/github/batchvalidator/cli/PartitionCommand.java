// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A command that reads whole partitions, by no rules of topics. */
abstract class PartitionCommand extends ProgramCommand {
  @Parameters(
      paramLabel = "PATH",
      arity = "0..*",
      description =
          "Directories to search recursively for partitions, for example a copy of a partition, or"
              + " the log directory of a broker. Compare also takes files that digest wrote.")
  private List<String> paths = new ArrayList<>();

  @Mixin private ThreadOption threads = new ThreadOption();

  final List<String> paths() {
    return paths;
  }

  final int threads() {
    return threads.count(line());
  }

  /** Checks the values that picocli does not check, and runs the command. */
  @Override
  public final Integer call() throws InterruptedException {
    threads();
    if (paths.isEmpty()) {
      throw usageError("name the partitions to " + line().getCommandName());
    }
    return run(new PartitionSearch(paths));
  }

  /** Runs the command on what was found, and returns the exit code. */
  abstract int run(PartitionSearch found) throws InterruptedException;
}
