// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.audit.profile.RecordProfiler;
import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.walk.HeaderReader;
import io.github.batchvalidator.audit.walk.SegmentWindow;
import io.github.batchvalidator.audit.walk.Slice;
import io.github.batchvalidator.audit.walk.SliceResult;
import io.github.batchvalidator.format.BatchIterator;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.GzipInflater;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Verdict;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An inspector of the batches of slices. Allocates per batch only where batches are compared with
 * each other by more than their offsets, or have faults. Confined to one thread.
 */
public final class SliceCheck implements AutoCloseable {
  /** A placeholder, because no rule for stored batches uses the time. */
  private static final long NO_TIME = 0;

  private final SegmentWindow window;
  private final SegmentRules rules;
  private final LongConsumer progress;

  /** Most checks end before the JIT has compiled the inflater in Java. */
  private final BatchValidator validator = new BatchValidator(GzipInflater.JDK);

  private final BatchIterator batches = new BatchIterator();
  private final HeaderReader heads = new HeaderReader();
  private final Verdict verdict = BatchValidator.newVerdict();
  private Policy policy = Policy.STORED;
  private @Nullable RecordProfiler profiler;
  private Listing listing = Listing.NONE;
  private @Nullable RecordLister lister;
  private boolean isPlanning;

  /** A receiver of results of unfinished slices. */
  @FunctionalInterface
  public interface Flush {
    /** Takes the faults, batches and records so far out of a result. */
    void flush(SliceResult result) throws InterruptedException;
  }

  /**
   * Creates an inspector for one thread.
   *
   * @param settings the window sizes and the rules
   * @param progress receives the number of bytes that were inspected or skipped
   */
  public SliceCheck(Settings settings, LongConsumer progress) {
    window = new SegmentWindow(settings.windowBytes(), settings.maxWindowBytes());
    rules = settings.rules();
    this.progress = progress;
  }

  /** Sets the profiler that receives accepted batches. */
  public void profiler(@Nullable RecordProfiler next) {
    profiler = next;
  }

  /** Sets what to list beside faults. */
  void listing(Listing next) {
    listing = next;
    lister = next.includes(Listing.RECORDS) ? new RecordLister(next == Listing.PAYLOAD) : null;
  }

  /** Sets whether batches will be copied. */
  void planning(boolean next) {
    isPlanning = next;
  }

  /**
   * Inspects a slice that has no error yet. A failure becomes the error of the result, and later
   * slices of the segment are abandoned.
   *
   * @param result receives the faults, the counts and the error
   * @param flush receives the faults early if there are {@value SliceResult#MAX_FAULTS} or more
   */
  public void checkOrFail(SliceResult result, Flush flush) throws InterruptedException {
    if (result.error() != null) {
      return;
    }
    try {
      check(result, flush);
    } catch (IOException | RuntimeException | Error e) {
      Segment segment = result.slice().segment();
      segment.abandonAfter(result.slice().index());
      result.failed(cause(segment, e));
    }
  }

  /**
   * Returns the error to report. If the file became shorter, that error replaces the original,
   * because reading a truncated mapping throws {@code InternalError}.
   */
  private static Throwable cause(Segment segment, Throwable why) {
    try {
      segment.checkNotShorter();
      return why;
    } catch (EOFException shorter) {
      return shorter;
    } catch (IOException unknown) {
      return why;
    }
  }

  /**
   * Inspects a slice. Stops early if an earlier slice of the segment could not be read.
   *
   * @param result receives the faults and counts
   * @param flush receives the faults early if there are {@value SliceResult#MAX_FAULTS} or more
   */
  public void check(SliceResult result, Flush flush) throws IOException, InterruptedException {
    Slice slice = result.slice();
    policy = rules.of(slice.segment());
    window.clear();
    long at = slice.from();
    int need = BatchLayout.PREFIX_BYTES;
    while (at < slice.to() && !slice.segment().isAbandoned(slice.index())) {
      if (need > slice.to() - at) {
        throw changed(at);
      }
      window.load(slice.segment(), at, need, slice.to());
      long end = checkWindow(at, result, flush);
      progress.accept(end - at);
      need = needed(end);
      at = end;
    }
    result.endRun();
    Fault fault = slice.fault();
    if (fault != null) {
      progress.accept(fault.skippedBytes());
    }
  }

  /** Inspects the whole batches in the window and returns the position after the last one. */
  private long checkWindow(long from, SliceResult result, Flush flush)
      throws IOException, InterruptedException {
    ByteBuffer buffer = window.buffer();
    buffer.clear().limit(window.limit());
    batches.wrap(buffer, window.indexOf(from), window.limit());
    long at = from;
    while (batches.next()) {
      buffer.position(batches.start());
      checkBatch(buffer, at, result, flush);
      if (result.isFull()) {
        result.endRun();
        flush.flush(result);
      }
      at += batches.sizeInBytes();
    }
    return at;
  }

