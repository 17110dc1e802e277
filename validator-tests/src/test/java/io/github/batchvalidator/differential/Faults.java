// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.differential;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.LegacyLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.BufferSupplier;

/** All faults of one kind that a batch, or a message of magic 0 or 1, can have. */
final class Faults {
  /** The most bytes that a declared size may make Kafka allocate in a fast test. */
  private static final int MODEST_BYTES = 1 << 20;

  private static final int LOOKED_AT_BYTES = 1 << 12;

  private Faults() {}

  /**
   * Leaves out compressed messages around one that declares more than a mebibyte: Kafka allocates
   * what it declares, up to two gigabytes, which takes a thousand times as long as any other fault.
   */
  static Consumer<byte[]> modest(Consumer<byte[]> judge) {
    return bytes -> {
      if (largestDeclared(bytes) <= MODEST_BYTES) {
        judge.accept(bytes);
      }
    };
  }

  private static int largestDeclared(byte[] bytes) {
    if (bytes.length < LegacyLayout.KEY_SIZE_OFFSET_V1 + 2 * Integer.BYTES) {
      return 0;
    }
    byte magic = bytes[BatchLayout.MAGIC_OFFSET];
    Codec codec = Codec.byId(bytes[LegacyLayout.ATTRIBUTES_OFFSET] & BatchLayout.CODEC_MASK);
    if (magic < 0 || magic >= BatchLayout.MAGIC_V2 || codec == null || codec == Codec.NONE) {
      return 0;
    }
    int from = LegacyLayout.keySizeOffset(magic) + 2 * Integer.BYTES;
    ByteBuffer stream = ByteBuffer.wrap(bytes, from, bytes.length - from).slice();
    ByteBuffer plain = ByteBuffer.allocate(LOOKED_AT_BYTES);
    try (InputStream in =
        Batches.compression(codec).wrapForInput(stream, magic, BufferSupplier.NO_CACHING)) {
      int next = in.read();
      while (next >= 0 && plain.hasRemaining()) {
        plain.put((byte) next);
        next = in.read();
      }
    } catch (IOException | RuntimeException | Error e) {
      // Kafka, too, reads only what precedes the damage.
    }
    return largestSize(plain.flip());
  }

  private static int largestSize(ByteBuffer messages) {
    int largest = 0;
    long at = 0;
    while (at + BatchLayout.LOG_OVERHEAD <= messages.limit()) {
      int size = messages.getInt((int) at + BatchLayout.LENGTH_OFFSET);
      largest = Math.max(largest, size);
      at += BatchLayout.LOG_OVERHEAD + (long) Math.max(size, 0);
    }
    return largest;
  }

  /** Flips each bit, and leaves the checksum wrong or makes it right. */
  static void everyBit(byte[] golden, Consumer<byte[]> judge) {
    for (int bit = 0; bit < golden.length * Byte.SIZE; bit++) {
      byte[] damaged = flipped(golden, bit);
      judge.accept(damaged.clone());
      judge.accept(Batches.fixCrc(ByteBuffer.wrap(damaged)).array());
    }
  }

  /** Cuts to each length, and leaves length field and checksum as they are or makes them right. */
  static void everyLength(byte[] golden, Consumer<byte[]> judge) {
    boolean legacy = golden[BatchLayout.MAGIC_OFFSET] < BatchLayout.MAGIC_V2;
    int least = legacy ? LegacyLayout.MAGIC_OFFSET + 1 : BatchLayout.ATTRIBUTES_OFFSET;
    for (int length = 0; length < golden.length; length++) {
      byte[] cut = Arrays.copyOf(golden, length);
      judge.accept(cut.clone());
      if (length >= least) {
        ByteBuffer whole = ByteBuffer.wrap(cut);
        whole.putInt(BatchLayout.LENGTH_OFFSET, length - BatchLayout.LOG_OVERHEAD);
        judge.accept(Batches.fixCrc(whole).array());
      }
    }
  }

  /**
   * Flips each bit of the messages in a compressed one, and leaves the checksum of the message that
   * it is in wrong or makes it right.
   */
  static void everyInnerBit(LegacyGolden golden, Consumer<byte[]> judge) {
    byte[] plain = golden.plain();
    int each = plain.length / LegacyGolden.MESSAGES;
    for (int bit = 0; bit < plain.length * Byte.SIZE; bit++) {
      byte[] damaged = flipped(plain, bit);
      judge.accept(golden.around(damaged));
      int at = bit / Byte.SIZE;
      if (at % each > LegacyLayout.MAGIC_OFFSET) {
        Batches.fixCrc(ByteBuffer.wrap(damaged, at / each * each, each).slice());
        judge.accept(golden.around(damaged));
      }
    }
  }

  /** Cuts the messages in a compressed one to each length, before they are compressed. */
  static void everyInnerLength(LegacyGolden golden, Consumer<byte[]> judge) {
    byte[] plain = golden.plain();
    for (int length = 0; length < plain.length; length++) {
      judge.accept(golden.around(Arrays.copyOf(plain, length)));
    }
  }

  /** Cuts the compressed value to each length, in a message that is whole. */
  static void everyStreamLength(LegacyGolden golden, Consumer<byte[]> judge) {
    byte[] stream = golden.compress(golden.plain());
    for (int length = 0; length < stream.length; length++) {
      judge.accept(golden.holding(Arrays.copyOf(stream, length)));
    }
  }

  /** Returns a copy with one bit changed. */
  static byte[] flipped(byte[] golden, int bit) {
    byte[] damaged = golden.clone();
    damaged[bit / Byte.SIZE] ^= (byte) (1 << (bit % Byte.SIZE));
    return damaged;
  }
}
