// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options and helpers that all commands of the program share. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = CheckCommand.Version.class,
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n")
abstract class ProgramCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  final CommandLine line() {
    if (spec == null) {
      throw new IllegalStateException("not run by picocli");
    }
    return spec.commandLine();
  }

  final ParameterException usageError(String message) {
    return new ParameterException(line(), message);
  }

  /**
   * Returns true if the report could not be written, and says so on stderr.
   *
   * @param isReadByProgram returns true if another program reads the report, which may have read
   *     enough
   */
  final boolean isReportLost(BooleanSupplier isReadByProgram) {
    boolean isLost = line().getOut().checkError() && !isReadByProgram.getAsBoolean();
    if (isLost) {
      PrintWriter err = line().getErr();
      err.println("check: the report could not be written");
      err.flush();
    }
    return isLost;
  }
}
