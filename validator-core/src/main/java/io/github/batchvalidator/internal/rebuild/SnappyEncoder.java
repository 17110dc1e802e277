// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.rebuild;

import io.github.batchvalidator.rule.Codec;
import java.io.IOException;
import org.xerial.snappy.Snappy;

/**
 * An encoder for the block stream of snappy-java ({@code SnappyOutputStream}), with Kafka's block
 * size.
 *
 * <pre>
 *  magic 82 'S' 'N' 'A' 'P' 'P' 'Y' 00 | version 4 | compatible with 4
 *  { size 4 | raw Snappy block } ...                                    (big endian)
 * </pre>
 */
final class SnappyEncoder extends BlockEncoder {
  /** The block size of Kafka's writer, in bytes. */
  static final int BLOCK_BYTES = 32 * 1024;

  private static final byte[] HEADER = {
    (byte) 0x82, 'S', 'N', 'A', 'P', 'P', 'Y', 0, 0, 0, 0, 1, 0, 0, 0, 1
  };

  /** Large enough for the worst case, because the library does not know the size of the output. */
  private final byte[] stored = new byte[Snappy.maxCompressedLength(BLOCK_BYTES)];

  SnappyEncoder() {
    super(Codec.SNAPPY, BLOCK_BYTES);
  }

  @Override
  void startBlocks(int level, int magic) {
    output.write(HEADER, 0, HEADER.length);
  }

  @Override
  void block(byte[] source, int from, int length) throws IOException {
    int bytes = Snappy.compress(source, from, length, stored, 0);
    output.writeIntBigEndian(bytes);
    output.write(stored, 0, bytes);
  }

  @Override
  void endBlocks() {
    // the stream has no end mark
  }

  @Override
  public long heapBytes() {
    return super.heapBytes() + stored.length;
  }

  @Override
  public long nativeBytes() {
    return 0;
  }
}
