// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testing;

import io.github.batchvalidator.format.BatchIterator;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.LegacyLayout;
import io.github.batchvalidator.internal.codec.snappy.WalkGates;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Target;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.DefaultRecord;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.ByteBufferOutputStream;

/**
 * Record batches of magic 2 as bytes. Payloads are written by Kafka's own codecs; every batch gets
 * a right CRC, so that what a test damages afterwards is damaged on purpose ({@link #fixCrc}).
 */
public final class Batches {
  private static final long BASE_TIMESTAMP = 1_700_000_000_000L;

  static {
    WalkGates.load(); // nearly every test of batches gets here first
  }

  private Batches() {}

  /** Returns the current time in the tests that use this class. */
  public static long nowMs() {
    return BASE_TIMESTAMP;
  }

  /** Returns a batch as Kafka's producer writes it, base offset 0, no producer id. */
  public static ByteBuffer of(Codec codec, SimpleRecord... records) {
    return copy(MemoryRecords.withRecords(compression(codec), records).buffer());
  }

  /**
   * Returns a batch that declares {@code count} records over a payload compressed from plain bytes.
   */
  public static ByteBuffer ofPlain(Codec codec, int count, byte[] plain) {
    return ofPayload(codec, count, compress(codec, plain));
  }

  /** Returns a batch that declares {@code count} records over stored bytes given as they are. */
  public static ByteBuffer ofPayload(Codec codec, int count, byte[] payload) {
    ByteBuffer batch = ByteBuffer.allocate(BatchLayout.HEADER_BYTES + payload.length);
    batch.putLong(0L);
    batch.putInt(batch.capacity() - BatchLayout.LOG_OVERHEAD);
    batch.putInt(RecordBatch.NO_PARTITION_LEADER_EPOCH);
    batch.put(BatchLayout.MAGIC_V2);
    batch.putInt(0);
    batch.putShort((short) codec.id());
    batch.putInt(count - 1);
    batch.putLong(BASE_TIMESTAMP);
    batch.putLong(BASE_TIMESTAMP);
    batch.putLong(RecordBatch.NO_PRODUCER_ID);
    batch.putShort(RecordBatch.NO_PRODUCER_EPOCH);
    batch.putInt(RecordBatch.NO_SEQUENCE);
    batch.putInt(count);
    batch.put(payload).flip();
    return fixCrc(batch);
  }

  /**
   * Returns a batch over records with any timestamps, negative ones too, which Kafka's own builder
   * refuses to write. The header's maximum timestamp is that of the records, at least -1.
   */
  public static ByteBuffer ofAny(Codec codec, List<SimpleRecord> records) {
    SimpleRecord[] array = records.toArray(SimpleRecord[]::new);
    ByteBuffer batch = ofPlain(codec, array.length, plainRecords(array));
    long max = records.stream().mapToLong(SimpleRecord::timestamp).reduce(-1, Math::max);
    return fixCrc(batch.putLong(BatchLayout.MAX_TIMESTAMP_OFFSET, max));
  }

  /** Returns the batches between the position and limit of a buffer. */
  public static BatchIterator framed(ByteBuffer buffer) {
    return new BatchIterator().wrap(buffer, buffer.position(), buffer.limit()).frame();
  }

  /** Returns a policy for a topic that stores a codec, at its default level. */
  public static Policy storing(Policy policy, Codec codec) {
    Target target = policy.target();
    Target storing =
        new Target(codec, codec.defaultLevel(), target.magic(), target.timestampType());
    return policy.toBuilder().target(storing).build();
  }

  /** Returns the bytes of a buffer as text, so that a failure can be replayed. */
  public static String base64(byte[] batch) {
    return Base64.getEncoder().encodeToString(batch);
  }

  /**
   * Makes the stored CRC of the batch at index 0, of any magic, fit its bytes, as far as its length
   * field reaches if that is within the buffer; returns the same buffer.
   */
  public static ByteBuffer fixCrc(ByteBuffer batch) {
    int size = batch.getInt(BatchLayout.LENGTH_OFFSET) + BatchLayout.LOG_OVERHEAD;
    boolean legacy = isLegacy(batch);
    int from = legacy ? LegacyLayout.MAGIC_OFFSET : BatchLayout.ATTRIBUTES_OFFSET;
    int end = size < from ? batch.limit() : Math.min(size, batch.limit());
    Checksum crc = legacy ? new CRC32() : new CRC32C();
    crc.update(batch.array(), batch.arrayOffset() + from, end - from);
    return batch.putInt(crcOffset(batch), (int) crc.getValue());
  }

  /** Returns the CRC-32 of bytes from an index on. */
  static int crc32(byte[] bytes, int from) {
    CRC32 crc = new CRC32();
    crc.update(bytes, from, bytes.length - from);
    return (int) crc.getValue();
  }

  /** Returns where the checksum of the batch at index 0 lies. */
  public static int crcOffset(ByteBuffer batch) {
    return isLegacy(batch) ? LegacyLayout.CRC_OFFSET : BatchLayout.CRC_OFFSET;
  }

  private static boolean isLegacy(ByteBuffer batch) {
    int magic = batch.get(BatchLayout.MAGIC_OFFSET);
    return magic == LegacyLayout.MAGIC_V0 || magic == LegacyLayout.MAGIC_V1;
  }

  /** Returns records as they lie in an uncompressed batch, offset deltas 0, 1, 2, ... */
  public static byte[] plainRecords(SimpleRecord... records) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      for (int i = 0; i < records.length; i++) {
        SimpleRecord record = records[i];
        long timestampDelta = record.timestamp() - BASE_TIMESTAMP;
        DefaultRecord.writeTo(
            out, i, timestampDelta, record.key(), record.value(), record.headers());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** Compresses with the codec as Kafka's producer does. */
  public static byte[] compress(Codec codec, byte[] plain) {
    return compress(compression(codec), RecordBatch.MAGIC_VALUE_V2, plain);
  }

  /** Compresses as Kafka does for a batch of some magic. */
  public static byte[] compress(Compression compression, byte magic, byte[] plain) {
    ByteBufferOutputStream out = new ByteBufferOutputStream(Math.max(512, plain.length));
    try (OutputStream compressing = compression.wrapForOutput(out, magic)) {
      compressing.write(plain);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return copy(out.buffer().flip()).array();
  }

  /** Returns Kafka's settings object for a codec, default level. */
  public static Compression compression(Codec codec) {
    return Compression.of(CompressionType.forId(codec.id())).build();
  }

  /** Returns Kafka's settings object for a level of a codec that has levels. */
  public static Compression compression(Codec codec, int level) {
    return switch (codec) {
      case GZIP -> Compression.gzip().level(level).build();
      case LZ4 -> Compression.lz4().level(level).build();
      case ZSTD -> Compression.zstd().level(level).build();
      case NONE, SNAPPY -> compression(codec);
    };
  }

  /** Returns the remaining bytes of a buffer in an array of their own, position 0. */
  public static ByteBuffer copy(ByteBuffer source) {
    return ByteBuffer.allocate(source.remaining()).put(source.duplicate()).flip();
  }

  /** Returns the remaining bytes of a buffer outside of the heap. */
  public static ByteBuffer direct(ByteBuffer source) {
    return ByteBuffer.allocateDirect(source.remaining()).put(source.duplicate()).flip();
  }
}
