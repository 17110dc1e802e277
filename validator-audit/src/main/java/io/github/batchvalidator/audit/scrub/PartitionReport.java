// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.scrub;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.FileSummary;
import io.github.batchvalidator.audit.report.PartitionSummary;
import io.github.batchvalidator.audit.report.Report;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/**
 * The results of the check of one partition: passes them on, and remembers them.
 *
 * <p>It takes nothing after a stop, because the check then ends in the middle of a segment. It
 * takes nothing of a partition that a broker has deleted or moved.
 */
final class PartitionReport implements Report {
  private final Path directory;
  private final PartitionState state;
  private final ReadCounts reads;
  private final ScrubOutput output;
  private final BooleanSupplier isStopped;

  private BooleanSupplier isKeeping = () -> false;
  private BooleanSupplier isCompacted = () -> false;
  private String first = "";
  private long faults;
  private long errors;

  PartitionReport(
      Path directory,
      PartitionState state,
      ReadCounts reads,
      ScrubOutput output,
      BooleanSupplier isStopped) {
    this.directory = directory;
    this.state = state;
    this.reads = reads;
    this.output = output;
    this.isStopped = isStopped;
  }

  /**
   * Sets what is known of the partition.
   *
   * @param segment the name of its first segment
   * @param keeping returns true while there are faults that only the end of the check decides
   * @param compacted returns true once the partition is known to be compacted
   */
  void watching(String segment, BooleanSupplier keeping, BooleanSupplier compacted) {
    first = segment;
    isKeeping = keeping;
    isCompacted = compacted;
  }

  /** Returns the number of faults that were passed on. */
  long faults() {
    return faults;
  }

  /** Returns the number of files that could not be read, or not to their end. */
  long errors() {
    return errors;
  }

  private boolean isIgnored() {
    return isStopped.getAsBoolean() || Files.notExists(directory);
  }

  @Override
  public void fault(String file, Fault fault) {
    if (!isIgnored()) {
      if (!fault.finding()) {
        state.found(fault.reason());
        faults++;
      }
      output.fault(file, fault, reads.of(file));
    }
  }

  @Override
  public void error(String file, String message) {
    if (!isIgnored()) {
      state.found(PartitionState.Result.UNREAD);
      errors++;
      output.error(file, message);
    }
  }

  @Override
  public void file(FileSummary file) {
    if (isStopped.getAsBoolean()) {
      return;
    }
    state.compactedFrom(isCompacted.getAsBoolean() ? first : "");
    if (isKeeping.getAsBoolean()) {
      state.startsOver();
    } else {
      state.reached(Objects.toString(Path.of(file.name()).getFileName()));
    }
  }

  @Override
  public void partition(PartitionSummary partition) {
    if (!isIgnored()) {
      state.compactedFrom(partition.compacted() ? first : "");
      output.partition(partition);
    }
  }

  @Override
  public boolean isClosed() {
    return isStopped.getAsBoolean();
  }
}
