// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.repair;

import io.github.batchvalidator.audit.partition.ProducerSnapshot;
import io.github.batchvalidator.audit.partition.ProducerSnapshot.Entry;
import io.github.batchvalidator.audit.report.StoredBatch.Control;
import io.github.batchvalidator.audit.source.StoredFile;
import io.github.batchvalidator.format.BatchHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

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

  // In the order of Kafka's own map, so that a snapshot has the same bytes.
  private final Map<Long, Producer> producers = new HashMap<>();

  /** The producer of each open transaction by its first offset. */
  private final TreeMap<Long, Long> open = new TreeMap<>();

  private long forgotten;

  /**
   * A producer.
   *
   * @param entry its state
   * @param last the last offset of its last batch or marker, or -1 if that is before the log
   */
  private record Producer(Entry entry, long last) {}

  /**
   * Takes over the state before the log. Returns false, and takes nothing, if the snapshot cannot
   * be read.
   */
  boolean restore(StoredFile snapshot) {
    try {
      ProducerSnapshot.read(snapshot, this::add);
      return true;
    } catch (IOException unreadable) { // the check of the copy has reported it
      producers.clear();
      open.clear();
      return false;
    }
  }

  private void add(Entry entry) {
    put(entry, NONE);
    if (entry.transactionStart() >= 0) {
      open.put(entry.transactionStart(), entry.producerId());
    }
  }

  /** Takes a batch of data of a producer. */
  void data(BatchHeader batch) {
    Entry before = entry(batch);
    int base = batch.baseSequence();
    int delta = batch.lastOffsetDelta();
    long start = before.transactionStart();
    if (batch.isTransactional() && start < 0) {
      start = batch.baseOffset();
      open.put(start, batch.producerId());
    }
    put(
        new Entry(
            batch.producerId(),
            batch.producerEpoch(),
            base < 0 ? NONE : (int) ((base + (long) delta) & Integer.MAX_VALUE),
            batch.lastOffset(),
            delta,
            batch.maxTimestamp(),
            before.coordinatorEpoch(),
            start),
        batch.lastOffset());
  }

  /**
   * Takes a marker.
   *
   * @return the first offset of the transaction that it ends, or -1
   */
  long marker(BatchHeader batch, Control control) {
    Entry known = entry(batch);
    boolean isSame = known.epoch() == batch.producerEpoch();
    put(
        new Entry(
            batch.producerId(),
            batch.producerEpoch(),
            isSame ? known.lastSequence() : NONE,
            isSame ? known.lastOffset() : NONE,
            isSame ? known.offsetDelta() : 0,
            batch.maxTimestamp(),
            control.coordinatorEpoch(),
            NONE),
        batch.lastOffset());
    return known.transactionStart();
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

  private Entry entry(BatchHeader batch) {
    Producer known = producers.get(batch.producerId());
    return known != null
        ? known.entry()
        : new Entry(batch.producerId(), NONE, NONE, NONE, 0, NONE, NONE, NONE);
  }

  private void put(Entry entry, long last) {
    if (producers.size() >= MAX_PRODUCERS && !producers.containsKey(entry.producerId())) {
      forget();
    }
    producers.put(entry.producerId(), new Producer(entry, last));
  }

  private void forget() {
    List<Long> ids =
        producers.values().stream()
            .filter(each -> each.entry().transactionStart() < 0)
            .sorted(
                Comparator.comparingLong(Producer::last)
                    .thenComparingLong(each -> each.entry().lastTimestamp()))
            .limit(MAX_PRODUCERS / 2)
            .map(each -> each.entry().producerId())
            .toList();
    ids.forEach(producers::remove);
    forgotten += ids.size();
  }

  /** Returns how many times a producer was forgotten. */
  long forgotten() {
    return forgotten;
  }

  /** Writes a snapshot. */
  void write(Path file, ByteBuffer scratch) throws IOException {
    try (NewFile out = new NewFile(file, scratch)) {
      List<Entry> entries = producers.values().stream().map(Producer::entry).toList();
      ProducerSnapshot.write(entries, out::write);
    }
  }
}
