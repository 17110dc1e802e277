// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import io.github.batchvalidator.audit.partition.OffsetEvidence;
import io.github.batchvalidator.audit.partition.TransactionLedger;
import io.github.batchvalidator.audit.partition.TransactionLedger.Hole;
import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.SalvageSummary;
import io.github.batchvalidator.audit.report.SalvageSummary.Gap;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.salvage.OffsetSet;
import io.github.batchvalidator.audit.salvage.PartitionPlan;
import io.github.batchvalidator.audit.salvage.SalvagePlan;
import io.github.batchvalidator.audit.salvage.SoundRange;
import io.github.batchvalidator.audit.salvage.SoundRanges;
import io.github.batchvalidator.audit.source.Partition;
import io.github.batchvalidator.audit.source.Segment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A planner of the salvage of damaged segments. It sees the batches of all segments in their order.
 *
 * <p>Memory depends on the faults of a partition, and on the transactional batches of one segment.
 *
 * <p>Confined to one thread at a time.
 */
final class SalvagePlanner implements BatchPlan {
  private final List<PartitionPlan> done = new ArrayList<>();

  // The partition, or the segment that is salvaged by itself.
  private @Nullable Object owner;
  private TransactionLedger ledger = new TransactionLedger(null);
  private OffsetEvidence names = new OffsetEvidence(null);
  private OffsetSet kept = new OffsetSet();
  private List<SalvagePlan> plans = new ArrayList<>();

  // The segment.
  private SoundRanges sound = new SoundRanges();
  private final List<SoundRange> unsound = new ArrayList<>();
  private final List<StoredBatch> ofTransactions = new ArrayList<>();
  private final List<StoredBatch> unverified = new ArrayList<>();

  @Override
  public void batch(Segment segment, StoredBatch batch, boolean isSound) {
    if (isSound && batch.baseOffset() >= segment.baseOffset()) {
      sound.add(batch.position(), batch.bytes(), batch.baseOffset(), batch.lastOffset());
    } else {
      unsound.add(
          new SoundRange(
              batch.position(),
              batch.position() + batch.bytes(),
              batch.baseOffset(),
              batch.lastOffset(),
              1));
    }
    if (batch.producerId() >= 0 && (batch.transactional() || batch.control() != null)) {
      ofTransactions.add(batch);
    }
  }

  @Override
  public void fault(Segment segment, Fault fault) {
    StoredBatch batch = fault.batch();
    if (batch != null && !fault.isHeaderVerified()) {
      unverified.add(batch);
    }
  }

  @Override
  public void endSegment(Segment segment, boolean isDamaged, boolean isComplete, long batches) {
    start(segment);
    List<SoundRange> ranges = sound.end();
    SalvagePlan plan =
        SalvagePlan.of(segment, ranges, unsound, batches, names.nextSegment(segment));
    plan.kept().forEach(range -> kept.add(range.firstOffset(), range.lastOffset()));
    if (isDamaged && isComplete) {
      plans.add(plan);
      transactions(segment, plan);
    } else {
      ledger.start(segment);
      ofTransactions.forEach(ledger::kept);
    }
    sound = new SoundRanges();
    unsound.clear();
    ofTransactions.clear();
    unverified.clear();
  }

  private void start(Segment segment) {
    Partition partition = segment.partition();
    Object next = partition == null ? segment : partition;
    if (next != owner) {
      endPartition();
      owner = next;
      ledger = new TransactionLedger(partition);
      names = new OffsetEvidence(partition);
    }
  }

  private void endPartition() {
    if (!plans.isEmpty()) {
      done.add(new PartitionPlan(plans, kept, ledger.end()));
    }
    plans = new ArrayList<>();
    kept = new OffsetSet();
  }

  /** Passes the transactional batches and the gaps of a plan to the ledger, in file order. */
  private void transactions(Segment segment, SalvagePlan plan) {
    ledger.start(segment);
    int next = 0;
    for (Gap gap : plan.gaps(new OffsetSet())) {
      next = kept(plan, next, gap.from());
      List<StoredBatch> verified = new ArrayList<>();
      for (;
          next < ofTransactions.size() && ofTransactions.get(next).position() < gap.to();
          next++) {
        StoredBatch batch = ofTransactions.get(next);
        if (!kept.contains(batch.baseOffset())) {
          verified.add(batch);
        }
      }
      ledger.lost(hole(segment, plan, gap, verified));
    }
    kept(plan, next, Long.MAX_VALUE);
  }

  private int kept(SalvagePlan plan, int from, long end) {
    int next = from;
    while (next < ofTransactions.size() && ofTransactions.get(next).position() < end) {
      if (plan.keeps(ofTransactions.get(next).position())) {
        ledger.kept(ofTransactions.get(next));
      }
      next++;
    }
    return next;
  }

  private Hole hole(Segment segment, SalvagePlan plan, Gap gap, List<StoredBatch> verified) {
    long bytes = gap.to() - gap.from();
    for (SoundRange range : plan.dropped()) {
      boolean isInside = range.from() >= gap.from() && range.to() <= gap.to();
      bytes -= isInside ? range.bytes() : 0;
    }
    List<StoredBatch> headers = new ArrayList<>();
    for (StoredBatch batch : unverified) {
      if (batch.position() >= gap.from() && batch.position() < gap.to()) {
        headers.add(batch);
        bytes -= batch.bytes();
      }
    }
    // A broker cuts the end of a log off when it starts, whether the file is salvaged or not.
    boolean isEnd = gap.to() == segment.size() && plan.nextSegment() == SalvageSummary.END;
    return new Hole(
        gap.offsets().isEmpty() ? 0 : gap.offsets().get(0).first(),
        gap.offsets().isEmpty() ? -1 : gap.offsets().get(gap.offsets().size() - 1).last(),
        verified,
        headers,
        bytes > 0 && !isEnd && !gap.offsets().isEmpty());
  }

  /** Ends the run, and returns the plans of all partitions with damaged segments. */
  List<PartitionPlan> end() {
    endPartition();
    owner = null;
    return done;
  }
}
