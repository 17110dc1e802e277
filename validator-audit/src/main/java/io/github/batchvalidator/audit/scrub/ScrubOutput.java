// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.scrub;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.PartitionSummary;
import io.github.batchvalidator.audit.report.RunSummary;

/** A receiver of what a scrub finds, as soon as it is found. */
public interface ScrubOutput {
  /** Reports a fault or a finding. */
  void fault(String file, Fault fault, ReadFrom from);

  /** Reports why a file or directory could not be read, or not to its end. */
  void error(String file, String message);

  /** Reports what is no fault, such as a state file that cannot be used. */
  void note(String text);

  /** Ends the report of a partition. */
  void partition(PartitionSummary partition);

  /** Ends the report of a pass over all partitions. */
  void pass(RunSummary pass);

  /** Returns true if nobody receives the results anymore, so that the scrub should end. */
  boolean isClosed();
}
