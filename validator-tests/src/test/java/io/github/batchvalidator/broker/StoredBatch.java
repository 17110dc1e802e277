// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.utils.BufferSupplier;

/**
 * A batch as it lies in a segment: all of its fields but the checksum, which is checked, and the
 * length, which follows from the payload. Times of the broker's clock are {@link #NOW}.
 *
 * @param payload the bytes behind the header; decompressed, where two writers need only agree about
 *     what is in them
 */
record StoredBatch(
    long baseOffset,
    int leaderEpoch,
    int attributes,
    long lastOffset,
    long baseTimestamp,
    long maxTimestamp,
    Producer producer,
    int count,
    ByteBuffer payload) {
  /** Stands for a time while the broker ran. */
  static final long NOW = -2;

  private static final String SEGMENT = "00000000000000000000.log";
  private static final int ATTRIBUTES_AT = 21;

  /** The fields that tell the producer. */
  record Producer(long id, short epoch, int sequence) {}

  /**
   * Reads the only segment of a partition.
   *
   * @param decompressed whether to decompress the payloads
   */
  static List<StoredBatch> read(Path partition, BrokerRun run, boolean decompressed)
      throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(partition.resolve(SEGMENT)));
    List<StoredBatch> batches = new ArrayList<>();
    int size = 0;
    for (MutableRecordBatch batch : MemoryRecords.readableRecords(bytes).batches()) {
      ByteBuffer stored = bytes.slice(size, batch.sizeInBytes());
      batches.add(of((DefaultRecordBatch) batch, stored, run, decompressed));
      size += batch.sizeInBytes();
    }
    if (size != bytes.limit()) {
      throw new IllegalStateException(partition + " ends with what is no batch");
    }
    return batches;
  }

  private static StoredBatch of(
      DefaultRecordBatch batch, ByteBuffer stored, BrokerRun run, boolean decompressed)
      throws IOException {
    batch.ensureValid();
    boolean clock =
        batch.isControlBatch() || batch.timestampType() == TimestampType.LOG_APPEND_TIME;
    ByteBuffer payload =
        stored.slice(DefaultRecordBatch.RECORD_BATCH_OVERHEAD, payloadSize(stored));
    return new StoredBatch(
        batch.baseOffset(),
        batch.partitionLeaderEpoch(),
        stored.getShort(ATTRIBUTES_AT),
        batch.lastOffset(),
        time(batch.baseTimestamp(), clock, run),
        time(batch.maxTimestamp(), clock, run),
        new Producer(batch.producerId(), batch.producerEpoch(), batch.baseSequence()),
        batch.countOrNull(),
        decompressed ? plain(batch, payload) : payload);
  }

  private static int payloadSize(ByteBuffer stored) {
    return stored.remaining() - DefaultRecordBatch.RECORD_BATCH_OVERHEAD;
  }

  private static long time(long timestamp, boolean clock, BrokerRun run) {
    return clock && run.includes(timestamp) ? NOW : timestamp;
  }

  private static ByteBuffer plain(DefaultRecordBatch batch, ByteBuffer payload) throws IOException {
    Codec codec = Objects.requireNonNull(Codec.byId(batch.compressionType().id));
    try (InputStream in =
        Batches.compression(codec)
            .wrapForInput(payload, batch.magic(), BufferSupplier.NO_CACHING)) {
      return ByteBuffer.wrap(in.readAllBytes());
    }
  }
}
