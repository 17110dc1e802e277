// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.repair;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.PartitionReason;
import io.github.batchvalidator.audit.report.SegmentReason;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.source.EndClaim;
import io.github.batchvalidator.audit.source.LeaderEpochs;
import io.github.batchvalidator.audit.source.Partition;
import io.github.batchvalidator.audit.source.RemoteLog;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.source.StoredFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A copy of a partition: the runs of its sound batches, and what its other files say.
 *
 * <p>A batch is not sound if {@code ./check} reports a fault of it. It is not sound either if its
 * offsets are out of order, or if its file overlaps with another one: such a file may be from
 * another partition.
 *
 * <p>Memory depends on the number of segments and of faults.
 */
final class Copy {
  /**
   * The faults of a batch that only the batches around it show, and that no leader lets a client
   * write. Sequence numbers are not among them: all replicas may have the same gap.
   */
  private static final Pattern OF_BATCH =
      Pattern.compile(
          "PARTITION_LEADER_EPOCH_.*|TRANSACTION_INTERRUPTED|TRANSACTION_MARKER_UNREADABLE");

  private final int order;
  private final String name;
  private final Partition partition;
  private final List<Segment> segments;
  private final boolean asStored;
  private final List<Run> runs = new ArrayList<>();

  /**
   * The last offset of each batch that breaks a rule although its checksum is right, by its base.
   */
  private final TreeMap<Long, Long> broken = new TreeMap<>();

  private final Map<String, List<StoredBatch>> unsound = new HashMap<>();
  private final Set<String> doubtful = new HashSet<>();
  private final EpochHistory epochs;
  private boolean compacted;
  private long faults;
  private @Nullable Run open;
  private @Nullable Segment current;

  /** The segment of the last batch whose stored base offset is wrong, and its position there. */
  private @Nullable Segment misplacedIn;

  private long misplacedAt;

  /** True if the last segment ends with zeros, which are no batch. */
  private boolean endsWithZeros;

  /** The files that could not be read. */
  private final Set<String> unread = new HashSet<>();

  /** The fault that the log ends too early, or null. */
  private @Nullable EndClaim tail;

  /** False if the file with the topic id is damaged. */
  private boolean hasTopicId = true;

  // The parts that were taken.
  private long batches;
  private long bytes;

  /**
   * Creates a copy that is not checked yet.
   *
   * @param order the place of the copy among all copies, from 0
   * @param asStored true if batches that break a rule count as sound
   */
  Copy(int order, String name, Partition partition, List<Segment> segments, boolean asStored) {
    this.order = order;
    this.name = name;
    this.partition = partition;
    this.asStored = asStored;
    this.segments = List.copyOf(segments);
    epochs = EpochHistory.of(partition);
  }

  int order() {
    return order;
  }

  String name() {
    return name;
  }

  Partition partition() {
    return partition;
  }

  List<Segment> segments() {
    return segments;
  }

  /** Returns the runs in the order of the files. */
  List<Run> runs() {
    return runs;
  }

  EpochHistory epochs() {
    return epochs;
  }

  boolean isTiered() {
    return partition.remote() != null;
  }

  boolean hasTopicId() {
    return hasTopicId;
  }

  boolean isCompacted() {
    return compacted;
  }

  void compacted(boolean next) {
    compacted = next;
  }

  long faults() {
    return faults;
  }

  // ---- the check

  /** Says that a batch which comes next, if at all, has another base offset than it states. */
  void misplaced(Segment segment, long position) {
    misplacedIn = segment;
    misplacedAt = position;
  }

  /** Takes the next batch. */
  void batch(Segment segment, StoredBatch batch, boolean isSound) {
    if (segment != current) {
      current = segment;
      open = null;
    }
    if (!(isSound || isTakenAsStored(segment, batch)) || isReplaced(batch)) {
      open = null;
      return;
    }
    if (batch.baseOffset() <= lastBefore()) { // either of the two may be wrong
      cutFrom(batch.baseOffset());
      open = null;
      return;
    }
    Run run = open;
    if (run != null && run.isFollowedBy(segment, batch)) {
      run.add(batch);
      return;
    }
    open = new Run(this, segment, batch);
    runs.add(open);
  }

  private boolean isTakenAsStored(Segment segment, StoredBatch batch) {
    boolean isMisplaced = segment == misplacedIn && batch.position() == misplacedAt;
    boolean hasOffsets = !isMisplaced && batch.lastOffset() >= batch.baseOffset();
    if (hasOffsets) {
      broken.put(batch.baseOffset(), batch.lastOffset());
    }
    return hasOffsets && asStored;
  }

  /** Returns true if a batch breaks a rule although its checksum is right, at some offset. */
  boolean breaksRule(long first, long last) {
    Map.Entry<Long, Long> entry = broken.floorEntry(last);
    return entry != null && entry.getValue() >= first;
  }

  /** Returns the last sound offset so far. Tiered segments may overlap. */
  private long lastBefore() {
    Run last = runs.isEmpty() ? null : runs.get(runs.size() - 1);
    return last == null || (isTiered() && last.segment() != current) ? -1 : last.last();
  }

  private void cutFrom(long offset) {
    for (int i = runs.size() - 1; i >= 0 && runs.get(i).last() >= offset; i--) {
      runs.get(i).cut(offset);
    }
  }

  /** Returns true if a new leader has replaced a batch of a tiered segment. */
  private boolean isReplaced(StoredBatch batch) {
    RemoteLog remote = partition.remote();
    if (remote == null || batch.leaderEpoch() < 0) {
      return false;
    }
    int now = LeaderEpochs.epochAt(remote.lineage(), batch.baseOffset());
    return now >= 0 && now != batch.leaderEpoch();
  }

