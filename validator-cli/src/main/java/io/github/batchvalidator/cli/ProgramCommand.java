// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import java.util.concurrent.Callable;
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
}
