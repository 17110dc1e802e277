// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.recovery;

import java.util.Arrays;
import org.apache.kafka.storage.internals.log.ProducerStateEntry;
import org.apache.kafka.storage.internals.log.ProducerStateManager;
import org.jspecify.annotations.Nullable;

/**
 * The batches of a segment that decide the state of its producers.
 *
 * <p>Kafka's state of a producer after a segment depends on few of its batches:
 *
 * <ul>
 *   <li>the first one, which decides the order of producers in a snapshot
 *   <li>the last {@value #RETAINED} data batches, which the state lists
 *   <li>each batch that starts a transaction, and each control batch
 * </ul>
 *
 * <p>This holds while the epoch of a producer never decreases. The table collects the positions of
 * these batches, and {@link #positions} returns them in the order of the segment. Kafka's code then
 * applies these batches only. Not thread-safe.
 */
final class ProducerTable {
  /** The number of batches that Kafka keeps per producer. */
  static final int RETAINED = ProducerStateEntry.NUM_BATCHES_TO_RETAIN;

  private static final int INITIAL = 256;
  private static final int LARGEST_KEPT = 1 << 14;
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private long[] ids = new long[INITIAL];
  private short[] epochs = new short[INITIAL];
  private boolean[] inTransaction = new boolean[INITIAL];
  private int[] dataBatches = new int[INITIAL];
  private int[] last = new int[INITIAL * RETAINED];
  private int producers;
  private int[] slots = new int[2 * INITIAL];
  private final Positions always = new Positions();

  /** Removes all producers. */
  void clear() {
    if (ids.length > LARGEST_KEPT) {
      resize(INITIAL);
    }
    Arrays.fill(slots, 0);
    producers = 0;
    always.clear();
  }

  /**
   * Adds a data batch.
   *
   * @return false if Kafka would warn about this batch or reject it
   */
  boolean addData(
      ProducerStateManager state, long id, short epoch, boolean transactional, int position) {
    int producer = find(state, id, position);
    if (epoch < epochs[producer] || (inTransaction[producer] && !transactional)) {
      return false;
    }
    epochs[producer] = epoch;
    if (transactional && !inTransaction[producer]) {
      inTransaction[producer] = true;
      always.add(position);
    }
    int count = dataBatches[producer]++;
    last[producer * RETAINED + count % RETAINED] = position;
    return true;
  }

  /**
   * Adds a control batch.
   *
   * @param isEmpty true if compaction has removed the marker
   * @return false if Kafka would warn about this batch
   */
  boolean addControl(
      ProducerStateManager state, long id, short epoch, boolean isEmpty, int position) {
    int producer = find(state, id, position);
    always.add(position);
    if (isEmpty) {
      return true;
    }
    if (epoch < epochs[producer]) {
      return false;
    }
    epochs[producer] = epoch;
    inTransaction[producer] = false;
    return true;
  }

  /** Returns the number of a producer, which is added if it is new. */
  private int find(ProducerStateManager state, long id, int position) {
    int mask = slots.length - 1;
    int slot = (int) ((id * SPREAD) >>> Integer.SIZE) & mask;
    while (slots[slot] != 0) {
      int producer = slots[slot] - 1;
      if (ids[producer] == id) {
        return producer;
      }
      slot = (slot + 1) & mask;
    }
    if (producers == ids.length) {
      grow();
      return find(state, id, position);
    }
    slots[slot] = producers + 1;
    ids[producers] = id;
    dataBatches[producers] = 0;
    always.add(position);
    readState(state.lastEntry(id).orElse(null));
    return producers++;
  }

  private void readState(@Nullable ProducerStateEntry entry) {
    epochs[producers] = entry == null ? RecordBatchFields.NO_EPOCH : entry.producerEpoch();
    inTransaction[producers] = entry != null && entry.currentTxnFirstOffset().isPresent();
  }

  private void grow() {
    resize(2 * ids.length);
    int mask = slots.length - 1;
    for (int i = 0; i < producers; i++) {
      int slot = (int) ((ids[i] * SPREAD) >>> Integer.SIZE) & mask;
      while (slots[slot] != 0) {
        slot = (slot + 1) & mask;
      }
      slots[slot] = i + 1;
    }
  }

  private void resize(int capacity) {
    ids = Arrays.copyOf(ids, capacity);
    epochs = Arrays.copyOf(epochs, capacity);
    inTransaction = Arrays.copyOf(inTransaction, capacity);
    dataBatches = Arrays.copyOf(dataBatches, capacity);
    last = Arrays.copyOf(last, capacity * RETAINED);
    slots = new int[2 * capacity];
  }

  /** {@return an upper bound of the number of positions} */
  long size() {
    return always.size() + (long) RETAINED * producers;
  }

  /** {@return the positions of the batches that decide the state, ascending and distinct} */
  int[] positions() {
    Positions all = new Positions();
    for (int i = 0; i < always.size(); i++) {
      all.add(always.get(i));
    }
    for (int producer = 0; producer < producers; producer++) {
      int count = Math.min(RETAINED, dataBatches[producer]);
      for (int i = 0; i < count; i++) {
        all.add(last[producer * RETAINED + i]);
      }
    }
    return all.sortedDistinct();
  }
}
