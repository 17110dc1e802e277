// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.compaction;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.apache.kafka.storage.internals.log.LogSegment;
import org.apache.kafka.storage.internals.utils.Throttler;
import org.jspecify.annotations.Nullable;

/**
 * The guard of one thread of Kafka's cleaner. Checks each byte once per round: those of dirty
 * segments as Kafka reads them, before they are added to the offset map, and all others before
 * their group is rewritten. A batch that does not fit into Kafka's buffer is checked in the file,
 * before Kafka allocates as much as its length declares. Not thread-safe.
 */
final class CompactionGuard {
  private final boolean enforce;
  private final CompactionReport report;
  private final IdentityHashMap<LogSegment, Checked> dirty = new IdentityHashMap<>();
  private BatchCheck batches = new BatchCheck();
  private SegmentCheck file = new SegmentCheck(batches);
  private @Nullable Object partition;

  CompactionGuard(boolean enforce, CompactionReport report) {
    this.enforce = enforce;
    this.report = report;
  }

  /**
   * Kafka's callbacks while the guard reads. They throw if the cleaning was aborted or the broker
   * stops.
   *
   * @param checkDone is called with the partition
   * @param throttler is called with the number of read bytes
   */
  record Callbacks(Consumer<Object> checkDone, Throttler throttler) {}

  /** The part of a dirty segment that was checked: Kafka may read neither its start nor its end. */
  private static final class Checked {
    private long from = -1;
    private long to = -1;
    private long size;

    /** Returns true if no bytes between this part and a position are left out. */
    private boolean reaches(long position) {
      return from < 0 || (from <= position && position <= to);
    }
  }

  /** Called before Kafka starts to read a dirty segment. */
  void dirty(Object topicPartition, LogSegment segment) {
    if (topicPartition != partition || dirty.containsKey(segment)) {
      dirty.clear(); // a new round
      partition = topicPartition;
    }
    dirty.put(segment, new Checked());
  }

  /** Checks bytes of a dirty segment that Kafka has read. */
  void read(Object topicPartition, LogSegment segment, int position, ByteBuffer bytes) {
    Checked checked = dirty.get(segment);
    if (checked == null || !checked.reaches(position)) {
      dirty.remove(segment); // it is checked with its group
      return;
    }
    long from = Math.max(position, checked.to);
    int known = (int) Math.min(bytes.remaining(), from - position);
    ByteBuffer buffer = bytes.slice(bytes.position() + known, bytes.remaining() - known);
    if (!buffer.hasRemaining()) {
      return;
    }
    long start = System.nanoTime();
    long to;
    try {
      checked.size = segment.size();
      batches.clear();
      batches.check(buffer, from, checked.size);
      to = from + buffer.position();
      if (to == position && !batches.isLost()) { // Kafka then allocates a larger buffer
        to = checkInFile(segment, from, checked.size);
      }
    } catch (Throwable e) { // Kafka then compacts as without the guard
      failed(topicPartition + ", " + segment, e);
      dirty.remove(segment);
      return;
    }
    checked.from = checked.from < 0 ? position : checked.from;
    checked.to = batches.isLost() ? checked.size : to;
    damaged(0, topicPartition, segment);
    report.checked(to - from, batches, System.nanoTime() - start);
  }

  /**
   * Checks the batch at a position of the file, and those after it that are read with it. Returns
   * the position after the last one.
   */
  private long checkInFile(LogSegment segment, long from, long end) throws IOException {
    SegmentCheck current = file;
    try {
      current.open(path(segment), from, end);
      while (current.position() == from) {
        current.advance();
      }
      return current.position();
    } finally {
      close(current);
    }
  }

  /** Checks what this round has not checked of the segments of a group. */
  void group(Callbacks callbacks, Object topicPartition, List<LogSegment> segments) {
    for (LogSegment segment : segments) {
      Checked checked = topicPartition == partition ? dirty.remove(segment) : null;
      boolean isComplete;
      if (checked == null || checked.to < 0) {
        isComplete = check(callbacks, topicPartition, segment, 0, Long.MAX_VALUE);
      } else {
        isComplete =
            check(callbacks, topicPartition, segment, 0, checked.from)
                && check(callbacks, topicPartition, segment, checked.to, checked.size);
      }
      if (isComplete) {
        report.segment();
      }
    }
  }

  /** Reads and checks a part of a segment, at most to its end. Returns false if it cannot. */
  private boolean check(
      Callbacks callbacks, Object topicPartition, LogSegment segment, long from, long to) {
    if (from >= to) {
      return true;
    }
    long start = System.nanoTime();
    if (!open(topicPartition, segment, from, to)) {
      return false;
    }
    SegmentCheck current = file;
    try {
      int known = 0;
      while (!current.isDone()) {
        callbacks.checkDone.accept(topicPartition);
        int read = advance(current, topicPartition, segment);
        if (read < 0) {
          return false;
        }
        callbacks.throttler.maybeThrottle(read);
        known = damaged(known, topicPartition, segment);
      }
      report.checked(current.position() - from, batches, System.nanoTime() - start);
      return true;
    } finally {
      close(current);
    }
  }

  /**
   * Reports the faults from an index on, and throws if the guard enforces. Returns their number.
   */
  private int damaged(int known, Object topicPartition, LogSegment segment) {
    for (Fault fault : batches.faults().subList(known, batches.faults().size())) {
      String line = path(segment) + ", " + fault;
      report.damaged(String.valueOf(topicPartition), segment.baseOffset(), fault, line, enforce);
      if (enforce) {
        throw new DamagedSegmentException("compaction would hide or drop damaged records: " + line);
      }
    }
    return batches.faults().size();
  }

  private boolean open(Object topicPartition, LogSegment segment, long from, long to) {
    try {
      batches.clear();
      file.open(path(segment), from, Math.min(to, segment.size()));
      return true;
    } catch (Throwable e) { // Kafka then compacts as without the guard
      failed(topicPartition, e);
      return false;
    }
  }

  /** Returns the number of bytes read, or -1 if the check failed. */
  private int advance(SegmentCheck current, Object topicPartition, LogSegment segment) {
    try {
      return current.advance();
    } catch (Throwable e) { // Kafka then compacts as without the guard
      failed(topicPartition + ", " + segment, e);
      return -1;
    }
  }

  /** What has failed may be in any state. */
  private void failed(Object what, Throwable thrown) {
    report.unchecked(what, thrown);
    batches = new BatchCheck();
    file = new SegmentCheck(batches);
  }

  private static void close(SegmentCheck current) {
    try {
      current.close();
    } catch (IOException | RuntimeException e) {
      return; // the file was only read
    }
  }

  private static Path path(LogSegment segment) {
    String name = String.format(Locale.ROOT, "%020d.log", segment.baseOffset());
    return segment.offsetIndexFile().toPath().resolveSibling(name);
  }
}
