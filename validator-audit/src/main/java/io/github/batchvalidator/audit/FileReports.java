// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import io.github.batchvalidator.audit.partition.BaseOffsetCheck;
import io.github.batchvalidator.audit.partition.OffsetEvidence;
import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.FileSummary;
import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.report.Report;
import io.github.batchvalidator.audit.report.RunSummary;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.report.StoredRecord;
import io.github.batchvalidator.audit.report.Tally;
import io.github.batchvalidator.audit.salvage.PartitionPlan;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.source.StorageFaultException;
import io.github.batchvalidator.audit.walk.Slice;
import io.github.batchvalidator.audit.walk.SliceResult;
import java.nio.file.NoSuchFileException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The reports of files, partitions and the run, made from slice results in file order.
 *
 * <p>Not thread-safe: {@link SliceMerge} calls it under its own monitor. Only the listing and the
 * plan, which do not change during the run, are set and read without it.
 */
final class FileReports {
  private final Report report;
  private final AuditFeed audit;
  private Listing listing = Listing.NONE;
  private @Nullable SalvagePlanner salvage;
  private @Nullable BatchPlan plan;

  // The run.
  private final Tally total = new Tally();
  private long files;
  private long fileBytes;
  private long vanishedFiles;
  private long errors;

  // The file.
  private Tally fileTally = new Tally();
  private boolean hasOffsets;
  private long firstOffset;
  private long lastOffset;
  private boolean complete = true;
  private @Nullable Offsets offsets;

  /** True if the file was deleted before it was read. */
  private boolean vanished;

  /**
   * Creates the reports of a run.
   *
   * @param report receives the results
   * @param compacted true if all partitions are known to be compacted
   */
  FileReports(Report report, boolean compacted) {
    this.report = report;
    audit = new AuditFeed(compacted, report, this::error);
  }

  /** Says that all partitions are known to be compacted. */
  void compacted() {
    audit.compacted();
  }

  /** Sets what to list beside faults. */
  void listing(Listing next) {
    listing = next;
  }

  /** Returns what to list beside faults. */
  Listing listing() {
    return listing;
  }

  /** Starts to plan the salvage of damaged segments. */
  void salvaging() {
    salvage = new SalvagePlanner();
    planning(salvage);
  }

  /** Passes the batches on to the plan of a copy. */
  void planning(BatchPlan next) {
    plan = next;
  }

  /** Returns true if batches will be copied. */
  boolean isPlanning() {
    return plan != null;
  }

  /** Returns the plans for all partitions with damaged segments. */
  List<PartitionPlan> plans() {
    SalvagePlanner planner = salvage;
    return planner == null ? List.of() : planner.end();
  }

  /** Adds the result of the next finished slice. */
  void add(SliceResult result) {
    if (complete) { // results after a read error are dropped: their number varies between runs
      reportSlice(result);
    }
  }

  /** Returns false if the current file could not be read to its end. */
  boolean isComplete() {
    return complete;
  }

  private void reportSlice(SliceResult result) {
    Slice slice = result.slice();
    if (result.error() instanceof NoSuchFileException && slice.segment().isSearched()) {
      complete = false;
      vanished = true;
      return;
    }
    reportFaults(result);
    fileTally.add(result.tally());
    if (result.hasOffsets()) {
      lastOffset = result.lastOffset();
    }
    Fault fault = slice.fault();
    Throwable error = result.error();
    if (error instanceof StorageFaultException storage) {
      complete = false;
      fileTally.fault(storage.found().fault());
      report.fault(storage.found().file(), storage.found().fault());
    } else if (error != null) {
      complete = false;
      error(slice.segment().name(), Messages.of(error));
    } else if (fault != null) {
      reportFault(slice.segment(), fault);
    }
  }

  /** Decisions about the base offsets of a segment. */
  private final class Offsets implements BaseOffsetCheck.Output {
    private final Segment segment;
    private final BaseOffsetCheck check;

    private Offsets(Segment segment) {
      this.segment = segment;
      check = new BaseOffsetCheck(segment, new OffsetEvidence(segment.partition()), this);
    }

    @Override
    public void fault(Fault fault) {
      reportFault(segment, fault);
    }

