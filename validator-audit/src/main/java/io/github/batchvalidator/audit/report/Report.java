// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.report;

/**
 * A receiver of the results in the order of the files. Called by one thread at a time. Each method
 * does nothing unless a report overrides it.
 */
public interface Report {
  /** Reports a fault or finding of the current file. */
  default void fault(String file, Fault fault) {}

  /** Lists a batch of the current file. Called only if batches are listed. */
  default void batch(String file, StoredBatch batch) {}

  /** Lists a record of the last batch. Called only if records are listed. */
  default void record(String file, StoredRecord next) {}

  /** Reports why a file or directory could not be read, or not to its end. */
  default void error(String file, String message) {}

  /** Ends the report of a file that could be opened. */
  default void file(FileSummary file) {}

  /** Ends the report of a partition, after the reports of its files. */
  default void partition(PartitionSummary partition) {}

  /** Reports what was copied of a damaged segment. Called after all files and partitions. */
  default void salvage(SalvageSummary salvaged) {}

  /** Reports the repair of a partition. Called after all files and partitions. */
  default void repair(RepairSummary repaired) {}

  /** Returns true if nobody receives the results anymore, so that the run should end. */
  default boolean isClosed() {
    return false;
  }

  /** Ends the report of the run. */
  default void summary(RunSummary run) {}
}
