// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import io.github.batchvalidator.lines.StoredBytes.Span;
import io.github.batchvalidator.rule.Codec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;

/** The blocks of lz4 payloads, as far as they can be walked and decoded. */
final class Lz4Blocks {
  private static final int MAGIC_BYTES = 4;
  private static final int DESCRIPTOR_BYTES = 3;
  private static final int CONTENT_SIZE = 0x08;
  private static final int BLOCK_CHECKSUM = 0x10;
  private static final int SIZE_MASK = 0x7FFF_FFFF;
  private static final int MAX_ID_SHIFT = 4;
  private static final int MAX_ID_MASK = 7;
  private static final int SMALLEST_MAX_LOG = 8;

  private Lz4Blocks() {}

  /** True if a block of one of the batches decodes to nothing. */
  static boolean anyDecodesToNothing(List<Span> spans) {
    return spans.stream()
        .filter(span -> span.codec() == Codec.LZ4 && span.headerIsComplete())
        .anyMatch(span -> anyDecodesToNothing(span.payload().slice()));
  }

  private static boolean anyDecodesToNothing(ByteBuffer frame) {
    frame.order(ByteOrder.LITTLE_ENDIAN);
    if (frame.remaining() < MAGIC_BYTES + DESCRIPTOR_BYTES) {
      return false;
    }
    int flags = frame.get(MAGIC_BYTES);
    int maxId = (frame.get(MAGIC_BYTES + 1) >> MAX_ID_SHIFT) & MAX_ID_MASK;
    int maxBlock = 1 << (2 * maxId + SMALLEST_MAX_LOG);
    int trailer = (flags & BLOCK_CHECKSUM) != 0 ? Integer.BYTES : 0;
    int at = MAGIC_BYTES + DESCRIPTOR_BYTES + ((flags & CONTENT_SIZE) != 0 ? Long.BYTES : 0);
    while (at <= frame.limit() - Integer.BYTES) {
      int word = frame.getInt(at);
      int size = word & SIZE_MASK;
      at += Integer.BYTES;
      if (size == 0 || size > frame.limit() - at) {
        return false;
      }
      if (word > 0 && decodedBytes(frame.slice(at, size), maxBlock) == 0) {
        return true;
      }
      at += size + trailer;
    }
    return false;
  }

  private static int decodedBytes(ByteBuffer block, int maxBlock) {
    byte[] in = new byte[block.remaining()];
    block.get(in);
    try {
      return LZ4Factory.nativeInstance().safeDecompressor().decompress(in, new byte[maxBlock]);
    } catch (LZ4Exception e) {
      return -1;
    }
  }
}