    @Override
    public void batch(StoredBatch batch, boolean isSound) {
      if (segment.isAudited()) {
        audit.batch(segment, batch);
      }
      BatchPlan planner = plan;
      if (planner != null) {
        planner.batch(segment, batch, isSound);
      }
    }
  }

  private BaseOffsetCheck offsets(Segment segment) {
    Offsets current = offsets;
    if (current == null || current.segment != segment) {
      current = new Offsets(segment);
      offsets = current;
    }
    return current.check;
  }

  private void closeOffsets() {
    Offsets ended = offsets;
    offsets = null;
    if (ended != null) {
      ended.check.close();
    }
  }

  /** Reports batches, their records and their faults, in the order of their positions. */
  void reportFaults(SliceResult result) {
    Segment segment = result.slice().segment();
    audit.endBefore(segment);
    if (!hasOffsets && result.hasOffsets()) {
      firstOffset = result.firstOffset();
      hasOffsets = true;
    }
    String name = segment.name();
    PeekingList<StoredBatch> batches = new PeekingList<>(result.batches(), StoredBatch::position);
    PeekingList<StoredRecord> records =
        new PeekingList<>(result.records(), StoredRecord::batchPosition);
    PeekingList<Fault> faults = new PeekingList<>(result.faults(), Fault::position);
    while (batches.hasNext() || records.hasNext() || faults.hasNext()) {
      if (batches.position() <= Math.min(records.position(), faults.position())) {
        StoredBatch batch = batches.next();
        if (listing != Listing.NONE) {
          report.batch(name, batch);
        }
        boolean isSound = faults.position() != batch.position() || faults.peek().finding();
        offsets(segment).add(batch, isSound);
      } else if (records.position() <= faults.position()) {
        report.record(name, records.next());
      } else {
        report(segment, faults.next());
      }
    }
  }

  /** Reports a fault that is counted already. */
  private void report(Segment segment, Fault fault) {
    report.fault(segment.name(), fault);
    BatchPlan planner = plan;
    if (planner != null) {
      planner.fault(segment, fault);
    }
  }

  private void reportFault(Segment segment, Fault fault) {
    fileTally.fault(fault);
    report(segment, fault);
  }

  /** Ends the batches of the current segment, and compares it with the files beside it. */
  void endSegment(Segment segment) {
    if (vanished) {
      vanishedFiles++;
      audit.vanished(segment);
    } else {
      endRead(segment);
    }
    closeOffsets();
  }

  private void endRead(Segment segment) {
    offsets(segment).end();
    if (segment.isAudited()) {
      audit.endSegment(segment, fileTally.faults(), complete);
    }
    BatchPlan planner = plan;
    if (planner != null) {
      planner.endSegment(segment, fileTally.faults() > 0, complete, fileTally.batches());
    }
  }

  /** Reports the file of an ended segment. The next file starts. */
  void endFile(Segment segment) {
    total.add(fileTally);
    if (segment.isOpened() && !vanished) {
      files++;
      fileBytes += segment.size();
      report.file(
          new FileSummary(
              segment.name(), segment.size(), firstOffset, lastOffset, complete, fileTally));
    }
    fileTally = new Tally();
    hasOffsets = false;
    complete = true;
    vanished = false;
  }

  /** Counts what an unfinished slice found so far. */
  void count(SliceResult unfinished) {
    total.add(unfinished.tally());
  }

  /** Ends the current file early. Its faults so far still count. */
  void stop() {
    total.add(fileTally);
    closeOffsets();
  }

  /** Reports a file or directory that could not be read. */
  void error(String name, String message) {
    errors++;
    report.error(name, message);
  }

  /** Returns true if the current partition is known to be compacted, so far. */
  boolean isCompacted() {
    return audit.isCompacted();
  }

  /** Returns true if there are faults of the current partition that only its end decides. */
  boolean isKeepingFaults() {
    return audit.isKeepingFaults();
  }

  /** Ends the last partition. */
  void endPartitions() {
    audit.end();
  }

  /** Reports and returns the summary of the run. */
  RunSummary end(long nanos, boolean sample) {
    total.add(audit.faults(), audit.findings());
    RunSummary run = new RunSummary(files, fileBytes, errors, vanishedFiles, nanos, sample, total);
    report.summary(run);
    return run;
  }
}
