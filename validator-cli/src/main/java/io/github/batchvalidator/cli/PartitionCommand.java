// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A command that reads whole partitions, by no rules of topics. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = CheckCommand.Version.class,
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n")
abstract class PartitionCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Parameters(
      paramLabel = "PATH",
      arity = "0..*",
      description =
          "Directories to search recursively for partitions, for example a copy of a partition, or"
              + " the log directory of a broker. Compare also takes files that digest wrote.")
  private List<String> paths = new ArrayList<>();

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Number of threads, 1 to 256. Default: the number of processors.")
  private int threads =
      Math.min(FileCommand.MAX_THREADS, Runtime.getRuntime().availableProcessors());

  final CommandLine line() {
    if (spec == null) {
      throw new IllegalStateException("not run by picocli");
    }
    return spec.commandLine();
  }

  final List<String> paths() {
    return paths;
  }

  final int threads() {
    return threads;
  }

  final ParameterException usageError(String message) {
    return new ParameterException(line(), message);
  }

  /** Checks the values that picocli does not check, and runs the command. */
  @Override
  public final Integer call() throws InterruptedException {
    if (threads < 1 || threads > FileCommand.MAX_THREADS) {
      throw usageError(UsageError.illegal("--threads", String.valueOf(threads)));
    }
    if (paths.isEmpty()) {
      throw usageError("name the partitions to " + line().getCommandName());
    }
    return run(new PartitionSearch(paths));
  }

  /** Runs the command on what was found, and returns the exit code. */
  abstract int run(PartitionSearch found) throws InterruptedException;
}
