// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.rebuild;

import io.github.batchvalidator.rule.Codec;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;

/**
 * An encoder for the LZ4 frame that Kafka writes ({@code Lz4BlockOutputStream}): independent blocks
 * of 64 KiB, a checksum only of the header, no content size.
 *
 * <pre>
 *  magic 04 22 4d 18 | FLG 60 | BD 40 | header checksum 1
 *  { block size 4, top bit = stored | data } ...
 *  end mark 0                                                        (little endian)
 * </pre>
 */
final class Lz4Encoder extends BlockEncoder {
  /** The block size that BD declares, in bytes. */
  static final int BLOCK_BYTES = 64 * 1024;

  private static final int STORED_BLOCK = 1 << 31;

  /** Ends with the second byte of xxHash32 over FLG and BD. */
  private static final byte[] HEADER = {4, 0x22, 0x4D, 0x18, 0x60, 0x40, (byte) 0x82};

  /** In magic 0 the hash also covers the frame's magic: a bug that readers rely on. */
  private static final byte[] HEADER_MAGIC_0 = {4, 0x22, 0x4D, 0x18, 0x60, 0x40, 0x1A};

  private final LZ4Factory library;
  private final byte[] stored;
  private LZ4Compressor compressor;

  Lz4Encoder() {
    super(Codec.LZ4, BLOCK_BYTES);
    library = library();
    compressor = library.fastCompressor();
    stored = new byte[compressor.maxCompressedLength(BLOCK_BYTES)];
  }

  private static LZ4Factory library() {
    try {
      return LZ4Factory.nativeInstance();
    } catch (RuntimeException | LinkageError e) {
      return LZ4Factory.safeInstance();
    }
  }

  /** Uses the fast compressor for the default level, whatever its number is (KIP-780). */
  @Override
  void startBlocks(int level, int magic) {
    compressor =
        level == Codec.LZ4.defaultLevel()
            ? library.fastCompressor()
            : library.highCompressor(level);
    output.write(magic == 0 ? HEADER_MAGIC_0 : HEADER, 0, HEADER.length);
  }

  @Override
  void block(byte[] source, int from, int length) {
    int bytes = compressor.compress(source, from, length, stored, 0, stored.length);
    if (bytes < length) {
      output.writeIntLittleEndian(bytes);
      output.write(stored, 0, bytes);
    } else {
      output.writeIntLittleEndian(length | STORED_BLOCK);
      output.write(source, from, length);
    }
  }

  @Override
  void endBlocks() {
    output.writeIntLittleEndian(0);
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
