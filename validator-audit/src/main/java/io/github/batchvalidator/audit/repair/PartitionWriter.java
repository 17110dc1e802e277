// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.repair;

import io.github.batchvalidator.audit.report.StoredBatch.Control;
import io.github.batchvalidator.audit.source.StoredFile;
import io.github.batchvalidator.audit.walk.HeaderReader;
import io.github.batchvalidator.format.BatchHeader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A writer of the directory of a partition: segments, indexes, snapshots of producers, and the
 * checkpoint of leader epochs.
 *
 * <p>Segments start where those of a copy start. After the end of that copy, a segment has at most
 * {@value #SEGMENT_BYTES} bytes, which is Kafka's default.
 */
final class PartitionWriter implements Closeable {
  private static final long SEGMENT_BYTES = 1L << 30;
  private static final int SCRATCH_BYTES = 1 << 13;

  private final Path directory;
  private final NavigableSet<Long> borders;
  private final boolean compacted;
  private final List<EpochHistory> histories;
  private final SegmentWriter.Buffers buffers = new SegmentWriter.Buffers();
  private final ByteBuffer scratch = ByteBuffer.allocateDirect(SCRATCH_BYTES);
  private final HeaderReader heads = new HeaderReader();
  private final ProducerTable producers = new ProducerTable();
  private final TreeMap<Integer, Long> epochs = new TreeMap<>();
  private boolean lacksHistory;

  /** True if the state before the log is known, so that it is written with the first segment. */
  private boolean isRestored;

  private @Nullable SegmentWriter segment;
  private long segments;
  private long batches;
  private long bytes;
  private long first = -1;
  private long next = -1;

  /**
   * Creates a writer into an empty directory.
   *
   * @param borders the offsets at which segments start
   * @param compacted true if offsets may be missing, so that a segment may start before its first
   *     batch
   * @param histories the histories of all copies. The first one, of the copy with the segments,
   *     says where epochs start whose first batches compaction has removed
   */
  PartitionWriter(
      Path directory, NavigableSet<Long> borders, boolean compacted, List<EpochHistory> histories) {
    this.directory = directory;
    this.borders = borders;
    this.compacted = compacted;
    this.histories = histories;
  }

  /**
   * Takes over the producers before the log. Returns false if the snapshot cannot be read. Must be
   * called before the first batch.
   */
  boolean restore(StoredFile snapshot) {
    isRestored = producers.restore(snapshot);
    return isRestored;
  }

  /** Writes the batch that a cursor is at. */
  void append(RunCursor cursor) throws IOException {
    SegmentWriter log = segmentFor(cursor);
    ByteBuffer batch = cursor.buffer().duplicate().clear();
    batch.position(cursor.index()).limit(cursor.index() + cursor.size());
    BatchHeader header = cursor.header();
    Control control = header == null || !header.isControl() ? null : heads.controlOf(batch);
    log.append(batch, cursor.last(), cursor.maxTimestamp());
    if (header != null) {
      leader(header.partitionLeaderEpoch(), cursor.base());
      if (header.producerId() >= 0) {
        producer(log, header, control);
      }
    }
    first = batches == 0 ? cursor.base() : first;
    next = cursor.last() + 1;
    batches++;
    bytes += cursor.size();
  }

  private void leader(int epoch, long base) {
    if (epoch < 0) {
      return;
    }
    if (epochs.isEmpty()) {
      takeOver(epoch, base);
    }
    if (epochs.isEmpty() || epoch > epochs.lastKey()) {
      epochs.put(epoch, startOf(epoch, base));
    }
  }

  /** Takes over the epochs before the first batch: remote segments of a tiered topic need them. */
  private void takeOver(int epoch, long base) {
    EpochHistory history = EpochHistory.longest(histories, base, epoch);
    lacksHistory = history == null;
    if (history != null) {
      history.upTo(base).forEach((start, each) -> epochs.put(each, start));
    }
  }

  /** Returns where an epoch starts, which is before its first batch if compaction removed some. */
  private long startOf(int epoch, long base) {
    long stated = compacted ? histories.get(0).startOf(epoch) : EpochHistory.UNKNOWN;
    return stated >= Math.max(0, next) && stated < base ? stated : base;
  }

  private void producer(SegmentWriter log, BatchHeader batch, @Nullable Control control)
      throws IOException {
    if (control == null) {
      producers.data(batch);
    } else if (control.endsTransaction()) {
      long producer = batch.producerId();
      long offset = batch.baseOffset();
      long start = producers.marker(batch, control);
      if (start >= 0 && control.type() == Control.ABORT) {
        log.aborted(producer, start, offset, producers.lastStable(producer, offset));
      }
      producers.close(start);
    }
  }

  private SegmentWriter segmentFor(RunCursor cursor) throws IOException {
    SegmentWriter current = segment;
    Long border = borders.floor(cursor.base());
    long at = border == null || !(compacted || border == cursor.base()) ? -1 : border;
    boolean isBorder = at >= 0 && (current == null || (at > current.base() && at >= next));
    if (current != null && !isBorder && current.fits(cursor.size(), cursor.last())) {
      boolean isAfter = borders.isEmpty() || next > borders.last();
      if (!isAfter || current.size() == 0 || current.size() + cursor.size() <= SEGMENT_BYTES) {
        return current;
      }
    }
    return roll(isBorder ? at : cursor.base());
  }

  private SegmentWriter roll(long base) throws IOException {
    if (segment != null) {
      segment.close();
    }
    if (segment != null || isRestored) {
      snapshot(base);
    }
    SegmentWriter started = new SegmentWriter(directory, base, buffers);
    segment = started;
    segments++;
    return started;
  }

  private void snapshot(long offset) throws IOException {
    producers.write(directory.resolve(SegmentWriter.name(offset, ".snapshot")), scratch);
  }

  /** Returns the offset after the last batch, or -1 without batches. */
  long next() {
    return next;
  }

  /** Returns true if no copy says which epochs were before the log. */
  boolean lacksHistory() {
    return lacksHistory;
  }

  ProducerTable producers() {
    return producers;
  }

  /**
   * Ends the log.
   *
   * @param end the end offset, which may be after that of the last batch
   */
  void end(long end) throws IOException {
    long last = Math.max(next, end);
    SegmentWriter current = segment;
    boolean isBorder = borders.contains(last) && (compacted || last == next);
    if (current == null || (isBorder && last > current.base())) {
      roll(last);
    }
    if (segment != null) {
      segment.close();
      segment = null;
    }
    if (batches > 0
        && !directory.resolve(SegmentWriter.name(last, ".snapshot")).toFile().exists()) {
      snapshot(last);
    }
    if (batches == 0) {
      takeOver(EpochHistory.UNKNOWN, last);
    }
    StringBuilder checkpoint = new StringBuilder("0\n").append(epochs.size()).append('\n');
    epochs.forEach((epoch, from) -> checkpoint.append(epoch).append(' ').append(from).append('\n'));
    write("leader-epoch-checkpoint", checkpoint.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** Writes a small file. */
  void write(String name, byte[] content) throws IOException {
    try (NewFile out = new NewFile(directory.resolve(name), scratch)) {
      out.write(ByteBuffer.wrap(content));
    }
  }

  long first() {
    return first;
  }

  long segments() {
    return segments;
  }

  long batches() {
    return batches;
  }

  long bytes() {
    return bytes;
  }

  @Override
  public void close() throws IOException {
    heads.close();
    SegmentWriter unfinished = segment;
    if (unfinished != null) {
      unfinished.close();
    }
  }
}
