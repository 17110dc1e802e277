// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import io.github.batchvalidator.lines.StoredBytes.Span;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.BufferKind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;

/** The compressed blocks of lz4 payloads, as far as they can be walked. */
public final class Lz4Blocks {
  private static final int MAGIC_BYTES = 4;
  private static final int DESCRIPTOR_BYTES = 3;
  private static final int CONTENT_SIZE = 0x08;
  private static final int BLOCK_CHECKSUM = 0x10;
  private static final int SIZE_MASK = 0x7FFF_FFFF;
  private static final int LARGEST_BLOCK = 1 << 22;
  private static final int NIBBLE = 4;
  private static final int LENGTH_MASK = 15;

  private Lz4Blocks() {}

  /** True if a block of one of the batches decodes to nothing. */
  public static boolean anyDecodesToNothing(Append append) {
    return blocks(append).stream().anyMatch(block -> decodedBytes(block) == 0);
  }

  /**
   * True if what stock answers may depend on what its buffer held before: of read-only memory
   * lz4-java decodes in Java, where versions up to 1.10.0 leave a match of offset 0 as it was.
   */
  public static boolean anyDecodesByChance(Append append) {
    return append.placement() == BufferKind.READ_ONLY
        && blocks(append).stream().anyMatch(Lz4Blocks::hasMatchOfOffsetZero);
  }

  private static List<byte[]> blocks(Append append) {
    List<byte[]> blocks = new ArrayList<>();
    for (Span span : StoredBytes.spans(append.bytes())) {
      if (span.codec() == Codec.LZ4 && span.headerIsComplete()) {
        addBlocks(span.payload().slice().order(ByteOrder.LITTLE_ENDIAN), blocks);
      }
    }
    return blocks;
  }

  private static void addBlocks(ByteBuffer frame, List<byte[]> blocks) {
    if (frame.limit() < MAGIC_BYTES + DESCRIPTOR_BYTES) {
      return;
    }
    int flags = frame.get(MAGIC_BYTES);
    int trailer = (flags & BLOCK_CHECKSUM) != 0 ? Integer.BYTES : 0;
    int at = MAGIC_BYTES + DESCRIPTOR_BYTES + ((flags & CONTENT_SIZE) != 0 ? Long.BYTES : 0);
    while (at <= frame.limit() - Integer.BYTES) {
      int word = frame.getInt(at);
      int size = word & SIZE_MASK;
      at += Integer.BYTES;
      if (size == 0 || size > frame.limit() - at) {
        return;
      }
      if (word > 0) {
        byte[] block = new byte[size];
        frame.get(at, block);
        blocks.add(block);
      }
      at += size + trailer;
    }
  }

  private static int decodedBytes(byte[] block) {
    byte[] out = new byte[LARGEST_BLOCK];
    try {
      return LZ4Factory.nativeInstance().safeDecompressor().decompress(block, out);
    } catch (LZ4Exception e) {
      return -1;
    }
  }

  /** Walks over the sequences of a block: literals, offset and length of a match. */
  private static boolean hasMatchOfOffsetZero(byte[] block) {
    int at = 0;
    while (at < block.length) {
      int token = block[at++] & 0xFF;
      int literals = token >> NIBBLE;
      if (literals == LENGTH_MASK) {
        int from = at;
        at = behindLength(block, from);
        literals += 0xFF * (at - 1 - from) + (at > block.length ? 0 : block[at - 1] & 0xFF);
      }
      at += literals;
      if (at > block.length - Short.BYTES) {
        return false;
      }
      if (block[at] == 0 && block[at + 1] == 0) {
        return true;
      }
      at += Short.BYTES;
      if ((token & LENGTH_MASK) == LENGTH_MASK) {
        at = behindLength(block, at);
      }
    }
    return false;
  }

  /** Returns the index after a length: each byte 255 means that another byte follows. */
  private static int behindLength(byte[] block, int from) {
    int at = from;
    while (at < block.length && block[at] == (byte) 0xFF) {
      at++;
    }
    return at + 1;
  }
}