  /** Takes a fault of any file. */
  void fault(String file, Fault fault) {
    if (fault.finding()) {
      return;
    }
    faults++;
    StoredBatch batch = fault.batch();
    String reason = fault.reason();
    if (OF_BATCH.matcher(reason).matches() && batch != null) {
      unsound.computeIfAbsent(file, key -> new ArrayList<>()).add(batch);
    } else if (reason.equals(SegmentReason.SEGMENT_OFFSET_BELOW_BASE.name())
        || reason.equals(PartitionReason.PARTITION_SEGMENTS_OVERLAP.name())) {
      doubtful.add(file);
    } else if (reason.equals(PartitionReason.PARTITION_METADATA_UNREADABLE.name())) {
      hasTopicId = false;
    } else if (reason.equals(PartitionReason.PARTITION_TAIL_MISSING.name())) {
      tail = new EndClaim(name + ": " + fault.message(), end() + 1);
    } else if (reason.startsWith("EPOCH_CHECKPOINT_")) {
      epochs.contradicted();
    } else if (reason.equals(SegmentReason.SEGMENT_TRUNCATED_TAIL.name())) {
      boolean isLast = segments.get(segments.size() - 1).name().equals(file);
      endsWithZeros |= isLast && fault.offset() == Fault.UNKNOWN;
    }
  }

  /** Takes a file that could not be read. */
  void error(String file) {
    unread.add(file);
  }

  /** Leaves out what the checks of the partition found after the batches had passed. */
  void endCheck() {
    // A check that needs the batches after a batch reports it later than other checks do.
    unsound.values().forEach(each -> each.sort(Comparator.comparingLong(StoredBatch::position)));
    List<Run> sound = new ArrayList<>();
    for (Run run : runs) {
      if (!doubtful.contains(run.segment().name())) {
        split(run, unsound.getOrDefault(run.segment().name(), List.of()), sound);
      }
    }
    sound.removeIf(Run::isEmpty);
    runs.clear();
    runs.addAll(sound);
  }

  private static void split(Run run, List<StoredBatch> without, List<Run> parts) {
    Run rest = run;
    for (StoredBatch batch : without) { // in file order
      if (batch.position() >= rest.from() && batch.position() < rest.to()) {
        parts.add(rest.before(batch));
        rest = rest.after(batch);
      }
    }
    parts.add(rest);
  }

  // ---- what it says of the partition

  /** Returns the offset at which the copy starts, or {@link Long#MAX_VALUE} without segments. */
  long start() {
    return segments.stream()
        .filter(segment -> !doubtful.contains(segment.name()))
        .mapToLong(Segment::baseOffset)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  /** Returns the offset after the last sound batch, or the name of a later empty segment. */
  long end() {
    long end = 0;
    for (Run run : runs) {
      end = Math.max(end, run.last() + 1);
    }
    for (Segment segment : segments) {
      boolean isEmpty = segment.isOpened() && segment.size() == 0;
      end = isEmpty && !isTiered() ? Math.max(end, segment.baseOffset()) : end;
    }
    return end;
  }

  /** Returns true if a run has an offset, unless compaction has removed it. */
  boolean has(long offset) {
    return runs.stream().anyMatch(run -> run.first() <= offset && offset <= run.last());
  }

  /**
   * Returns the offsets that files name, and that the log has if nothing is lost.
   *
   * @param failures takes why a checkpoint, which may name any offset, cannot be read
   */
  List<EndClaim> claims(Consumer<IOException> failures) throws IOException {
    List<EndClaim> claims = new ArrayList<>(partition.endClaims(failures));
    if (tail != null) {
      claims.add(tail);
    }
    epochs.addClaims(claims);
    for (Segment segment : segments) {
      if (unread.contains(segment.name())) {
        String text = segment.name() + " could not be read";
        claims.add(new EndClaim(text, segment.baseOffset() + 1));
      }
    }
    if (isTiered() || segments.isEmpty()) {
      return claims;
    }
    NavigableMap<Long, StoredFile> snapshots = partition.producerSnapshots();
    if (!snapshots.isEmpty()) {
      String snapshot = snapshots.lastEntry().getValue().name();
      claims.add(new EndClaim(snapshot + " is the state before its offset", snapshots.lastKey()));
    }
    Segment last = segments.get(segments.size() - 1);
    if (last.isOpened() && last.size() == 0) {
      claims.add(new EndClaim(last.name() + " starts there", last.baseOffset()));
    }
    long sound = -1;
    long position = 0;
    for (Run run : runs) {
      sound = Math.max(sound, run.last());
      position = run.segment() == last ? run.to() : position;
    }
    if (last.isOpened() && position < last.size() && !endsWithZeros) {
      boolean isNamed = !doubtful.contains(last.name());
      long next = isNamed ? Math.max(sound + 1, last.baseOffset()) : sound + 1;
      String text = last.name() + " has bytes from " + position + " on that are no sound batch";
      claims.add(new EndClaim(text, next + 1));
    }
    return claims;
  }

  /** Returns the offset that a checkpoint has for the partition, or -1 if it is unknown. */
  long checkpoint(String file) {
    try {
      return partition.checkpoint(file);
    } catch (IOException unreadable) { // it is reported with the claims
      return -1;
    }
  }

  // ---- what was taken

  void took(long size) {
    batches++;
    bytes += size;
  }

  long batches() {
    return batches;
  }

  long bytes() {
    return bytes;
  }
}
