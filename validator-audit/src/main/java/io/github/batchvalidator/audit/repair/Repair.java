// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.repair;

import io.github.batchvalidator.audit.BatchPlan;
import io.github.batchvalidator.audit.Settings;
import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.report.RepairSummary;
import io.github.batchvalidator.audit.report.Report;
import io.github.batchvalidator.audit.report.SegmentReason;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.source.EndClaim;
import io.github.batchvalidator.audit.source.Partition;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.source.StoredFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * A repair of a partition from copies.
 *
 * <p>It takes part in a check of all copies, which shows what is sound. Then it chooses a sound
 * batch for each offset, and writes a new directory, which is checked before it gets its name.
 *
 * <pre>{@code
 * Repair repair = new Repair(inputs, options, settings);
 * SliceMerge merge = new SliceMerge(repair.watch(report), compacted).planning(repair);
 * new CheckRun(settings, repair.segments(), merge, progress).run();
 * merge.endPartitions();
 * merge.repaired(repair.write(target));
 * }</pre>
 */
public final class Repair implements BatchPlan {
  private final List<Copy> copies = new ArrayList<>();
  private final IdentityHashMap<Partition, Copy> byPartition = new IdentityHashMap<>();
  private final RepairOptions options;
  private final Settings settings;
  private final Problems problems;
  private boolean compacted;

  /**
   * A copy to repair from.
   *
   * @param name its path, as the user wrote it
   * @param partition the partition
   * @param segments all of its segments, in the order of their offsets
   */
  public record Input(String name, Partition partition, List<Segment> segments) {}

  /** Creates a repair from the copies of a partition. */
  public Repair(List<Input> inputs, RepairOptions options, Settings settings) {
    this.options = options;
    this.settings = settings;
    problems = new Problems(options, copies);
    for (Input input : inputs) {
      Copy copy =
          new Copy(
              copies.size(), input.name(), input.partition(), input.segments(), options.asStored());
      copies.add(copy);
      byPartition.put(input.partition(), copy);
    }
  }

  /** Returns the segments of all copies. */
  public List<Segment> segments() {
    List<Segment> all = new ArrayList<>();
    copies.forEach(copy -> all.addAll(copy.segments()));
    return all;
  }

  /** Returns a report that passes all on to another one. The repair learns from it, too. */
  public Report watch(Report report) {
    return new WatchedReport(report, copies);
  }

  private Copy of(Segment segment) {
    Copy copy = byPartition.get(segment.partition());
    if (copy == null) {
      throw new IllegalArgumentException(segment.name());
    }
    return copy;
  }

  @Override
  public void batch(Segment segment, StoredBatch batch, boolean isSound) {
    of(segment).batch(segment, batch, isSound);
  }

  @Override
  public void fault(Segment segment, Fault fault) {
    // The report of the run has the other ones, too, and those of partitions.
    if (fault.reason().equals(SegmentReason.SEGMENT_BASE_OFFSET_WRONG.name())) {
      of(segment).misplaced(segment, fault.position());
    }
  }

  @Override
  public void endSegment(
      Segment segment, boolean isDamaged, boolean isComplete, long numberOfBatches) {
    // What is sound is known batch by batch.
  }

  /**
   * Chooses the batches, and writes and checks the new directory. Nothing is left of it if a
   * problem prevents the repair.
   */
  public RepairSummary write(RepairTarget target) throws IOException, InterruptedException {
    copies.forEach(Copy::endCheck);
    compacted = options.compacted() || copies.stream().anyMatch(Copy::isCompacted);
    Path unfinished = target.begin();
    try {
      RepairSummary done = write(target, unfinished);
      if (!problems.isRefused()) {
        boolean hasGaps = compacted || problems.hasMissing();
        new NewPartition(unfinished, settings, options.asStored()).check(hasGaps);
        target.finish(unfinished);
      }
      return done;
    } catch (InternalError e) { // reads of truncated mappings throw it
      throw new IOException(Messages.of(e), e);
    } finally {
      target.discard(unfinished);
    }
  }

