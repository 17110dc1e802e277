// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.PrimitiveRef.LongRef;
import org.apache.kafka.storage.internals.log.LogValidator.ValidationResult;

/**
 * A valid batch and the codec of its topic. Uses only Kafka's classes, because a JVM with the stock
 * class has no others.
 *
 * @param bytes of the batch
 * @param records the same bytes as Kafka's type
 * @param source codec of the producer
 * @param target codec of the topic
 * @param count of records
 */
record BusyBatch(
    ByteBuffer bytes, MemoryRecords records, Compression source, Compression target, int count) {
  /**
   * The numbers of records. The plain records of the largest batch exceed the 256 KiB up to which
   * zstd is decompressed in one call.
   */
  static final List<Integer> RECORDS = List.of(10, 100, 300);

  static final int VALUE_BYTES = 1024;

  private static final int BASE_OFFSET_AT = 0;
  private static final MetricsOfNothing METRICS = new MetricsOfNothing();

  /**
   * Returns the batches of a workload, one of each size.
   *
   * @param workload {@code zstd} for a batch and a topic with zstd, {@code lz4-zstd} for a batch
   *     with lz4 and a topic with zstd
   */
  static List<BusyBatch> of(String workload) {
    String[] codecs = workload.split("-", 2);
    Compression source = compression(codecs[0]);
    Compression target = compression(codecs[codecs.length - 1]);
    List<BusyBatch> batches = new ArrayList<>();
    for (int count : RECORDS) {
      ByteBuffer bytes = MemoryRecords.withRecords(source, records(count)).buffer();
      batches.add(of(bytes, source, target, count));
    }
    return batches;
  }

  private static BusyBatch of(ByteBuffer bytes, Compression source, Compression target, int count) {
    ByteBuffer copy = ByteBuffer.allocate(bytes.remaining()).put(bytes.duplicate()).flip();
    return new BusyBatch(copy, MemoryRecords.readableRecords(copy), source, target, count);
  }

  private static Compression compression(String codec) {
    return Compression.of(CompressionType.valueOf(codec.toUpperCase(Locale.ROOT))).build();
  }

  private static SimpleRecord[] records(int count) {
    Random random = new Random(count);
    SimpleRecord[] records = new SimpleRecord[count];
    for (int i = 0; i < count; i++) {
      byte[] value = new byte[VALUE_BYTES];
      random.nextBytes(value);
      Arrays.fill(value, 0, VALUE_BYTES / 2, (byte) 'x');
      records[i] = new SimpleRecord(System.currentTimeMillis(), new byte[8], value);
    }
    return records;
  }

  /** {@return a copy of the batch} */
  BusyBatch copy() {
    return of(bytes, source, target, count);
  }

  /** {@return the uncompressed bytes of the values} */
  long plainBytes() {
    return (long) count * VALUE_BYTES;
  }

  /** Appends the batch. Throws if the batch is refused or the result is wrong. */
  void append(LongRef offset, BufferSupplier supplier) {
    // Producers send base offset 0. An earlier append in place has overwritten it.
    bytes.putLong(BASE_OFFSET_AT, 0L);
    long first = offset.value;
    ValidationResult result =
        AppendSettings.DEFAULTS
            .validator(records, source.type(), target)
            .validateMessagesAndAssignOffsets(offset, METRICS, supplier);
    boolean rebuilt = source.type() != target.type();
    if (offset.value != first + count || result.messageSizeMaybeChanged() != rebuilt) {
      throw new IllegalStateException("a wrong answer: " + result);
    }
  }
}
