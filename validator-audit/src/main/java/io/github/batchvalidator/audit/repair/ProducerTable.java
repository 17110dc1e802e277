// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.repair;

import io.github.batchvalidator.audit.report.StoredBatch.Control;
import io.github.batchvalidator.format.BatchHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * The state of all producers at the end of a log. Source: {@code ProducerStateEntry} and {@code
 * ProducerStateManager} of Kafka.
 *
 * <p>Memory is bounded. With more than {@value #MAX_PRODUCERS} producers, the half that wrote least
 * recently is forgotten, unless a transaction is open. A broker forgets idle producers, too.
 */
final class ProducerTable {
  static final int MAX_PRODUCERS = 100_000;

  private static final int NONE = -1;
  private static final short VERSION = 1;
  private static final int HEAD_BYTES = Short.BYTES + Integer.BYTES;
  private static final int ENTRY_BYTES = 46;
  private static final int BUFFER_BYTES = 1 << 12;

  // In the order of Kafka's own map, so that a snapshot has the same bytes.
  private final Map<Long, State> producers = new HashMap<>();

  /** The producer of each open transaction by its first offset. */
  private final TreeMap<Long, Long> open = new TreeMap<>();

  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
  private long forgotten;

  private static final class State {
    private short epoch = NONE;
    private int lastSequence = NONE;
    private long lastOffset = NONE;
    private int offsetDelta;
    private long timestamp = NONE;
    private int coordinatorEpoch = NONE;
    private long transactionStart = NONE;

    private void epoch(short next) {
      if (epoch != next) {
        epoch = next;
        lastSequence = NONE;
        lastOffset = NONE;
        offsetDelta = 0;
      }
    }

    private void put(long id, ByteBuffer to) {
      to.putLong(id).putShort(epoch).putInt(lastSequence).putLong(lastOffset);
      to.putInt(offsetDelta).putLong(timestamp).putInt(coordinatorEpoch).putLong(transactionStart);
    }
  }

  /** Takes a batch of data of a producer. */
  void data(BatchHeader batch) {
    State state = state(batch.producerId());
    state.epoch(batch.producerEpoch());
    int base = batch.baseSequence();
    state.lastSequence =
        base < 0 ? NONE : (int) ((base + (long) batch.lastOffsetDelta()) & Integer.MAX_VALUE);
    state.lastOffset = batch.lastOffset();
    state.offsetDelta = batch.lastOffsetDelta();
    state.timestamp = batch.maxTimestamp();
    if (batch.isTransactional() && state.transactionStart < 0) {
      state.transactionStart = batch.baseOffset();
      open.put(batch.baseOffset(), batch.producerId());
    }
  }

  /**
   * Takes a marker.
   *
   * @return the first offset of the transaction that it ends, or -1
   */
  long marker(BatchHeader batch, Control control) {
    State state = state(batch.producerId());
    long start = state.transactionStart;
    state.epoch(batch.producerEpoch());
    state.coordinatorEpoch = control.coordinatorEpoch();
    state.timestamp = batch.maxTimestamp();
    state.transactionStart = NONE;
    return start;
  }

  /** Returns the last stable offset after a transaction. Must be called before it is closed. */
  long lastStable(long producer, long markerOffset) {
    for (Map.Entry<Long, Long> each : open.entrySet()) {
      if (each.getValue() != producer) {
        return each.getKey();
      }
    }
    return markerOffset + 1;
  }

  /** Closes the transaction that started at an offset. */
  void close(long start) {
    open.remove(start);
  }

  /** Returns the producer of each open transaction by its first offset. */
  Map<Long, Long> open() {
    return open;
  }

  private State state(long id) {
    State known = producers.get(id);
    if (known == null) {
      if (producers.size() >= MAX_PRODUCERS) {
        forget();
      }
      known = new State();
      producers.put(id, known);
    }
    return known;
  }

  private void forget() {
    List<Map.Entry<Long, State>> idle =
        producers.entrySet().stream()
            .filter(each -> each.getValue().transactionStart < 0)
            .sorted(Comparator.comparingLong(each -> each.getValue().lastOffset))
            .limit(MAX_PRODUCERS / 2)
            .toList();
    List<Long> ids = idle.stream().map(Map.Entry::getKey).toList();
    ids.forEach(producers::remove);
    forgotten += ids.size();
  }

  /** Returns how many times a producer was forgotten. */
  long forgotten() {
    return forgotten;
  }

  /** Writes a snapshot. */
  void write(Path file, ByteBuffer scratch) throws IOException {
    CRC32C crc = new CRC32C();
    put(crc, buffer.clear().putInt(producers.size()));
    producers.forEach(
        (id, state) -> {
          buffer.clear();
          state.put(id, buffer);
          put(crc, buffer);
        });
    try (NewFile out = new NewFile(file, scratch)) {
      ByteBuffer head = out.room(HEAD_BYTES + Integer.BYTES);
      head.putShort(VERSION).putInt((int) crc.getValue()).putInt(producers.size());
      for (Map.Entry<Long, State> each : producers.entrySet()) {
        each.getValue().put(each.getKey(), out.room(ENTRY_BYTES));
      }
    }
  }

  private static void put(CRC32C crc, ByteBuffer bytes) {
    crc.update(bytes.flip());
  }
}
