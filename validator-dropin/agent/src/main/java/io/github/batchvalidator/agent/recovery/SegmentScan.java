// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.recovery;

import static io.github.batchvalidator.agent.recovery.RecordBatchFields.ATTRIBUTES;
import static io.github.batchvalidator.agent.recovery.RecordBatchFields.BASE_OFFSET;
import static io.github.batchvalidator.agent.recovery.RecordBatchFields.CONTROL;
import static io.github.batchvalidator.agent.recovery.RecordBatchFields.CRC;
import static io.github.batchvalidator.agent.recovery.RecordBatchFields.HEADER_BYTES;
import static io.github.batchvalidator.agent.recovery.RecordBatchFields.LAST_OFFSET_DELTA;
import static io.github.batchvalidator.agent.recovery.RecordBatchFields.LEADER_EPOCH;
import static io.github.batchvalidator.agent.recovery.RecordBatchFields.MAX_TIMESTAMP;
import static io.github.batchvalidator.agent.recovery.RecordBatchFields.PRODUCER_EPOCH;
import static io.github.batchvalidator.agent.recovery.RecordBatchFields.PRODUCER_ID;
import static io.github.batchvalidator.agent.recovery.RecordBatchFields.RECORD_COUNT;
import static io.github.batchvalidator.agent.recovery.RecordBatchFields.TRANSACTIONAL;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.apache.kafka.storage.internals.log.ProducerStateManager;

/**
 * One pass over a segment, which checks each batch and collects what recovery has to change: index
 * entries, leader epochs and producers. It changes nothing itself. One thread may use an object for
 * one segment after the other.
 */
final class SegmentScan {
  /** The largest number of changes of leader epochs that a scan collects. */
  private static final int MOST_EPOCHS = 1 << 16;

  /** The largest number of batches that change the state of producers. */
  private static final int MOST_CHANGES = 1 << 18;

  private final ScanWindow window;
  private final ProducerTable producers = new ProducerTable();
  private final Positions epochPositions = new Positions();
  private final IndexEntries entries = new IndexEntries();

  private long segmentBase;
  private long baseOffset;
  private long lastOffset;
  private long maxTimestamp;
  private long offsetOfMaxTimestamp;
  private int latestEpoch;
  private long batches;

  SegmentScan(ScanWindow window) {
    this.window = window;
  }

  /**
   * Prepares a scan.
   *
   * @param base the base offset of the segment
   * @param epoch the latest leader epoch before the segment, or -1
   */
  void start(FileChannel channel, int size, long base, int epoch) {
    window.open(channel, size, ScanWindow.CAPACITY);
    producers.clear();
    epochPositions.clear();
    entries.clear();
    segmentBase = base;
    lastOffset = base - 1;
    maxTimestamp = -1;
    offsetOfMaxTimestamp = base;
    latestEpoch = epoch;
    batches = 0;
  }

  /**
   * Scans the segment.
   *
   * @throws UnsoundSegmentException if a batch is not sound or not modelled
   * @throws IOException if the file cannot be read
   */
  void run(int size, int interval, ProducerStateManager state)
      throws UnsoundSegmentException, IOException {
    int lastIndexed = 0;
    int position = 0;
    while (position < size) {
      require(size - position >= HEADER_BYTES, Unsound.FRAME);
      int index = window.at(position, HEADER_BYTES);
      int bytes = readHeader(index, size - position, position, state);
      if (position - lastIndexed > interval) {
        entries.add(lastOffset, position, maxTimestamp, offsetOfMaxTimestamp);
        require(entries.size() < IndexEntries.MOST, Unsound.TOO_MANY_CHANGES);
        lastIndexed = position;
      }
      position += bytes;
      batches++;
    }
  }

  private int readHeader(int index, int left, int position, ProducerStateManager state)
      throws UnsoundSegmentException, IOException {
    ByteBuffer header = window.buffer();
    int bytes = RecordBatchFields.sizeAt(header, index, left);
    require(bytes > 0, Unsound.FRAME);
    baseOffset = header.getLong(index + BASE_OFFSET);
    long last = baseOffset + header.getInt(index + LAST_OFFSET_DELTA);
    boolean inRange = baseOffset > lastOffset && last >= baseOffset;
    require(inRange && last - segmentBase <= Integer.MAX_VALUE, Unsound.OFFSET);
    lastOffset = last;
    long timestamp = header.getLong(index + MAX_TIMESTAMP);
    if (timestamp > maxTimestamp) {
      maxTimestamp = timestamp;
      offsetOfMaxTimestamp = last;
    }
    int epoch = header.getInt(index + LEADER_EPOCH);
    if (epoch > latestEpoch) {
      latestEpoch = epoch;
      epochPositions.add(position);
      require(epochPositions.size() < MOST_EPOCHS, Unsound.TOO_MANY_CHANGES);
    }
    long producer = header.getLong(index + PRODUCER_ID);
    if (producer >= 0) {
      addProducer(header, index, producer, position, state);
    }
    int expected = header.getInt(index + CRC); // before the window moves
    require(window.checksum(position + ATTRIBUTES, position + bytes) == expected, Unsound.CRC);
    return bytes;
  }

  private void addProducer(
      ByteBuffer header, int index, long producer, int position, ProducerStateManager state)
      throws UnsoundSegmentException {
    int attributes = header.getShort(index + ATTRIBUTES);
    short epoch = header.getShort(index + PRODUCER_EPOCH);
    boolean modelled;
    if ((attributes & CONTROL) != 0) {
      int records = header.getInt(index + RECORD_COUNT);
      modelled =
          records >= 0 && producers.addControl(state, producer, epoch, records == 0, position);
    } else {
      boolean transactional = (attributes & TRANSACTIONAL) != 0;
      modelled = producers.addData(state, producer, epoch, transactional, position);
    }
    require(modelled, Unsound.PRODUCER);
    require(producers.size() < MOST_CHANGES, Unsound.TOO_MANY_CHANGES);
  }

  private static void require(boolean holds, Unsound otherwise) throws UnsoundSegmentException {
    if (!holds) {
      throw new UnsoundSegmentException(otherwise);
    }
  }

  /** {@return the largest timestamp, or -1} */
  long maxTimestamp() {
    return maxTimestamp;
  }

  /** {@return the last offset of the batch with the largest timestamp} */
  long offsetOfMaxTimestamp() {
    return offsetOfMaxTimestamp;
  }

  /** {@return the last offset of the segment, or its base offset - 1} */
  long lastOffset() {
    return lastOffset;
  }

  /** {@return the entries of the two indexes, without the last one of the time index} */
  IndexEntries entries() {
    return entries;
  }

  long batches() {
    return batches;
  }

  /** {@return the positions of the batches that start a leader epoch} */
  int[] epochPositions() {
    return epochPositions.sortedDistinct();
  }

  /** {@return the positions of the batches that decide the state of producers} */
  int[] producerPositions() {
    return producers.positions();
  }
}