  private RepairSummary write(RepairTarget target, Path unfinished) throws IOException {
    boolean merges = compacted && !options.uncompacted();
    try (OpenRuns open = new OpenRuns(settings)) {
      CompactedMerge ofBase = new CompactedMerge(copies, options, problems, open);
      if (!merges && !options.uncompacted()) {
        new Compaction(copies, problems).check();
      }
      Copy layout = merges ? ofBase.choose() : layout();
      NavigableSet<Long> borders = borders(layout);
      long start = merges ? layout.start() : start(borders);
      List<Copy> ordered = new ArrayList<>(copies);
      ordered.remove(layout);
      ordered.add(0, layout);
      List<EpochHistory> histories = ordered.stream().map(Copy::epochs).toList();
      try (PartitionWriter writer = new PartitionWriter(unfinished, borders, merges, histories)) {
        boolean isRestored = restoreProducers(writer, ordered, start);
        BatchSink sink = new BatchSink(writer, problems, start);
        if (merges) {
          ofBase.run(sink);
        } else {
          new PlainMerge(copies, options, problems, sink, open).run();
        }
        checkEnd(sink);
        SmallFiles small = new SmallFiles(copies, problems);
        small.writeMetadata(writer);
        writer.end(sink.next());
        addNotes(writer, sink);
        long stated = SmallFiles.logStart(copies);
        if (!isRestored && stated >= 0 && stated < start) { // only tiered logs state such a start
          problems.note(
              "no copy has a sound snapshot of producers at offset "
                  + start
                  + ", so aborts of transactions that started before it may be missing; do not use"
                  + " the new directory on a tiered topic");
        }
        return summary(target, writer, merges, small.checkpoints(sink.next()));
      }
    }
  }

  /**
   * Takes over the producers before the log from the first copy that has a snapshot of them, and
   * returns true if one has.
   */
  private static boolean restoreProducers(PartitionWriter writer, List<Copy> ordered, long start)
      throws IOException {
    for (Copy copy : ordered) {
      StoredFile snapshot = copy.partition().producerSnapshots().get(start);
      if (snapshot != null && start > 0 && writer.restore(snapshot)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the copy whose segments are those of the new directory: that with fewest faults. */
  private Copy layout() {
    Copy best = copies.get(0);
    for (Copy copy : copies) {
      boolean isBetter = copy.faults() < best.faults() && !copy.isTiered();
      best = isBetter || best.isTiered() ? copy : best;
    }
    return best;
  }

  /** Returns where segments start: as in a copy, and as in others where it has no batches. */
  private NavigableSet<Long> borders(Copy layout) {
    NavigableSet<Long> borders = new TreeSet<>();
    layout.segments().forEach(segment -> borders.add(segment.baseOffset()));
    for (Copy copy : copies) {
      for (Segment segment : copy.segments()) {
        if (!layout.has(segment.baseOffset())) {
          borders.add(segment.baseOffset());
        }
      }
    }
    return borders;
  }

  /**
   * Returns the offset that the log starts at: that of the earliest copy, unless records before the
   * log start offset were deleted.
   */
  private long start(NavigableSet<Long> borders) {
    long start = copies.stream().mapToLong(Copy::start).min().orElse(0);
    Long deleted = borders.floor(SmallFiles.logStart(copies));
    return deleted == null ? start : Math.max(start, deleted);
  }

  /** Reports offsets after the end that files name, and checkpoints that may name some. */
  private void checkEnd(BatchSink sink) throws IOException {
    EndClaim farthest = null;
    for (Copy copy : copies) {
      for (EndClaim claim : copy.claims(why -> addUnread(sink.next(), why))) {
        if (claim.end() > sink.next() && (farthest == null || claim.end() > farthest.end())) {
          farthest = claim;
        }
      }
    }
    if (farthest != null) {
      addMissingEnd(sink.next(), farthest.text());
    }
  }

  private void addUnread(long end, IOException why) {
    addMissingEnd(end, "a checkpoint cannot be read: " + Messages.of(why));
  }

  private void addMissingEnd(long end, String why) {
    String text = "the copies end before offset " + end + ", but " + why;
    problems.missing(end, RepairSummary.END, text);
  }

  private void addNotes(PartitionWriter writer, BatchSink sink) {
    if (sink.broken() > 0) {
      String batches = Messages.plural(sink.broken(), "batch") + " taken as stored";
      problems.note(batches + ": a rule is broken, the checksum is right");
    }
    if (sink.start() > 0 && writer.lacksHistory()) {
      problems.note(
          "no copy has a sound leader-epoch-checkpoint, so the new one lacks epochs before offset "
              + sink.start()
              + "; do not use it on a tiered topic, where the leader would delete remote segments");
    }
    long forgotten = writer.producers().forgotten();
    if (forgotten > 0) {
      problems.note(
          forgotten
              + " producers that wrote least recently are not in the snapshots, which have at most "
              + ProducerTable.MAX_PRODUCERS);
    }
  }

  private RepairSummary summary(
      RepairTarget target, PartitionWriter writer, boolean merged, List<String> checkpoints) {
    boolean isRefused = problems.isRefused();
    return new RepairSummary(
        isRefused ? "" : target.directory().toString(),
        copies.stream()
            .map(
                copy ->
                    new RepairSummary.Source(
                        copy.name(), copy.faults(), copy.batches(), copy.bytes()))
            .toList(),
        writer.first(),
        writer.batches() == 0 ? -1 : writer.next() - 1,
        writer.segments(),
        writer.batches(),
        writer.bytes(),
        merged,
        List.copyOf(problems.named()),
        problems.others(),
        List.copyOf(problems.notes()),
        isRefused ? List.of() : checkpoints);
  }
}
