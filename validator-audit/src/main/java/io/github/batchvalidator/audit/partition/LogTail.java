// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.partition;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.PartitionReason;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.source.EndClaim;
import io.github.batchvalidator.audit.source.Partition;
import io.github.batchvalidator.audit.source.Segment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A check that no other file names offsets after the end of the log: snapshots, indexes, the
 * checkpoint of leader epochs and the checkpoints of the log directory.
 *
 * <p>It says nothing if the end of the log cannot be read, because that is reported already, or if
 * the log has grown since it was read, because a broker writes the checkpoints later.
 */
final class LogTail implements PartitionCheck {
  /** The maximum number of index entries that wait for the next segment. */
  private static final int MAX_ENTRIES = 10_000;

  /** The maximum number of files in a message. */
  private static final int MAX_NAMED = 4;

  /** An entry of an index that has an offset after the segment. */
  private record Entry(String file, Fault fault, long offset) {}

  private final Partition partition;
  private final PartitionFaults faults;
  private final EpochCheck epochs;
  private final List<EndClaim> claims = new ArrayList<>();
  private final List<Entry> entries = new ArrayList<>();
  private @Nullable Segment last;

  /** The offset that follows the last batch. */
  private long end;

  private boolean isEndKnown;

  LogTail(
      Partition partition,
      NavigableMap<Long, ?> snapshots,
      EpochCheck epochs,
      PartitionFaults faults) {
    this.partition = partition;
    this.faults = faults;
    this.epochs = epochs;
    if (!snapshots.isEmpty()) {
      long offset = snapshots.lastKey();
      claims.add(new EndClaim("a snapshot of producers is from offset " + offset, offset));
    }
  }

  @Override
  public void start(Segment segment) {
    if (last == null || segment.baseOffset() <= end) {
      entries.forEach(entry -> faults.add(entry.file(), entry.fault()));
    } // otherwise the gap before the segment is reported
    entries.clear();
    last = segment;
    end = Math.max(end, segment.baseOffset());
    isEndKnown = true;
  }

  @Override
  public void batch(StoredBatch batch) {
    end = Math.max(end, batch.lastOffset() + 1);
  }

  @Override
  public void interrupted(long from, long to) {
    isEndKnown = to != Long.MAX_VALUE;
  }

  /** Takes an entry after the last batch of the segment. */
  void entry(String file, Fault fault, long offset) {
    if (offset < end || entries.size() >= MAX_ENTRIES) {
      faults.add(file, fault);
    } else {
      entries.add(new Entry(file, fault, offset));
    }
  }

  @Override
  public void end() {
    Segment segment = last;
    if (segment == null || !isEndKnown) {
      return;
    }
    if (segment.upload() != null) { // closed, so no batch follows
      entries.forEach(entry -> faults.add(entry.file(), entry.fault()));
      return;
    }
    for (Entry entry : entries) {
      String name = String.valueOf(Path.of(entry.file()).getFileName());
      claims.add(new EndClaim(name + " has offset " + entry.offset(), entry.offset() + 1));
    }
    long epoch = epochs.lastStart();
    claims.add(new EndClaim("leader-epoch-checkpoint has an epoch from offset " + epoch, epoch));
    claims.addAll(partition.endClaims(why -> faults.unread(partition.name(), why)));
    List<EndClaim> beyond = claims.stream().filter(claim -> claim.end() > end).toList();
    if (!beyond.isEmpty() && !hasGrown(segment)) {
      String text =
          beyond.stream()
              .sorted(Comparator.comparingLong(EndClaim::end).reversed())
              .map(EndClaim::text)
              .limit(MAX_NAMED)
              .collect(Collectors.joining(", "));
      PartitionReason reason = PartitionReason.PARTITION_TAIL_MISSING;
      faults.add(segment.name(), Fault.of(reason, segment.size(), end, end, text));
    }
  }

  private boolean hasGrown(Segment segment) {
    try {
      if (!partition.segmentOffsets().tailSet(segment.baseOffset(), false).isEmpty()) {
        return true;
      }
      return segment.lookAgain() != Segment.Look.SAME;
    } catch (IOException gone) {
      return true;
    }
  }
}
