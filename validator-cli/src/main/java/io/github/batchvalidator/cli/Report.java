// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

/** Tells what was found, in the order of the files. Called by one thread at a time. */
interface Report {
  /** One fault of the current file. */
  void fault(String file, Fault fault);

  /** Why the current file could not be read, or not to its end. */
  void error(String file, String message);

  /** Ends a file that could be opened. */
  void file(FileSummary file);

  /** Ends the run. */
  void summary(RunSummary run);
}
