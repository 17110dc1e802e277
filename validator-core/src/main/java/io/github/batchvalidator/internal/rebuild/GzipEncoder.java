// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.rebuild;

import io.github.batchvalidator.rule.Codec;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/**
 * An encoder for one RFC 1952 member, as {@code GZIPOutputStream} writes it.
 *
 * <pre>
 *  1f 8b | method 8 | flags 0 | time 0, 4 | 0 | system ff | deflated | CRC-32, 4 | plain bytes, 4
 * </pre>
 */
final class GzipEncoder extends BlockEncoder {
  /**
   * The bytes per call of the library. A longer call on arrays would delay the collector of older
   * JDKs.
   */
  static final int PIECE_BYTES = 16 * 1024;

  /** The native memory of one deflater: its 32 KiB window twice, hash chains and pending output. */
  private static final int NATIVE_BYTES = 268 * 1024;

  private static final byte[] HEADER = {
    0x1F, (byte) 0x8B, Deflater.DEFLATED, 0, 0, 0, 0, 0, 0, (byte) 0xFF
  };

  private static final byte[] NOTHING = {};

  private final Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
  private final CRC32 crc = new CRC32();
  private final byte[] unwritten = new byte[1];
  private int level = Deflater.DEFAULT_COMPRESSION;

  GzipEncoder() {
    super(Codec.GZIP, PIECE_BYTES);
  }

  @Override
  void startBlocks(int newLevel, int magic) {
    deflater.reset();
    if (newLevel != level) {
      setLevel(newLevel);
    }
    crc.reset();
    output.write(HEADER, 0, HEADER.length);
  }

  /**
   * Sets the level before there is input. Later, zlib 1.2.11 would compress the first piece at the
   * level of the batch before.
   */
  private void setLevel(int newLevel) {
    deflater.setLevel(newLevel);
    deflater.deflate(unwritten); // takes the level over, and writes nothing
    level = newLevel;
  }

  @Override
  void block(byte[] source, int from, int length) {
    crc.update(source, from, length);
    deflater.setInput(source, from, length);
    while (!deflater.needsInput() && deflate()) {
      // until all input is consumed
    }
  }

  @Override
  void endBlocks() {
    deflater.finish();
    while (!deflater.finished() && deflate()) {
      // until all output is written
    }
    output.writeIntLittleEndian((int) crc.getValue());
    output.writeIntLittleEndian((int) deflater.getBytesRead());
  }

  private boolean deflate() {
    if (!output.reserve(1)) {
      return false;
    }
    output.advance(deflater.deflate(output.array(), output.length(), output.room()));
    return true;
  }

  @Override
  public void release() {
    deflater.setInput(NOTHING);
    super.release();
  }

  @Override
  public long nativeBytes() {
    return NATIVE_BYTES;
  }

  @Override
  public void close() {
    super.close();
    deflater.end();
  }
}
