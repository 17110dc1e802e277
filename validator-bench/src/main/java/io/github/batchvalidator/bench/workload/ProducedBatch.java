// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.workload;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.LegacyLayout;
import io.github.batchvalidator.rule.Codec;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;

/**
 * One batch as Kafka's producer sends it: magic 2, no producer id, base offset 0; or the same
 * records as clients from before 0.11 send them. Each contender gets a separate copy.
 */
public final class ProducedBatch {
  private final Codec codec;
  private final Memory memory;
  private final int records;
  private final byte[] stored;
  private final int plainBytes;

  ProducedBatch(Codec codec, Memory memory, int records, byte[] stored, int plainBytes) {
    this.codec = codec;
    this.memory = memory;
    this.records = records;
    this.stored = stored;
    this.plainBytes = plainBytes;
  }

  static ProducedBatch of(Codec codec, Memory memory, SimpleRecord... records) {
    byte[] plain = write(Codec.NONE, records);
    byte[] stored = codec == Codec.NONE ? plain : write(codec, records);
    int plainBytes = plain.length - BatchLayout.HEADER_BYTES;
    return new ProducedBatch(codec, memory, records.length, stored, plainBytes);
  }

  /** Magic 1: one message that holds the others if they are compressed, else a message each. */
  static ProducedBatch messages(Codec codec, Memory memory, SimpleRecord... records) {
    byte[] stored = write(LegacyLayout.MAGIC_V1, codec, records);
    int plainBytes = write(Codec.NONE, records).length - BatchLayout.HEADER_BYTES;
    return new ProducedBatch(codec, memory, records.length, stored, plainBytes);
  }

  static byte[] write(Codec codec, SimpleRecord... records) {
    return write(BatchLayout.MAGIC_V2, codec, records);
  }

  private static byte[] write(byte magic, Codec codec, SimpleRecord... records) {
    ByteBuffer batch = MemoryRecords.withRecords(magic, compression(codec), records).buffer();
    int from = batch.arrayOffset() + batch.position();
    return Arrays.copyOfRange(batch.array(), from, from + batch.remaining());
  }

  static Compression compression(Codec codec) {
    return Compression.of(CompressionType.forId(codec.id())).build();
  }

  /** Returns a copy of the batch in new memory, position 0. */
  public ByteBuffer copy() {
    return memory.copy(stored);
  }

  /** Returns a copy of each, as {@link #copy}. */
  public static ByteBuffer[] copies(ProducedBatch... batches) {
    return Arrays.stream(batches).map(ProducedBatch::copy).toArray(ByteBuffer[]::new);
  }

  /** Returns the codec. */
  public Codec codec() {
    return codec;
  }

  /** Returns where copies lie. */
  public Memory memory() {
    return memory;
  }

  /** Returns the number of records. */
  public int records() {
    return records;
  }

  /** Returns how many bytes the batch takes as it is sent. */
  public int storedBytes() {
    return stored.length;
  }

  /** Returns how many bytes the records take when decompressed, in a batch of magic 2. */
  public int plainBytes() {
    return plainBytes;
  }
}
