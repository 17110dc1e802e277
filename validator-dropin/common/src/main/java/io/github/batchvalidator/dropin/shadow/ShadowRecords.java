// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.shadow;

import io.github.batchvalidator.engine.PlainStream;
import io.github.batchvalidator.format.BatchIterator;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.LegacyLayout;
import io.github.batchvalidator.rule.Codec;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import org.jspecify.annotations.Nullable;

/** A comparison of batches in all bytes on which Kafka's validator and ours must agree. */
final class ShadowRecords {
  /** The decoders of the last comparison. Creating decoders takes longer than comparing. */
  private static final AtomicReference<@Nullable Streams> SPARE = new AtomicReference<>();

  private ShadowRecords() {}

  /** The decoders for two payloads. */
  private record Streams(PlainStream left, PlainStream right) {
    static Streams acquire() {
      Streams spare = SPARE.getAndSet(null);
      return spare == null ? new Streams(new PlainStream(), new PlainStream()) : spare;
    }

    void release() {
      left.release();
      right.release();
      if (!SPARE.compareAndSet(null, this)) {
        left.close();
        right.close();
      }
    }
  }

  /**
   * {@return true if both hold the same batches} Two compressors may produce different bytes for
   * the same records. Payloads are therefore compared decompressed, and lengths and checksums,
   * which depend on the compressed bytes, are not compared.
   */
  static boolean same(ByteBuffer one, ByteBuffer other) {
    if (one.equals(other)) {
      return true;
    }
    BatchIterator ones = walk(one);
    BatchIterator others = walk(other);
    Streams streams = Streams.acquire();
    try {
      while (ones.next()) {
        if (!others.next() || !same(span(one, ones), span(other, others), streams)) {
          return false;
        }
      }
      return ones.left() == 0 && !others.next() && others.left() == 0;
    } finally {
      streams.release();
    }
  }

  private static boolean same(ByteBuffer one, ByteBuffer other, Streams streams) {
    if (one.equals(other)) {
      return true;
    }
    Codec codec = codec(one);
    int payloadAt = payloadAt(one);
    return codec != null
        && codec != Codec.NONE
        && one.limit() >= payloadAt
        && other.limit() >= payloadAt
        && Arrays.equals(header(one, payloadAt), header(other, payloadAt))
        && streams.left.open(codec, one, payloadAt, magic(one))
        && streams.right.open(codec, other, payloadAt, magic(other))
        && streams.left.hasSameBytes(streams.right);
  }

  /** {@return the header without length, checksum and, for a message, the size of its value} */
  private static byte[] header(ByteBuffer batch, int payloadAt) {
    byte[] header = new byte[payloadAt];
    batch.get(0, header);
    ByteBuffer view = ByteBuffer.wrap(header);
    view.putInt(BatchLayout.LENGTH_OFFSET, 0).putInt(crcAt(batch), 0);
    if (!isModern(batch)) {
      view.putInt(payloadAt - Integer.BYTES, 0);
    }
    return header;
  }

  /**
   * {@return true if the bytes differ only in checksums that were wrong before the append} Kafka's
   * validator computes these checksums again, ours leaves them wrong.
   */
  static boolean differInWrongChecksums(byte[] before, ByteBuffer stock, ByteBuffer ours) {
    ByteBuffer patched = ByteBuffer.allocate(ours.remaining()).put(ours.slice()).flip();
    ByteBuffer from = stock.slice();
    ByteBuffer all = ByteBuffer.wrap(before);
    BatchIterator batches = walk(all);
    while (batches.next()) {
      ByteBuffer batch = span(all, batches);
      if (!checksumIsRight(batch)) {
        int at = batches.start() + crcAt(batch);
        patched.put(at, from, at, Integer.BYTES);
      }
    }
    return patched.equals(from);
  }

  private static boolean checksumIsRight(ByteBuffer batch) {
    Checksum checksum = isModern(batch) ? new CRC32C() : new CRC32();
    int from = isModern(batch) ? BatchLayout.ATTRIBUTES_OFFSET : LegacyLayout.MAGIC_OFFSET;
    checksum.update(batch.duplicate().position(from));
    return batch.getInt(crcAt(batch)) == (int) checksum.getValue();
  }

  private static BatchIterator walk(ByteBuffer batches) {
    return new BatchIterator().wrap(batches, batches.position(), batches.limit());
  }

  /** {@return the current batch, from index 0 to its limit} */
  private static ByteBuffer span(ByteBuffer all, BatchIterator batches) {
    return all.slice(batches.start(), batches.sizeInBytes());
  }

  private static byte magic(ByteBuffer batch) {
    return BatchLayout.magicAt(batch, 0);
  }

  private static boolean isModern(ByteBuffer batch) {
    return magic(batch) == BatchLayout.MAGIC_V2;
  }

  private static int crcAt(ByteBuffer batch) {
    return isModern(batch) ? BatchLayout.CRC_OFFSET : LegacyLayout.CRC_OFFSET;
  }

  private static @Nullable Codec codec(ByteBuffer batch) {
    int at = BatchLayout.codecOffset(magic(batch));
    return Codec.byId(batch.get(at) & BatchLayout.CODEC_MASK);
  }

  /** {@return the index of the payload} For a message: after the size of its value, without key. */
  private static int payloadAt(ByteBuffer batch) {
    return isModern(batch)
        ? BatchLayout.HEADER_BYTES
        : LegacyLayout.keySizeOffset(magic(batch)) + 2 * Integer.BYTES;
  }
}
