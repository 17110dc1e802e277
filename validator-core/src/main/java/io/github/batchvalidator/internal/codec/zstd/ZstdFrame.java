// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.zstd;

import io.github.batchvalidator.internal.codec.Payload;

/**
 * Looks at the headers of a zstd frame and of its blocks (RFC 8878): before anything is decoded to
 * tell how much memory the frame needs and how many bytes it can produce at the most, behind it
 * whether other readers would have read the same. What it cannot read is left to the library.
 */
public final class ZstdFrame {
  /**
   * The most that a block may hold; of compressed ones only a stream of the library verifies it.
   */
  public static final int MAX_BLOCK_BYTES = 128 * 1024;

  /** What Kafka reads at a time. */
  public static final int KAFKA_READ_BYTES = 16 * 1024;

  /**
   * The pieces in which Kafka's reader hands its input over, of the library's recommended size: it
   * forgives a cut frame in the one in which another ended, and the library may decode a frame at
   * once if it lies in one.
   */
  public static final int KAFKA_INPUT_BYTES = MAX_BLOCK_BYTES + 3;

  /** The answer to what cannot be told. */
  public static final long UNKNOWN = -1;

  /** The largest window that the library accepts unless told otherwise, and so Kafka. */
  public static final int LIBRARY_WINDOW_BYTES = 1 << 27;

  private static final int MAGIC = 0xFD2FB528;

  /** Forms of releases before 0.8, of which some builds of the library read the later. */
  private static final int FIRST_EARLY_MAGIC = 0xFD2FB522;

  private static final int SKIPPABLE_MAGIC = 0x184D2A50;

  private static final int DESCRIPTOR_AT = 4;
  private static final int SINGLE_SEGMENT = 0x20;
  private static final int CHECKSUM = 0x04;
  private static final int RESERVED = 0x08;
  private static final int MIN_WINDOW_LOG = 10;
  private static final int BLOCK_HEADER_BYTES = 3;
  private static final int RLE_BLOCK = 1;
  private static final int COMPRESSED_BLOCK = 2;

  /** How much longer than its plain bytes a payload is that is worth one call: it holds blocks. */
  private static final int HEADERS_BYTES = 4 * 1024;

  private static final int NOWHERE = -1;

  private int start;
  private int blocksAt;
  private long bound;
  private int compressedBlocks;
  private boolean hasEmptyCompressedBlock;
  private long window;
  private long contentSize;
  private boolean isEarly;
  private boolean mayTellSize;
  private boolean hasChecksum;
  private boolean hasSmallBlocks;
  private boolean hasBlockAboveWindow;
  private int end;
  private boolean isOfOtherBlocks;
  private boolean isRefusedAtOnce;
  private long held;

  /** Creates the reader. */
  public ZstdFrame() {}

  /**
   * Reads a frame header.
   *
   * @param payload the stored bytes
   * @param at position of the frame's first byte
   * @return bytes of memory that the library needs for the window, at the most if the frame is of
   *     an early form; {@link #UNKNOWN} if there is no complete header of a regular frame
   */
  public long windowBytes(Payload payload, int at) {
    window = readHeader(payload, at);
    return window;
  }

