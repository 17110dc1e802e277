// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import io.github.batchvalidator.rule.Codec;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.utils.BufferSupplier;
import org.jspecify.annotations.Nullable;

/** The first batch of an append, of a size that its length field states. */
final class ModelBatch {
  private static final int LEAST_BYTES = 25;
  private static final int LENGTH_AT = 8;
  private static final int MAGIC_AT = 16;
  private static final int LEGACY_ATTRIBUTES_AT = 17;
  private static final int ATTRIBUTES_AT = 21;
  private static final int RECORDS_AT = 61;
  private static final int CODEC_MASK = 7;

  private final ByteBuffer bytes;
  final int size;
  private byte @Nullable [] plain;
  private @Nullable List<PlainRecord> records;
  private boolean isRead;

  ModelBatch(byte[] stored, int at) {
    bytes = ByteBuffer.wrap(stored, at, stored.length - at).slice();
    size = bytes.remaining() < MAGIC_AT ? 0 : bytes.getInt(LENGTH_AT) + 12;
  }

  /** Returns false if the bytes hold no whole batch with a whole header. */
  boolean isWhole() {
    return size > LEAST_BYTES
        && size <= bytes.limit()
        && (magic() == 2 ? size >= RECORDS_AT : magic() == 0 || magic() == 1);
  }

  int magic() {
    return bytes.get(MAGIC_AT);
  }

  int attributes() {
    return magic() == 2 ? bytes.getShort(ATTRIBUTES_AT) & 0xFFFF : bytes.get(LEGACY_ATTRIBUTES_AT);
  }

  @Nullable Codec codec() {
    return Codec.byId(attributes() & CODEC_MASK);
  }

  boolean hasLogAppendTime() {
    return magic() > 0 && (attributes() & 8) != 0;
  }

  boolean isControl() {
    return magic() == 2 && (attributes() & 32) != 0;
  }

  boolean hasDeleteHorizon() {
    return (attributes() & 64) != 0;
  }

  int lastOffsetDelta() {
    return bytes.getInt(23);
  }

  long baseTimestamp() {
    return bytes.getLong(27);
  }

  long maxTimestamp() {
    return bytes.getLong(35);
  }

  int count() {
    return bytes.getInt(57);
  }

  int payloadBytes() {
    return size - RECORDS_AT;
  }

  /** Returns the window or block that the codec's stream declares, in bytes. */
  long codecMemory() {
    ByteBuffer stream = bytes.duplicate().position(RECORDS_AT).limit(size).slice();
    return codec() == Codec.ZSTD
        ? ModelStreams.zstdWindow(stream)
        : codec() == Codec.LZ4 ? ModelStreams.lz4Block(stream) : 0;
  }

  /** Returns the decompressed records of magic 2, or null if the codec fails. */
  byte @Nullable [] plain() {
    read();
    return plain;
  }

  /** Returns the records of magic 2, or null if they cannot be read. */
  @Nullable List<PlainRecord> records() {
    read();
    return records;
  }

  private void read() {
    if (isRead || magic() != 2 || codec() == null) {
      return;
    }
    isRead = true;
    ByteBuffer payload = bytes.duplicate().position(RECORDS_AT).limit(size);
    try (InputStream in =
        Compression.of(CompressionType.forId(attributes() & CODEC_MASK))
            .build()
            .wrapForInput(payload, (byte) 2, BufferSupplier.NO_CACHING)) {
      plain = in.readAllBytes();
      records = PlainRecord.read(plain, count());
    } catch (IOException | RuntimeException | Error e) {
      plain = null; // damaged, as Kafka's answer shows
    }
  }
}
