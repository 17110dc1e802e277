// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.rebuild;

import io.github.batchvalidator.rule.Codec;
import java.io.IOException;
import org.xerial.snappy.Snappy;

/**
 * The block stream of snappy-java ({@code SnappyOutputStream}), in blocks as large as Kafka's.
 *
 * <pre>
 *  magic 82 'S' 'N' 'A' 'P' 'P' 'Y' 00 | version 4 | compatible with 4
 *  { size 4 | raw Snappy block } ...                                    (big endian)
 * </pre>
 */
final class SnappyEncoder extends BlockEncoder {
  /** What Kafka's writer puts into one block. */
  static final int BLOCK_BYTES = 32 * 1024;

  private static final byte[] HEADER = {
    (byte) 0x82, 'S', 'N', 'A', 'P', 'P', 'Y', 0, 0, 0, 0, 1, 0, 0, 0, 1
  };

  /** The library is not told how much room there is: there has to be enough for the worst case. */
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