  private long readHeader(Payload payload, int at) {
    int left = payload.length() - at;
    start = at;
    blocksAt = payload.length();
    mayTellSize = true;
    contentSize = UNKNOWN;
    isEarly = false;
    if (left <= DESCRIPTOR_AT + 1) {
      return UNKNOWN;
    }
    int magic = payload.getIntLittleEndian(at);
    if (magic != MAGIC) {
      isEarly = magic >= FIRST_EARLY_MAGIC && magic < MAGIC; // as signed numbers
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
      isEarly = true; // if not, the library refuses it
      return LIBRARY_WINDOW_BYTES;
    }
    mayTellSize = contentSizeBytes > 0;
    if (mayTellSize) {
      contentSize = contentSize(payload, contentSizeAt, contentSizeBytes);
    }
    long bytes = single ? contentSize : window(payload.get(windowAt) & 0xFF);
    hasSmallBlocks = !single && bytes < MAX_BLOCK_BYTES;
    return bytes;
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

  /** Returns where the piece of input ends in which the frame starts. */
  private long border() {
    return (start / KAFKA_INPUT_BYTES + 1L) * KAFKA_INPUT_BYTES;
  }

  /**
   * Walks the blocks of the frame whose header was read last. How much a compressed block holds the
   * library verifies in streams only, in one call just that all of it fits: so a frame that names a
   * window below the largest block is left to a stream, and one of several compressed blocks whose
   * sum may be above the largest.
   *
   * @param payload the stored bytes
   * @param most where to stop counting
   * @return the bytes of room in which the frame may be decoded in one call, if it ends exactly
   *     where the payload does and that is not above {@code most}, else {@link #UNKNOWN}
   */
  public long roomForOneCall(Payload payload, int most) {
    boolean isWorthIt = !hasSmallBlocks && payload.length() - most <= HEADERS_BYTES;
    if (!isWorthIt || walk(payload, payload.length(), most) != payload.length()) {
      return UNKNOWN;
    }
    long room = contentSize == UNKNOWN ? bound : Math.min(bound, contentSize);
    return compressedBlocks <= 1 || room <= MAX_BLOCK_BYTES ? room : UNKNOWN;
  }

  /**
   * Looks once more at the frame whose header was read last, now that it has been decoded.
   *
   * @param payload the stored bytes
   * @param endsAt position behind the frame
   * @param plainBytes how many came out of it
   */
  public void look(Payload payload, int endsAt, long plainBytes) {
    boolean isRegular = blocksAt < payload.length();
    int found = walk(payload, endsAt, Long.MAX_VALUE);
    end = endsAt;
    held = plainBytes;
    isOfOtherBlocks = isRegular && (found != endsAt || hasFrameInHeader(payload));
    isRefusedAtOnce = hasEmptyCompressedBlock || (contentSize != UNKNOWN && contentSize != held);
  }

  /** Of a header across two pieces of input the library may take the second for the frame. */
  private boolean hasFrameInHeader(Payload payload) {
    long at = border();
    if (at >= blocksAt || payload.length() - at < Integer.BYTES) {
      return false;
    }
    int magic = payload.getIntLittleEndian((int) at);
    return (magic >= FIRST_EARLY_MAGIC && magic <= MAGIC) || (magic & ~0xF) == SKIPPABLE_MAGIC;
  }

  /**
   * {@return true if one reader may accept the frame and another not, or read something else: it is
   * of an early form, says another size than it has, has a compressed block without a byte, a block
   * that is larger than the window, or perhaps a match that reaches behind the window; or the
   * library took bytes within its header for another frame} To be asked behind {@link #look}.
   *
   * <p>Of such a match who decodes the frame at once has the bytes, and who streams it others, or
   * none, by what an earlier frame that it streamed has left of a buffer; headers tell only whether
   * there is room for one. That is no fault of what Kafka's readers all stream with nothing before
   * it, a first frame that is not small: large batches are written so.
   */
  public boolean dependsOnReader() {
    boolean mayReachBehind = compressedBlocks > 0 && Math.max(contentSize, held) > window;
    boolean mayBeReadAtOnce = contentSize != UNKNOWN && contentSize <= KAFKA_READ_BYTES;
    return isEarly
        || isOfOtherBlocks
        || isRefusedAtOnce
        || hasBlockAboveWindow
        || (mayReachBehind && (start > 0 || mayBeReadAtOnce));
  }

  /**
   * Tells what Kafka's reader refuses where the library decodes at once, and then minds a wrong
   * size and a compressed block without a byte: if a frame says how much it holds, there is room
   * for that, and all of it lies in one piece of the input. To be asked behind {@link #look}.
   *
   * @param room how many bytes Kafka's reader had room for when the frame started
   * @return true if Kafka refuses the frame
   */
  public boolean isRefusedByKafka(long room) {
    return isDecodedAtOnce(room, end) && isRefusedAtOnce;
  }

  /**
   * Tells whether the library decodes the frame whose header was read last at once for Kafka's
   * reader, and streams it for one with less room: then what is left behind differs.
   *
   * @param payload the stored bytes
   * @param less how many bytes there is room for
   * @param room how many Kafka's reader has room for
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
   * {@return true if the frame whose header was read last does not say how much it holds, and no
   * other frame follows it}
   *
   * @param payload the stored bytes
   */
  public boolean isAloneWithoutSize(Payload payload) {
    if (mayTellSize) {
      return false;
    }
    int found = walk(payload, payload.length(), Long.MAX_VALUE);
    return found == NOWHERE || found >= payload.length();
  }

  /**
   * Returns where the frame ends, or {@link #NOWHERE} if its blocks are wrong, go on behind a
   * position, or may hold more than so many plain bytes; what they are is in the fields then.
   */
  private int walk(Payload payload, int to, long most) {
    bound = 0;
    compressedBlocks = 0;
    hasEmptyCompressedBlock = false;
    hasBlockAboveWindow = false;
    int at = blocksAt;
    while (to - at >= BLOCK_HEADER_BYTES && bound <= most) {
      int header = payload.getUint24LittleEndian(at);
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
        return bound <= most ? at + (hasChecksum ? Integer.BYTES : 0) : NOWHERE;
      }
    }
    return NOWHERE;
  }
}
