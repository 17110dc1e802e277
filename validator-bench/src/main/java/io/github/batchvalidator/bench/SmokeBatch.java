// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;

/**
 * One batch as Kafka's producer sends it: magic 2, JSON values, no keys, no headers, base offset 0.
 * Every contender gets a copy of its own, on the heap.
 */
public final class SmokeBatch {
  private static final long SEED = 20_251_121L;
  private static final long FIRST_TIME_MS = 1_700_000_000_000L;

  private final Codec codec;
  private final int records;
  private final byte[] stored;
  private final int plainBytes;

  private SmokeBatch(Codec codec, SimpleRecord[] records) {
    this.codec = codec;
    this.records = records.length;
    stored = write(codec, records);
    plainBytes = write(Codec.NONE, records).length - BatchLayout.HEADER_BYTES;
  }

  /**
   * Returns batches of different content.
   *
   * @param codec how they are compressed, at the codec's default level
   * @param shape number of records, {@code x}, bytes of each value: {@code 125x1024}
   * @param count how many
   */
  public static SmokeBatch[] several(Codec codec, String shape, int count) {
    SmokeBatch[] batches = new SmokeBatch[count];
    for (int i = 0; i < count; i++) {
      batches[i] = seeded(SEED + i, codec, shape);
    }
    return batches;
  }

  /** Returns the first of {@link #several}. */
  public static SmokeBatch of(Codec codec, String shape) {
    return seeded(SEED, codec, shape);
  }

  private static SmokeBatch seeded(long seed, Codec codec, String shape) {
    int cross = shape.indexOf('x');
    int records = Integer.parseInt(shape.substring(0, cross));
    int valueBytes = Integer.parseInt(shape.substring(cross + 1));
    JsonEvents events = new JsonEvents(seed, FIRST_TIME_MS);
    SimpleRecord[] all = new SimpleRecord[records];
    for (int i = 0; i < records; i++) {
      byte[] value = events.next(valueBytes);
      all[i] = new SimpleRecord(events.timeMs(), value);
    }
    return new SmokeBatch(codec, all);
  }

  private static byte[] write(Codec codec, SimpleRecord[] records) {
    ByteBuffer batch = MemoryRecords.withRecords(compression(codec), records).buffer();
    int from = batch.arrayOffset() + batch.position();
    return Arrays.copyOfRange(batch.array(), from, from + batch.remaining());
  }

  static Compression compression(Codec codec) {
    return Compression.of(CompressionType.forId(codec.id())).build();
  }

  /** Returns a new copy of the batch, in an array of its own, position 0. */
  public ByteBuffer copy() {
    return ByteBuffer.wrap(stored.clone());
  }

  /** Returns a copy of each, as {@link #copy}. */
  static ByteBuffer[] copies(SmokeBatch... batches) {
    return Arrays.stream(batches).map(SmokeBatch::copy).toArray(ByteBuffer[]::new);
  }

  /** Returns the codec. */
  public Codec codec() {
    return codec;
  }

  /** Returns the number of records. */
  public int records() {
    return records;
  }

  /** Returns how many bytes the batch takes as it is sent. */
  public int storedBytes() {
    return stored.length;
  }

  /** Returns how many bytes the records take when decompressed. */
  public int plainBytes() {
    return plainBytes;
  }
}