  /** Returns the size of the next batch if its prefix is in the window, else the prefix size. */
  private int needed(long at) throws IOException {
    Reason why = batches.failure();
    if (why != null && why != Reason.FRAMING_INCOMPLETE) {
      throw changed(at);
    }
    return why == null ? BatchLayout.PREFIX_BYTES : (int) batches.operand();
  }

  /** Returns the error for a file that changed after the walk, which found whole batches here. */
  private static IOException changed(long at) {
    return new IOException("the file changed while it was read, at byte " + at);
  }

  private void checkBatch(ByteBuffer buffer, long position, SliceResult result, Flush flush)
      throws IOException, InterruptedException {
    validator.inspect(buffer, policy, NO_TIME, verdict);
    long baseOffset = BatchLayout.baseOffsetAt(buffer, buffer.position());
    boolean isFaulty = verdict.reason() != null || verdict.findings().count() > 0;
    boolean isNext = !result.hasOffsets() || baseOffset == result.lastOffset() + 1;
    if (isFaulty || !isNext) {
      result.slice().segment().checkNotShorter();
    }
    checkCodecWorks();
    result.tally().batch(verdict);
    boolean isPlain = !isFaulty && !readsAll(result) && verdict.magic() == BatchLayout.MAGIC_V2;
    StoredBatch batch = isPlain ? null : heads.read(buffer, position, verdict);
    long lastOffset = batch != null ? batch.lastOffset() : heads.lastOffset(buffer, verdict);
    if (isPlain) {
      result.offsetsOf(position, verdict.batchBytes(), baseOffset, lastOffset);
    } else if (batch != null) {
      result.batch(batch);
      listRecords(buffer, batch, result, flush);
    }
    if (verdict.reason() == Reason.BATCH_CRC_MISMATCH && verdict.magic() == BatchLayout.MAGIC_V2) {
      batch = heads.readUnverified(buffer, position);
    }
    addFaults(position, baseOffset, batch, result);
    addFindings(position, baseOffset, batch, result);
    result.offsets(baseOffset, lastOffset);
    RecordProfiler reads = profiler;
    if (reads != null && verdict.accepted()) {
      reads.add(buffer, result.slice().segment(), position);
    }
  }

  /** Returns true if more than the offsets of each batch is needed. */
  private boolean readsAll(SliceResult result) {
    return isPlanning || listing != Listing.NONE || result.slice().segment().isAudited();
  }

  private void listRecords(ByteBuffer buffer, StoredBatch batch, SliceResult result, Flush flush)
      throws InterruptedException {
    RecordLister lists = lister;
    if (lists == null) {
      return;
    }
    lists.list(
        buffer,
        batch,
        next -> {
          result.records().add(next);
          if (result.isFull()) {
            flush.flush(result);
          }
        });
  }

  /** Fails if the machine lacks the library or the memory for a codec. The file is not at fault. */
  private void checkCodecWorks() throws IOException {
    Throwable cause = verdict.cause();
    if (verdict.reason() == Reason.CODEC_OUT_OF_MEMORY) {
      throw new IOException(Messages.NOT_ENOUGH_MEMORY, cause);
    }
    if (verdict.reason() == Reason.CODEC_UNAVAILABLE) {
      String codec = String.valueOf(verdict.codec());
      throw new IOException("the library of " + codec + " cannot be used: " + cause, cause);
    }
  }

  private void addFaults(
      long position, long baseOffset, @Nullable StoredBatch batch, SliceResult result) {
    Reason reason = verdict.reason();
    if (reason == null || reason.level() == Level.STRICT) {
      return;
    }
    if (!verdict.decidedByRecords()) {
      result.fault(Fault.of(verdict, position, baseOffset).with(batch));
      return;
    }
    for (int i = 0; i < verdict.failureCount(); i++) {
      result.fault(Fault.ofRecord(verdict, i, position, baseOffset).with(batch));
    }
  }

  /** Adds what level STRICT rejects: as faults at that level, as findings otherwise. */
  private void addFindings(
      long position, long baseOffset, @Nullable StoredBatch batch, SliceResult result) {
    boolean finding = policy.level() != Level.STRICT;
    for (int i = 0; i < verdict.findings().count(); i++) {
      Fault fault = Fault.ofFinding(verdict.findings(), i, finding, position, baseOffset);
      result.fault(fault.with(batch));
    }
  }

  @Override
  public void close() {
    validator.close();
    heads.close();
    RecordLister lists = lister;
    if (lists != null) {
      lists.close();
    }
  }
}
