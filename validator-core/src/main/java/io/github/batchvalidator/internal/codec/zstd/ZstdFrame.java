// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.zstd;

import io.github.batchvalidator.internal.codec.Payload;

/**
 * A parser for the headers of a zstd frame and its blocks (RFC 8878). Frames that it cannot parse
 * are left to the library.
 *
 * <p>Before decoding, the parser tells how much memory a frame needs and how many bytes it can
 * produce. After decoding, the parser tells whether other readers would read the same bytes.
 */
public final class ZstdFrame {
  /** Maximum plain size of a block. The library verifies compressed blocks only in streams. */
  public static final int MAX_BLOCK_BYTES = 128 * 1024;

  /** Number of plain bytes that Kafka reads at a time. */
  public static final int KAFKA_READ_BYTES = 16 * 1024;

  /**
   * Size of the pieces of input of Kafka's reader, as recommended by the library. The reader
   * tolerates a truncated frame in a piece in which another frame ended. The library may decode a
   * frame at once if one piece holds all of it.
   */
  public static final int KAFKA_INPUT_BYTES = MAX_BLOCK_BYTES + 3;

  /** Result for a number that cannot be determined. */
  public static final long UNKNOWN = -1;

  /** The largest window that the library accepts by default, and therefore Kafka, in bytes. */
  public static final int LIBRARY_WINDOW_BYTES = 1 << 27;

  /** The library cannot read a header that declares this window or a larger one, in bytes. */
  private static final long UNKNOWN_WINDOW_BYTES = 1L << 32;

  private static final int MAGIC = 0xFD2FB528;

  /** First magic of releases before 0.8. Some builds of the library read the later ones. */
  private static final int FIRST_EARLY_MAGIC = 0xFD2FB522;

  private static final int SKIPPABLE_MAGIC = 0x184D2A50;

  private static final int DESCRIPTOR_AT = 4;
  private static final int SINGLE_SEGMENT = 0x20;
  private static final int CHECKSUM = 0x04;
  private static final int RESERVED = 0x08;
  private static final int MIN_WINDOW_LOG = 10;
  private static final int BLOCK_HEADER_BYTES = 3;
  private static final int BLOCK_HEADER_BITS = 0xFFFFFF;
  private static final int RLE_BLOCK = 1;
  private static final int COMPRESSED_BLOCK = 2;

  /** Maximum size of the headers in a payload that is worth one call. */
  static final int HEADERS_BYTES = 4 * 1024;

  private static final int NOWHERE = -1;

  private int start;
  private int blocksAt;
  private long bound;
  private int compressedBlocks;
  private boolean hasEmptyCompressedBlock;
  private long window;
  private long contentSize;
  private boolean isEarly;
  private boolean mayDeclareSize;
  private boolean hasChecksum;
  private boolean hasSmallBlocks;
  private boolean hasBlockAboveWindow;
  private int end;
  private boolean isOfOtherBlocks;
  private boolean isRefusedAtOnce;
  private long held;

  /**
   * Start and end of the frame of the last walk over all of its blocks, so that it is not redone.
   */
  private int walkedFrom = NOWHERE;

  private int walkedTo;

  public ZstdFrame() {}

  /**
   * Reads a frame header.
   *
   * @param payload the payload
   * @param at position of the frame's first byte
   * @return the bytes of memory that the library needs for the window, a maximum for early formats;
   *     {@link #UNKNOWN} if there is no complete header of a regular frame
   */
  public long windowBytes(Payload payload, int at) {
    window = readHeader(payload, at);
    return window;
  }

  /** Forgets the frames of the last payload. */
  public void forget() {
    walkedFrom = NOWHERE;
  }

  private long readHeader(Payload payload, int at) {
    int left = payload.length() - at;
    start = at;
    blocksAt = payload.length();
    mayDeclareSize = true;
    contentSize = UNKNOWN;
    isEarly = false;
    if (left <= DESCRIPTOR_AT + 1) {
      return UNKNOWN;
    }
    int magic = payload.getIntLittleEndian(at);
    if (magic != MAGIC) {
      isEarly = isEarly(magic) || hasEarlyFrameBehindBorder(payload, at + DESCRIPTOR_AT + 1);
      return isEarly ? LIBRARY_WINDOW_BYTES : UNKNOWN;
    }
    int descriptor = payload.get(at + DESCRIPTOR_AT);
    boolean single = (descriptor & SINGLE_SEGMENT) != 0;
    hasChecksum = (descriptor & CHECKSUM) != 0;
    int sizeFlag = (descriptor & 0xFF) >> 6;
    int dictionaryBytes = (1 << (descriptor & 3)) >> 1;
    int contentSizeBytes = sizeFlag == 0 ? (single ? 1 : 0) : 1 << sizeFlag;
    int windowAt = at + DESCRIPTOR_AT + 1;
    int contentSizeAt = windowAt + (single ? 0 : 1) + dictionaryBytes;
    blocksAt = contentSizeAt + contentSizeBytes;
    if (blocksAt > payload.length()) {
      return UNKNOWN;
    }
    if ((descriptor & RESERVED) != 0 && border() < blocksAt) {
      isEarly = true; // harmless if wrong: the library then rejects the frame
      return LIBRARY_WINDOW_BYTES;
    }
    mayDeclareSize = contentSizeBytes > 0;
    if (mayDeclareSize) {
      contentSize = contentSize(payload, contentSizeAt, contentSizeBytes);
    }
    long bytes = single ? contentSize : window(payload.get(windowAt) & 0xFF);
    if (!single && bytes >= UNKNOWN_WINDOW_BYTES && hasEarlyFrameBehindBorder(payload, blocksAt)) {
      isEarly = true;
      return LIBRARY_WINDOW_BYTES;
    }
    hasSmallBlocks = !single && bytes < MAX_BLOCK_BYTES;
    return bytes;
  }

