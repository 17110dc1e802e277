// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.snappy;

import io.github.batchvalidator.testing.RecordBytes;
import io.github.batchvalidator.testing.streams.Bytes;
import io.github.batchvalidator.testing.streams.SnappyStreams;
import java.util.SplittableRandom;

/**
 * Sound blocks made against the walk. A lane at a guessed position in them never falls in with the
 * confirmed lane.
 */
public final class HostileBlocks {
  /** The number of kinds. */
  public static final int KINDS = 4;

  private static final int LARGEST_PLAIN = 31_000;

  private HostileBlocks() {}

  /**
   * Returns a payload of Kafka records. Each block contains one record.
   *
   * @param kind from 0 to {@link #KINDS} - 1
   */
  public static byte[] records(SplittableRandom random, int kind, int records) {
    byte[][] chunks = new byte[records][];
    for (int i = 0; i < records; i++) {
      SnappyBlocks.Tags value = tags(random, kind, LARGEST_PLAIN - random.nextInt(1000));
      byte[] plain = new byte[value.plainBytes()];
      byte[] record =
          new RecordBytes()
              .offsetDelta(RecordBytes.varint(i, 1))
              .value(RecordBytes.varint(plain.length, 1), plain)
              .toBytes();
      byte[] head = Bytes.cut(record, -plain.length - 1);
      SnappyBlocks.Tags block = new SnappyBlocks.Tags().literal(head).tags(value);
      chunks[i] = SnappyStreams.chunk(block.literal(Bytes.of(0)).toBlock());
    }
    return SnappyStreams.stream(chunks);
  }

  /** Returns a block with at least so many plain bytes. */
  static byte[] block(SplittableRandom random, int kind, int bytes) {
    return tags(random, kind, bytes).toBlock();
  }

  /** Copies in three or two phases, or literals full of bytes that look like tags. */
  private static SnappyBlocks.Tags tags(SplittableRandom random, int kind, int bytes) {
    SnappyBlocks.Tags tags = new SnappyBlocks.Tags();
    byte[] start = new byte[kind == 0 ? 4700 + random.nextInt(3) : 60];
    random.nextBytes(start);
    tags.literal(start);
    while (tags.plainBytes() < bytes) {
      switch (kind) {
        case 0 -> tags.longCopy(5, 0x1212);
        case 1 -> tags.literal(Bytes.filled(40, 0xF0)).longCopy(64, 1 + random.nextInt(50));
        case 2 -> tags.shortCopy(5, 5);
        default -> tags.literal(Bytes.filled(30, 2)).longCopy(64, 1 + random.nextInt(50));
      }
    }
    return tags;
  }
}
