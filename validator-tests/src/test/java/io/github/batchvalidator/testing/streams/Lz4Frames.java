// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testing.streams;

import java.util.Arrays;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.xxhash.XXHashFactory;

/** Frames of LZ4, block by block. */
public final class Lz4Frames {
  public static final int VERSION_1 = 0x40;
  public static final int INDEPENDENT = 0x20;
  public static final int BLOCK_CHECKSUM = 0x10;
  public static final int CONTENT_SIZE = 0x08;
  public static final int CONTENT_CHECKSUM = 0x04;

  public static final int MAX_64K = 4;

  public static final byte[] MAGIC = Bytes.of(0x04, 0x22, 0x4d, 0x18);
  public static final byte[] END = Bytes.of(0, 0, 0, 0);

  private Lz4Frames() {}

  /** Returns a header of version 1 with independent blocks, followed by the parts. */
  public static byte[] frame(int flags, int maxBlockId, byte[]... parts) {
    byte[] size = (flags & CONTENT_SIZE) != 0 ? Bytes.littleEndian(1000L) : new byte[0];
    byte[] header = header(VERSION_1 | INDEPENDENT | flags, maxBlockId << 4, size);
    return Bytes.concat(header, Bytes.concat(parts));
  }

  /** Returns a header of any descriptor bytes, with the checksum that fits them. */
  public static byte[] header(int flg, int bd, byte[] contentSize) {
    byte[] descriptor = Bytes.concat(Bytes.of(flg, bd), contentSize);
    return Bytes.concat(MAGIC, descriptor, Bytes.of(hash(descriptor) >> 8));
  }

  public static byte[] block(byte[] data) {
    return Bytes.concat(Bytes.littleEndian(data.length), data);
  }

  public static byte[] compressed(byte[] plain) {
    return block(LZ4Factory.safeInstance().fastCompressor().compress(plain));
  }

  public static byte[] stored(byte[] plain) {
    return Bytes.concat(Bytes.littleEndian(plain.length | (1 << 31)), plain);
  }

  /** Returns a block with its checksum. */
  public static byte[] checked(byte[] block) {
    byte[] data = Arrays.copyOfRange(block, Integer.BYTES, block.length);
    return Bytes.concat(block, Bytes.littleEndian(hash(data)));
  }

  public static int hash(byte[] bytes) {
    return XXHashFactory.safeInstance().hash32().hash(bytes, 0, bytes.length, 0);
  }
}
