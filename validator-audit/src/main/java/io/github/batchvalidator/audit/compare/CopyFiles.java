// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.compare;

import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.source.LeaderEpochs;
import io.github.batchvalidator.audit.source.PartitionDirectory;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.source.SegmentNames;
import io.github.batchvalidator.audit.source.StoredFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * The files of one copy of a partition.
 *
 * <p>The checkpoints are read before the segments are listed. So the segments have all batches
 * below the high watermark, also if a broker writes.
 */
final class CopyFiles {
  private static final String SUFFIX_DELETED = ".deleted";

  /** The ends of the names of segments that the cleaner is about to put in place. */
  private static final Set<String> SUFFIXES_CLEANED = Set.of(".cleaned", ".swap");

  private final PartitionDirectory partition;
  private final List<String> unread = new ArrayList<>();
  private final long highWatermark;
  private final long compactedTo;
  private final NavigableSet<Long> bases;
  private final long logStart;

  CopyFiles(PartitionDirectory partition) throws IOException {
    this.partition = partition;
    highWatermark = readOrNone(partition::highWatermark);
    compactedTo = readOrNone(partition::compactedTo);
    long checkpointed = readOrNone(partition::logStart);
    bases = new TreeSet<>(partition.segmentOffsets());
    logStart = bases.isEmpty() ? checkpointed : Math.max(checkpointed, bases.first());
  }

  private interface Reading {
    long read() throws IOException;
  }

  private long readOrNone(Reading checkpoint) {
    try {
      return checkpoint.read();
    } catch (IOException e) {
      unread.add(Messages.of(e));
      return -1;
    }
  }

  /** Returns why checkpoints could not be read, each with its path. They count as missing. */
  List<String> unread() {
    return unread;
  }

  String name() {
    return partition.name();
  }

  /** Returns the name that a broker gives the directory. */
  String partition() {
    return partition.directory();
  }

  String topicId() {
    return partition.topicId();
  }

  /** Returns the checkpointed high watermark, or -1. */
  long highWatermark() {
    return highWatermark;
  }

  /** Returns the first offset of the log, or -1 without a segment. */
  long logStart() {
    return logStart;
  }

  /** Returns the base offsets of the segments. */
  NavigableSet<Long> bases() {
    return bases;
  }

  Segment segment(long base) {
    return partition.segment(base);
  }

  /** Returns the leader epochs by their first offsets, or none if there is no sound checkpoint. */
  NavigableMap<Long, Integer> epochs() {
    StoredFile file = partition.leaderEpochs();
    try {
      return file == null
          ? Collections.emptyNavigableMap()
          : LeaderEpochs.read(file, (reason, operands) -> {});
    } catch (IOException unreadable) {
      return Collections.emptyNavigableMap();
    }
  }

  /**
   * Returns true if the cleaner had not come to an offset before the copy was read, and cannot have
   * since if {@link #hasSameLastSegment}.
   */
  boolean isUncleaned(long offset) {
    boolean isInLast = bases.isEmpty() || offset >= bases.last();
    return compactedTo >= 0 && offset >= compactedTo && isInLast;
  }

  /**
   * Returns true if the last segment, which the cleaner does not touch, is still the last one, or
   * if the copy had no segment and has none now.
   */
  boolean hasSameLastSegment() {
    try {
      NavigableSet<Long> now = new TreeSet<>(partition.segmentOffsets());
      return Objects.equals(now.floor(Long.MAX_VALUE), bases.floor(Long.MAX_VALUE));
    } catch (IOException gone) {
      return false;
    }
  }

  /**
   * Returns true if files show that the copy is compacted, also while the cleaner is at work and
   * has not written its checkpoint.
   */
  boolean isCompacted() {
    if (partition.isCompacted()) {
      return true;
    }
    try {
      Set<String> names = new TreeSet<>(partition.files());
      return names.stream().anyMatch(name -> isOfCleaner(name, names));
    } catch (IOException unreadable) {
      return false;
    }
  }

  /** A segment that is there, and deleted under the same name, was replaced by the cleaner. */
  private static boolean isOfCleaner(String name, Set<String> names) {
    int end = name.lastIndexOf('.');
    String stem = end < 0 ? name : name.substring(0, end);
    if (!SegmentNames.isSegment(stem)) {
      return false;
    }
    return SUFFIXES_CLEANED.contains(name.substring(end))
        || (name.endsWith(SUFFIX_DELETED) && names.contains(stem));
  }
}
