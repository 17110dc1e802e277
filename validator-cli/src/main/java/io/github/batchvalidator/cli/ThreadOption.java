// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The option for the number of threads. */
final class ThreadOption {
  static final int MAX_THREADS = 256;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Number of threads, 1 to 256. Default: the number of processors.")
  private int threads = Math.min(MAX_THREADS, Runtime.getRuntime().availableProcessors());

  /** Returns the number of threads. Refuses an illegal one, which picocli does not. */
  int count(CommandLine line) {
    if (threads < 1 || threads > MAX_THREADS) {
      throw new ParameterException(line, UsageError.illegal("--threads", String.valueOf(threads)));
    }
    return threads;
  }
}
