// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.partition;

import io.github.batchvalidator.audit.source.Partition;
import io.github.batchvalidator.audit.source.Segment;
import java.io.IOException;
import java.util.Collections;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/**
 * The offsets in the names of the segments and the producer snapshots of a partition.
 *
 * <p>The directory is listed only after a batch does not fit the batches around it. A directory
 * that cannot be listed is no evidence.
 */
public final class OffsetEvidence {
  /** The result without a next segment. */
  public static final long NO_SEGMENT = Long.MAX_VALUE;

  private final @Nullable Partition partition;
  private @Nullable NavigableSet<Long> segments;
  private @Nullable NavigableSet<Long> snapshots;

  /**
   * Creates evidence.
   *
   * @param partition the partition, or null for segments that are checked by themselves
   */
  public OffsetEvidence(@Nullable Partition partition) {
    this.partition = partition;
  }

  /**
   * Returns true if the name of the next file shows that a segment ends before an offset, and not
   * before another one. A snapshot shows it for the last segment only: brokers that stop leave
   * snapshots inside of segments.
   */
  boolean isEnd(Segment segment, long offset, long other) {
    long next = nextSegment(segment);
    return next == NO_SEGMENT
        ? snapshots().contains(offset) && !snapshots().contains(other)
        : next == offset;
  }

  /** Returns the base offset of the next segment, or {@link #NO_SEGMENT}. */
  public long nextSegment(Segment segment) {
    Long next = segments().higher(segment.baseOffset());
    return next == null ? NO_SEGMENT : next;
  }

  private NavigableSet<Long> segments() {
    NavigableSet<Long> known = segments;
    if (known == null) {
      known = Collections.emptyNavigableSet();
      try {
        known = partition == null ? known : partition.segmentOffsets();
      } catch (IOException unreadable) {
        // The directory was listed before.
      }
      segments = known;
    }
    return known;
  }

  private NavigableSet<Long> snapshots() {
    NavigableSet<Long> known = snapshots;
    if (known == null) {
      known = Collections.emptyNavigableSet();
      try {
        known = partition == null ? known : partition.producerSnapshots().navigableKeySet();
      } catch (IOException unreadable) {
        // PartitionAudit reports it.
      }
      snapshots = known;
    }
    return known;
  }
}
