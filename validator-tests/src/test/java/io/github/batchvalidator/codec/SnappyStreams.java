// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.codec;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.xerial.snappy.Snappy;

/** Xerial's stream of Snappy blocks, chunk by chunk. */
final class SnappyStreams {
  static final byte[] MAGIC = Bytes.of(0x82, 'S', 'N', 'A', 'P', 'P', 'Y', 0);
  static final byte[] HEADER = header(1, 1);

  private SnappyStreams() {}

  static byte[] header(int version, int compatible) {
    return Bytes.concat(MAGIC, Bytes.bigEndian(version), Bytes.bigEndian(compatible));
  }

  static byte[] block(byte[] plain) {
    try {
      return Snappy.compress(plain);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static byte[] chunk(byte[] block) {
    return Bytes.concat(Bytes.bigEndian(block.length), block);
  }

  static byte[] stream(byte[]... chunks) {
    return Bytes.concat(HEADER, Bytes.concat(chunks));
  }
}
