// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.partition;

import io.github.batchvalidator.audit.report.Fault;

/** A receiver of the faults of a partition. */
@FunctionalInterface
public interface FaultSink {
  /**
   * Takes a fault.
   *
   * @param file the name of the file that has the fault
   * @param fault the fault
   */
  void fault(String file, Fault fault);
}
