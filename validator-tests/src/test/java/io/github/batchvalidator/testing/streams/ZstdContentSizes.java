// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testing.streams;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Takes the content size out of frames, by RFC 8878 and without the reader that is tested: what the
 * library makes of a frame then no longer depends on how much of its output is free.
 */
public final class ZstdContentSizes {
  private static final int FRAME = 0xFD2FB528;
  private static final int SKIPPABLE = 0x184D2A50;
  private static final int DESCRIPTOR_AT = 4;
  private static final int FIELDS_AT = 5;
  private static final int BLOCK_HEADER_BYTES = 3;
  private static final int SIZE_FLAG_SHIFT = 6;

  private final long most;
  private final ByteBuffer stored;
  private final ByteArrayOutputStream without = new ByteArrayOutputStream();

  private ZstdContentSizes(byte[] stream, long mostBytes) {
    most = mostBytes;
    stored = ByteBuffer.wrap(stream).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Returns the same stream where frames that declare a content size of at most {@code mostBytes}
   * declare none. What cannot be read is left as it is.
   */
  public static byte[] without(byte[] stream, long mostBytes) {
    ZstdContentSizes sizes = new ZstdContentSizes(stream, mostBytes);
    int at = 0;
    int end = sizes.passFrame(at);
    while (end > at) {
      at = end;
      end = sizes.passFrame(at);
    }
    sizes.without.write(stream, at, stream.length - at);
    return sizes.without.toByteArray();
  }

  /** Returns where the frame ends that starts at a byte, which is written; -1 if none does. */
  private int passFrame(int at) {
    if (stored.capacity() - at < FIELDS_AT + BLOCK_HEADER_BYTES) {
      return -1;
    }
    if ((stored.getInt(at) & ~0xF) == SKIPPABLE) {
      long end = at + 8L + (stored.getInt(at + 4) & 0xFFFF_FFFFL);
      if (end > stored.capacity()) {
        return -1;
      }
      without.write(stored.array(), at, (int) end - at);
      return (int) end;
    }
    return stored.getInt(at) == FRAME ? passRegular(at) : -1;
  }

  private int passRegular(int at) {
    int descriptor = stored.get(at + DESCRIPTOR_AT) & 0xFF;
    boolean single = (descriptor & ZstdFrames.SINGLE_SEGMENT) != 0;
    int sizeFlag = descriptor >> SIZE_FLAG_SHIFT;
    int sizeBytes = sizeFlag == 0 ? (single ? 1 : 0) : 1 << sizeFlag;
    int dictionaryBytes = (1 << (descriptor & 3)) >> 1;
    int dictionaryAt = at + FIELDS_AT + (single ? 0 : 1);
    int sizeAt = dictionaryAt + dictionaryBytes;
    int blocksAt = sizeAt + sizeBytes;
    int end = behindBlocks(blocksAt, (descriptor & ZstdFrames.CHECKSUM) != 0);
    if (end < 0) {
      return -1;
    }
    long size = sizeBytes == 0 ? Long.MAX_VALUE : contentSize(sizeAt, sizeBytes);
    if (size < 0 || size > most) {
      without.write(stored.array(), at, end - at);
      return end;
    }
    int kept = descriptor & ~(ZstdFrames.CONTENT_SIZE_FLAGS | ZstdFrames.SINGLE_SEGMENT);
    byte[] window = single ? windowOf(size) : Bytes.of(stored.get(at + FIELDS_AT));
    byte[] dictionary = Arrays.copyOfRange(stored.array(), dictionaryAt, sizeAt);
    without.writeBytes(ZstdFrames.frame(kept, Bytes.concat(window, dictionary)));
    without.write(stored.array(), blocksAt, end - blocksAt);
    return end;
  }

  private static byte[] windowOf(long size) {
    int log = Long.SIZE - Long.numberOfLeadingZeros(size);
    return ZstdFrames.window(Math.max(log, 10));
  }

  private long contentSize(int at, int bytes) {
    return switch (bytes) {
      case Byte.BYTES -> stored.get(at) & 0xFF;
      case Short.BYTES -> (stored.getShort(at) & 0xFFFF) + 256;
      case Integer.BYTES -> stored.getInt(at) & 0xFFFF_FFFFL;
      default -> stored.getLong(at);
    };
  }

  private int behindBlocks(int from, boolean checksum) {
    int at = from;
    while (stored.capacity() - at >= BLOCK_HEADER_BYTES) {
      int header = (stored.getShort(at) & 0xFFFF) | (stored.get(at + 2) & 0xFF) << Short.SIZE;
      int size = (header >>> 1 & 3) == ZstdFrames.RLE ? 1 : header >>> 3;
      at += BLOCK_HEADER_BYTES + size;
      if ((header & 1) != 0) {
        at += checksum ? Integer.BYTES : 0;
        return at <= stored.capacity() ? at : -1;
      }
    }
    return -1;
  }
}
