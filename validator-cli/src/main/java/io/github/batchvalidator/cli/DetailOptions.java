// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import io.github.batchvalidator.audit.print.TextReport.Detail;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options for the length of a report. */
final class DetailOptions {
  @Option(
      names = {"-v", "--verbose"},
      description = "Prints all faults or differences, each file and each partition.")
  private boolean verbose;

  @Option(
      names = {"-q", "--quiet"},
      description =
          "Prints only faults, findings, differences and what is listed, salvaged or profiled.")
  private boolean quiet;

  /** Returns the length of the report. Refuses both options together. */
  Detail detail(CommandLine line) {
    if (quiet && verbose) {
      throw new ParameterException(line, "--quiet and --verbose exclude each other");
    }
    return verbose ? Detail.VERBOSE : quiet ? Detail.QUIET : Detail.NORMAL;
  }
}
