// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.fuzz;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.LegacyMessage;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Makes batches of any bytes. Shapes with a right checksum or a compressed stream let a fuzzer
 * reach the code after these checks without having to find either.
 */
public final class FuzzBatch {
  /** How many choices a batch takes. */
  static final int CHOICES = 3;

  /** The shapes: bytes as they are, with a right length and checksum, and so on. */
  static final int SOUND = 1;

  static final int COMPRESSED = 2;
  static final int WRAPPED = 3;
  static final int FRAMED = 4;

  private static final int SHAPES = 5;

  private FuzzBatch() {}

  /** Returns the bytes to be judged. */
  public static byte[] of(FuzzInput input) {
    int shape = input.choice(SHAPES);
    Codec codec = input.of(Codec.values());
    int magic = input.choice(2);
    byte[] rest = input.rest();
    return switch (shape) {
      case SOUND -> sound(rest);
      case COMPRESSED -> sound(compressed(rest, codec));
      case WRAPPED -> LegacyMessage.holdingPlain(magic, codec, rest).toBytes();
      case FRAMED -> Batches.ofPayload(codec, 1 + magic, rest).array();
      default -> rest;
    };
  }

  /** Sets the length and the checksum. The header may be cut after them. */
  private static byte[] sound(byte[] batch) {
    byte[] sound = Arrays.copyOf(batch, Math.max(batch.length, BatchLayout.ATTRIBUTES_OFFSET));
    ByteBuffer buffer = ByteBuffer.wrap(sound);
    buffer.putInt(BatchLayout.LENGTH_OFFSET, sound.length - BatchLayout.LOG_OVERHEAD);
    return Batches.fixCrc(buffer).array();
  }

  /** Compresses the bytes after the header as if they were plain records. */
  private static byte[] compressed(byte[] batch, Codec codec) {
    byte[] header = Arrays.copyOf(batch, BatchLayout.HEADER_BYTES);
    byte[] plain =
        batch.length <= header.length
            ? new byte[0]
            : Arrays.copyOfRange(batch, header.length, batch.length);
    int attributes = BatchLayout.ATTRIBUTES_OFFSET + 1;
    header[attributes] = (byte) ((header[attributes] & ~BatchLayout.CODEC_MASK) | codec.id());
    byte[] payload = Batches.compress(codec, plain);
    return ByteBuffer.allocate(header.length + payload.length).put(header).put(payload).array();
  }
}