  /**
   * Returns whether a header spans two pieces of input and the second starts like an early frame.
   * If the library cannot read the header, it decodes that frame instead.
   */
  private boolean hasEarlyFrameBehindBorder(Payload payload, int headerEnd) {
    long at = border();
    return at < headerEnd
        && payload.length() - at >= Integer.BYTES
        && isEarly(payload.getIntLittleEndian((int) at));
  }

  private static boolean isEarly(int magic) {
    return magic >= FIRST_EARLY_MAGIC && magic < MAGIC; // as signed numbers
  }

  private static long window(int descriptor) {
    long base = 1L << (MIN_WINDOW_LOG + (descriptor >> 3));
    return base + (base >> 3) * (descriptor & 7);
  }

  private static long contentSize(Payload payload, int at, int bytes) {
    long size = 0;
    for (int i = bytes - 1; i >= 0; i--) {
      size = size << Byte.SIZE | (payload.get(at + i) & 0xFF);
    }
    long all = bytes == Short.BYTES ? size + 256 : size;
    return all < 0 ? Long.MAX_VALUE : all;
  }

  /** Returns the end of the piece of input in which the frame starts. */
  private long border() {
    return (start / KAFKA_INPUT_BYTES + 1L) * KAFKA_INPUT_BYTES;
  }

  /**
   * Returns the room in which the library may decode the frame in one call. Call {@link
   * #windowBytes} first.
   *
   * <p>The library verifies the plain size of each compressed block only in streams, and only the
   * total in one call. Two kinds of frames are therefore left to a stream: those with a window
   * below the maximum block, and those with several compressed blocks that may exceed the maximum
   * block in total.
   *
   * @param payload the payload
   * @param max the maximum room
   * @return the room in bytes; {@link #UNKNOWN} if it exceeds {@code max}, if the frame does not
   *     end with the payload, or if the frame is left to a stream
   */
  public long roomForOneCall(Payload payload, int max) {
    boolean isWorthIt = !hasSmallBlocks && payload.length() - max <= HEADERS_BYTES;
    if (!isWorthIt || walk(payload, payload.length(), max) != payload.length()) {
      return UNKNOWN;
    }
    long room = contentSize == UNKNOWN ? bound : Math.min(bound, contentSize);
    return compressedBlocks <= 1 || room <= MAX_BLOCK_BYTES ? room : UNKNOWN;
  }

  /**
   * Checks the frame again after it was decoded. Call {@link #windowBytes} first.
   *
   * @param payload the payload
   * @param endsAt position after the frame
   * @param plainBytes the number of plain bytes of the frame
   */
  public void look(Payload payload, int endsAt, long plainBytes) {
    boolean isRegular = blocksAt < payload.length();
    int found = isWalked(endsAt) ? endsAt : walk(payload, endsAt, Long.MAX_VALUE);
    end = endsAt;
    held = plainBytes;
    isOfOtherBlocks = isRegular && (found != endsAt || hasFrameInHeader(payload));
    isRefusedAtOnce = hasEmptyCompressedBlock || (contentSize != UNKNOWN && contentSize != held);
  }

  /**
   * Returns whether the header spans two pieces of input and the second starts like a frame. The
   * library may decode that frame instead.
   */
  private boolean hasFrameInHeader(Payload payload) {
    long at = border();
    if (at >= blocksAt || payload.length() - at < Integer.BYTES) {
      return false;
    }
    int magic = payload.getIntLittleEndian((int) at);
    return isEarly(magic) || magic == MAGIC || (magic & ~0xF) == SKIPPABLE_MAGIC;
  }

