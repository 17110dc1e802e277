// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.recovery;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.storage.internals.epoch.LeaderEpochFileCache;
import org.apache.kafka.storage.internals.log.LogSegment;
import org.apache.kafka.storage.internals.log.ProducerStateManager;
import org.apache.kafka.storage.internals.log.TimestampOffset;

/**
 * The recovery of a sound segment.
 *
 * <p>Nothing changes until the whole segment is found sound. Then the three indexes are written,
 * which Kafka's method would reset if it had to start again. Leader epochs and producers change
 * last, by Kafka's own code. What that code throws is what Kafka's method would have thrown.
 *
 * <p>One thread may use an object for one segment after the other.
 */
final class SegmentRecovery {
  /** The largest control batch that is read. Kafka writes 78 bytes. */
  private static final int MOST_CONTROL_BYTES = 1 << 12;

  /** The bytes to read at once where batches are picked out. */
  private static final int SPARSE = 1 << 12;

  private final SegmentHandles handles;
  private final ScanWindow window = new ScanWindow();
  private final SegmentScan scan = new SegmentScan(window);
  private final List<Object> changes = new ArrayList<>();
  private final List<EpochStart> epochs = new ArrayList<>();

  /** A leader epoch and its first offset. */
  private record EpochStart(int epoch, long offset) {}

  SegmentRecovery(SegmentHandles handles) {
    this.handles = handles;
  }

  /**
   * Checks the segment.
   *
   * @return the number of bytes of the segment
   * @throws UnsoundSegmentException if Kafka's method has to recover it
   */
  int check(LogSegment segment, ProducerStateManager state, LeaderEpochFileCache cache)
      throws Throwable {
    changes.clear();
    epochs.clear();
    Object log = handles.log(segment);
    FileChannel channel = handles.channel(log);
    int size = handles.sizeInBytes(log);
    if (channel.size() != size) {
      throw new UnsoundSegmentException(Unsound.FRAME);
    }
    scan.start(channel, size, segment.baseOffset(), cache.latestEpoch().orElse(-1));
    scan.run(size, handles.indexInterval(segment), state);
    readEpochs(channel, size);
    readChanges(channel, size);
    return size;
  }

  private void readEpochs(FileChannel channel, int size) throws IOException {
    window.open(channel, size, SPARSE);
    for (int position : scan.epochPositions()) {
      int index = window.at(position, RecordBatchFields.HEADER_BYTES);
      ByteBuffer header = window.buffer();
      epochs.add(
          new EpochStart(
              header.getInt(index + RecordBatchFields.LEADER_EPOCH),
              header.getLong(index + RecordBatchFields.BASE_OFFSET)));
    }
  }

  /**
   * Copies the headers of data batches and whole control batches, so that applying reads no file.
   */
  private void readChanges(FileChannel channel, int size) throws Throwable {
    window.open(channel, size, SPARSE);
    for (int position : scan.producerPositions()) {
      int index = window.at(position, RecordBatchFields.HEADER_BYTES);
      ByteBuffer header = window.buffer();
      int attributes = header.getShort(index + RecordBatchFields.ATTRIBUTES);
      boolean isControl = (attributes & RecordBatchFields.CONTROL) != 0;
      int bytes = RecordBatchFields.HEADER_BYTES;
      if (isControl) {
        bytes = RecordBatchFields.sizeAt(header, index, size - position);
        if (bytes > MOST_CONTROL_BYTES) {
          throw new UnsoundSegmentException(Unsound.MARKER);
        }
        index = window.at(position, bytes);
      }
      byte[] copy = new byte[bytes];
      window.buffer().get(index, copy);
      ByteBuffer batchBytes = ByteBuffer.wrap(copy);
      Object batch = handles.newBatch(batchBytes);
      if (isControl && batchBytes.getInt(RecordBatchFields.RECORD_COUNT) > 0) {
        readMarker(batch);
      }
      changes.add(batch);
    }
  }

  private void readMarker(Object batch) throws Throwable {
    try {
      handles.readMarker(batch);
    } catch (RuntimeException e) {
      throw new UnsoundSegmentException(Unsound.MARKER);
    }
  }

  /** Writes the offset index and the time index, except their end. */
  void writeIndexes(LogSegment segment) throws IOException {
    segment.offsetIndex().reset();
    segment.timeIndex().reset();
    segment.txnIndex().reset();
    scan.entries().write(segment.offsetIndex(), segment.timeIndex());
  }

  /** Changes leader epochs and producers, and ends the indexes. */
  void apply(LogSegment segment, ProducerStateManager state, LeaderEpochFileCache cache)
      throws Throwable {
    for (EpochStart each : epochs) {
      cache.assign(each.epoch, each.offset);
    }
    for (Object batch : changes) {
      handles.updateProducerState(segment, state, batch);
    }
    if (scan.batches() > 0) {
      state.updateMapEndOffset(scan.lastOffset() + 1);
    }
    long timestamp = scan.maxTimestamp();
    long offset = scan.offsetOfMaxTimestamp();
    handles.setMaxTimestamp(segment, new TimestampOffset(timestamp, offset));
    segment.offsetIndex().trimToValidSize();
    segment.timeIndex().maybeAppend(timestamp, offset, true);
    segment.timeIndex().trimToValidSize();
    changes.clear();
  }

  long batches() {
    return scan.batches();
  }
}
