// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.recovery;

import java.io.ByteArrayOutputStream;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** The segments of a partition, drawn from a seed. Some have batches that recovery stops at. */
final class PartitionDraw {
  /** Timestamps that no snapshot's producers expire at. */
  private static final long YEAR_2100 = 4_102_444_800_000L;

  private final SplittableRandom random;
  private final SortedMap<Long, byte[]> segments = new TreeMap<>();
  private final int producers;
  private final long spread;
  private final short[] epochs;
  private final boolean[] inTransaction;
  private final boolean wild;
  private long nextOffset;
  private long timestamp = YEAR_2100;
  private int leaderEpoch;

  private PartitionDraw(SplittableRandom random) {
    this.random = random;
    producers = random.nextInt(4) == 0 ? random.nextInt(200) : random.nextInt(6);
    spread = random.nextInt(2) == 0 ? 1 : 1L << random.nextInt(12);
    epochs = new short[producers];
    inTransaction = new boolean[producers];
    wild = random.nextInt(6) == 0;
    leaderEpoch = random.nextInt(3) - 1;
    nextOffset = random.nextInt(3) == 0 ? random.nextInt(1000) : 0;
  }

  /** Returns the bytes of segments by base offset. */
  static SortedMap<Long, byte[]> draw(SplittableRandom random) {
    PartitionDraw draw = new PartitionDraw(random);
    int count = 1 + random.nextInt(4);
    for (int i = 0; i < count; i++) {
      draw.segment();
    }
    return draw.segments;
  }

  private void segment() {
    long base = nextOffset;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int batches = random.nextInt(8) == 0 ? 0 : random.nextInt(random.nextInt(5) == 0 ? 400 : 40);
    for (int i = 0; i < batches; i++) {
      byte[] bytes = batch();
      out.write(bytes, 0, bytes.length);
    }
    segments.put(base, out.toByteArray());
    nextOffset = Math.max(nextOffset, base + 1);
  }

  private byte[] batch() {
    StoredBatch batch = new StoredBatch();
    if (random.nextInt(10) == 0) {
      nextOffset += random.nextInt(50); // compaction leaves gaps
    }
    batch.baseOffset = nextOffset;
    batch.records = 1 + random.nextInt(5);
    batch.lastOffsetDelta = batch.records - 1;
    timestamp += random.nextInt(2000) - 300;
    batch.timestamp = random.nextInt(30) == 0 ? -1 : timestamp;
    if (random.nextInt(12) == 0) {
      leaderEpoch += random.nextInt(2);
    }
    batch.leaderEpoch = leaderEpoch;
    batch.attributes = random.nextInt(5) | (random.nextInt(8) == 0 ? 8 : 0);
    batch.payload = payload();
    if (producers > 0 && random.nextInt(5) != 0) {
      produce(batch, random.nextInt(producers));
    } else if (random.nextInt(20) == 0) {
      batch.attributes = 0x20; // a control batch of the controller
    }
    boolean wildNow = wild && random.nextInt(15) == 0;
    byte[] bytes = wildNow ? wild(batch) : batch.bytes();
    nextOffset = batch.lastOffset() + 1;
    return bytes;
  }

  private byte[] payload() {
    byte[] payload = new byte[random.nextInt(random.nextInt(20) == 0 ? 6000 : 300)];
    for (int i = 0; i < payload.length; i++) {
      payload[i] = (byte) random.nextInt(4);
    }
    return payload;
  }

  private void produce(StoredBatch batch, int producer) {
    batch.producerId = producer * spread;
    if (random.nextInt(20) == 0 && !inTransaction[producer]) {
      epochs[producer]++;
    }
    batch.producerEpoch = epochs[producer];
    batch.sequence = random.nextInt(1000);
    int kind = random.nextInt(6);
    if (inTransaction[producer] && kind < 3) {
      endTransaction(batch, producer);
    } else if (inTransaction[producer] || kind == 3) {
      batch.attributes |= 0x10;
      inTransaction[producer] = true;
    } else if (kind == 4 && random.nextInt(4) == 0) {
      endTransaction(batch, producer); // a marker without a transaction
    }
  }

  private void endTransaction(StoredBatch batch, int producer) {
    inTransaction[producer] = false;
    batch.attributes = 0;
    batch.records = 1;
    batch.lastOffsetDelta = 0;
    if (random.nextInt(3) == 0) {
      batch.producerEpoch = ++epochs[producer]; // as transactions of version 2 do
    }
    batch.marker(random.nextInt(2), random.nextInt(3));
    if (random.nextInt(20) == 0) {
      batch.records = 0;
      batch.payload = new byte[0]; // compaction has removed the marker
    }
  }

  /** Makes a batch that recovery stops at, that stock treats in a special way, or neither. */
  private byte[] wild(StoredBatch batch) {
    switch (random.nextInt(12)) {
      case 0 -> {
        return batch.legacyBytes(0);
      }
      case 1 -> {
        return batch.legacyBytes(1);
      }
      case 2 -> batch.baseOffset += Integer.MAX_VALUE - 5L + random.nextInt(10);
      case 3 -> batch.baseOffset -= random.nextInt(5);
      case 4 -> batch.lastOffsetDelta = -1 - random.nextInt(3);
      case 5 -> batch.producerEpoch = (short) (batch.producerEpoch - 1);
      case 6 -> batch.attributes ^= 0x10;
      case 7 -> batch.attributes ^= 0x20;
      case 8 -> batch.leaderEpoch = random.nextInt(5) - 2;
      case 9 -> batch.records = random.nextInt(3) - 1;
      case 10 -> {
        byte[] bytes = batch.bytes();
        bytes[16] = (byte) (random.nextInt(8) - 3);
        return bytes;
      }
      default -> {
        if (batch.payload.length > 0) {
          batch.payload[random.nextInt(batch.payload.length)] ^= (byte) 1; // with a valid CRC
        }
      }
    }
    return batch.bytes();
  }
}
