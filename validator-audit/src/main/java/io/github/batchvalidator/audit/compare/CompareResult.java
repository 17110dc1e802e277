// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.compare;

import java.io.Serializable;
import java.util.List;

/**
 * The result for a partition.
 *
 * @param comparison the result
 * @param errors the name of each file that could not be read, and the cause
 * @param bytes the number of bytes that were read, of all copies
 */
public record CompareResult(PartitionComparison comparison, List<String[]> errors, long bytes)
    implements Serializable {
  /** Reports the result. */
  public void to(CompareReport report) {
    errors.forEach(each -> report.error(each[0], each[1]));
    report.partition(comparison);
  }
}