  /**
   * {@return true if readers may disagree about the frame} Call {@link #look} first. Some readers
   * accept such a frame, and others reject it or read other bytes. The frame has at least one of
   * these properties:
   *
   * <ul>
   *   <li>It is of an early format.
   *   <li>Its content has another size than declared.
   *   <li>It has an empty compressed block.
   *   <li>It has a block that is larger than the window.
   *   <li>A match may reach beyond the window.
   *   <li>The library read bytes within its header as another frame.
   * </ul>
   *
   * <p>The headers only tell whether a match beyond the window is possible. A reader that decodes
   * the frame at once has the bytes of the match. A streaming reader has other bytes or none,
   * depending on the buffer of an earlier frame.
   *
   * <p>A first frame with such a match is exempt unless it declares at most 16 KiB. Kafka's readers
   * all stream it with an empty buffer, and large batches are written this way.
   */
  public boolean dependsOnReader() {
    boolean mayReachBeyond = compressedBlocks > 0 && Math.max(contentSize, held) > window;
    boolean mayBeReadAtOnce = contentSize != UNKNOWN && contentSize <= KAFKA_READ_BYTES;
    return isEarly
        || isOfOtherBlocks
        || isRefusedAtOnce
        || hasBlockAboveWindow
        || (mayReachBeyond && (start > 0 || mayBeReadAtOnce));
  }

  /**
   * Returns whether Kafka's reader rejects the frame because the library decodes it at once. Call
   * {@link #look} first.
   *
   * <p>The library does so if the frame declares its size, there is room for it, and one piece of
   * the input holds all of it. It then rejects a wrong size and an empty compressed block.
   *
   * @param room the room of Kafka's reader when the frame started, in bytes
   * @return true if Kafka rejects the frame
   */
  public boolean isRefusedByKafka(long room) {
    return isDecodedAtOnce(room, end) && isRefusedAtOnce;
  }

  /**
   * Returns whether the library decodes the frame at once for Kafka's reader, but streams it for a
   * reader with less room. The two leave different buffers. Call {@link #windowBytes} first.
   *
   * @param payload the payload
   * @param less the room of the other reader, in bytes
   * @param room the room of Kafka's reader, in bytes
   */
  public boolean isStreamedForLackOfRoom(Payload payload, long less, long room) {
    if (contentSize <= less || contentSize > room) {
      return false;
    }
    int found = walk(payload, payload.length(), Long.MAX_VALUE);
    return found != NOWHERE && found <= payload.length() && isDecodedAtOnce(room, found);
  }

  private boolean isDecodedAtOnce(long room, int endsAt) {
    boolean isInOnePiece = start / KAFKA_INPUT_BYTES == (endsAt - 1) / KAFKA_INPUT_BYTES;
    return contentSize != UNKNOWN && contentSize <= room && isInOnePiece;
  }

  /**
   * {@return true if the frame declares no content size and no other frame follows it} Call {@link
   * #windowBytes} first.
   *
   * @param payload the payload
   */
  public boolean isAloneWithoutSize(Payload payload) {
    if (mayDeclareSize) {
      return false;
    }
    int found = walk(payload, payload.length(), Long.MAX_VALUE);
    walkedFrom = start;
    walkedTo = found;
    return found == NOWHERE || found >= payload.length();
  }

  /** Returns whether the fields are those of a walk over the frame, which ended here. */
  private boolean isWalked(int endsAt) {
    return walkedFrom == start && walkedTo == endsAt;
  }

  /**
   * Walks the blocks and stores their properties in fields. Returns the end of the frame, or {@link
   * #NOWHERE} if its blocks are invalid, continue after {@code to}, or may hold more than {@code
   * max} plain bytes.
   */
  private int walk(Payload payload, int to, long max) {
    walkedFrom = NOWHERE;
    bound = 0;
    compressedBlocks = 0;
    hasEmptyCompressedBlock = false;
    hasBlockAboveWindow = false;
    int at = blocksAt;
    while (to - at >= BLOCK_HEADER_BYTES && bound <= max) {
      int header =
          to - at > BLOCK_HEADER_BYTES
              ? payload.getIntLittleEndian(at) & BLOCK_HEADER_BITS // one read instead of three
              : payload.getUint24LittleEndian(at);
      int size = header >>> 3;
      int type = (header >>> 1) & 3;
      hasBlockAboveWindow |= size > window;
      if (type == COMPRESSED_BLOCK) {
        bound += MAX_BLOCK_BYTES;
        compressedBlocks++;
        hasEmptyCompressedBlock |= size == 0;
      } else {
        bound += size;
      }
      int stored = type == RLE_BLOCK ? 1 : size;
      at += BLOCK_HEADER_BYTES;
      if (type > COMPRESSED_BLOCK || size > MAX_BLOCK_BYTES || stored > to - at) {
        return NOWHERE;
      }
      at += stored;
      if ((header & 1) != 0) {
        return bound <= max ? at + (hasChecksum ? Integer.BYTES : 0) : NOWHERE;
      }
    }
    return NOWHERE;
  }
}
