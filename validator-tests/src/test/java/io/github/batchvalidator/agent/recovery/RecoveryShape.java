// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.recovery;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * A segment to measure recovery with.
 *
 * @param records records of a batch
 * @param valueBytes bytes of a record's value
 * @param kind who has written the batches
 */
record RecoveryShape(int records, int valueBytes, Kind kind) {
  /** The writer of the batches. */
  enum Kind {
    PLAIN,
    IDEMPOTENT,
    /** Transactions of four batches. */
    TRANSACTIONAL
  }

  private static final int PRODUCERS = 100;
  private static final int RECORD_OVERHEAD = 12;
  private static final int BATCHES_OF_TRANSACTION = 4;

  String label() {
    return kind.name().toLowerCase(Locale.ROOT) + " " + records + " x " + valueBytes + " B";
  }

  /** Writes a segment of about the given size. */
  void write(Path file, long bytes) throws IOException {
    StoredBatch batch = new StoredBatch();
    batch.records = records;
    batch.lastOffsetDelta = records - 1;
    batch.leaderEpoch = 0;
    byte[] payload = new byte[records * (valueBytes + RECORD_OVERHEAD)];
    long written = 0;
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
      for (long i = 0; written < bytes; i++) {
        batch.payload = payload;
        batch.timestamp = 4_102_444_800_000L + i;
        if (kind != Kind.PLAIN) {
          produce(batch, i);
        }
        byte[] each = batch.bytes();
        out.write(each);
        written += each.length;
        batch.baseOffset = batch.lastOffset() + 1;
      }
    }
  }

  private void produce(StoredBatch batch, long i) {
    batch.producerId = 1000 + i % PRODUCERS;
    batch.producerEpoch = 0;
    batch.sequence = (int) (i / PRODUCERS) * records;
    batch.records = records;
    batch.lastOffsetDelta = records - 1;
    batch.attributes = 0;
    if (kind == Kind.TRANSACTIONAL) {
      batch.attributes = 0x10;
      if (i / PRODUCERS % (BATCHES_OF_TRANSACTION + 1) == BATCHES_OF_TRANSACTION) {
        batch.records = 1;
        batch.lastOffsetDelta = 0;
        batch.marker(1, 0);
      }
    }
  }
}
