// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testing.streams;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.xerial.snappy.Snappy;

/** Xerial's stream of Snappy blocks, chunk by chunk. */
public final class SnappyStreams {
  public static final byte[] MAGIC = Bytes.of(0x82, 'S', 'N', 'A', 'P', 'P', 'Y', 0);
  public static final byte[] HEADER = header(1, 1);

  private SnappyStreams() {}

  public static byte[] header(int version, int compatible) {
    return Bytes.concat(MAGIC, Bytes.bigEndian(version), Bytes.bigEndian(compatible));
  }

  public static byte[] block(byte[] plain) {
    try {
      return Snappy.compress(plain);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static byte[] chunk(byte[] block) {
    return Bytes.concat(Bytes.bigEndian(block.length), block);
  }

  public static byte[] stream(byte[]... chunks) {
    return Bytes.concat(HEADER, Bytes.concat(chunks));
  }

  /** Returns the number at the start of a block, which declares its plain bytes. */
  public static byte[] unsignedVarint(long value) {
    return value < 0x80
        ? Bytes.of((int) value)
        : Bytes.concat(Bytes.of((int) (value & 0x7F) | 0x80), unsignedVarint(value >>> 7));
  }
}
