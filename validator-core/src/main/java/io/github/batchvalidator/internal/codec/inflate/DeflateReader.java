// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.inflate;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A reader of deflate streams (RFC 1951) in Java. If it reads a stream to the end, zlib reads the
 * same bytes. Any other stream is {@link #REFUSED}, without a reason.
 *
 * <p>Plain bytes are in a sliding array, after the 32 KiB that precede them. If a match exceeds the
 * requested bytes, the next read returns the rest first.
 *
 * <p>Input is loaded word by word into {@code hold}. The lowest {@code bits} bits count as loaded.
 * Each bit above them is 0 or equal to the stream's bit.
 *
 * <p>Never allocates, never throws. Confined to one thread.
 */
public final class DeflateReader {
  /** Returned by {@link #read}: the stream is invalid or left to another inflater. */
  public static final int REFUSED = -1;

  /** Maximum distance of a match. */
  public static final int HISTORY_BYTES = 32 * 1024;

  public static final int MAX_MATCH_BYTES = 258;

  /**
   * Space after the requested bytes. A match may start at the last of them and is copied word by
   * word.
   */
  private static final int SLACK_BYTES = MAX_MATCH_BYTES + 2 * Long.BYTES;

  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final byte[] NOTHING = {};

  /** Minimum number of loaded bits after a word was loaded: all but one byte of the word. */
  private static final int WORD_BITS = Long.SIZE - Byte.SIZE;

  private static final int LITERAL_MASK = (1 << DeflateCodes.LITERAL_ROOT_BITS) - 1;
  private static final int DISTANCE_MASK = (1 << DeflateCodes.DISTANCE_ROOT_BITS) - 1;

  // The block types in the stream, where 3 is invalid, and the states between blocks.
  private static final int STORED = 0;
  private static final int FIXED = 1;
  private static final int DYNAMIC = 2;
  private static final int BETWEEN_BLOCKS = 3;
  private static final int AFTER_LAST_BLOCK = 4;

  private final byte[] out;
  private final CodeLengths codeLengths = new CodeLengths();
  private final DeflateCodes own = new DeflateCodes();
  private DeflateCodes codes = own;

  private byte[] in = NOTHING;
  private int origin;
  private int end;
  private int at;
  private long hold;
  private int bits;

  private int from;
  private int handedOut;
  private int filled;

  private int block;
  private boolean last;
  private int storedLeft;

  /**
   * Creates a reader.
   *
   * @param windowBytes the maximum number of bytes to ask for at a time
   */
  public DeflateReader(int windowBytes) {
    // Room for several small windows, so that the array does not slide for each.
    out = new byte[HISTORY_BYTES + Math.max(windowBytes, HISTORY_BYTES) + SLACK_BYTES];
  }

  /** Sets the input. Bytes outside of the range are not read. */
  public void open(byte[] array, int offset, int length) {
    in = array;
    origin = offset;
    end = offset + length;
  }

  /** Starts a stream at a position of the input. */
  public void start(int position) {
    at = origin + position;
    hold = 0;
    bits = 0;
    from = 0;
    handedOut = 0;
    filled = 0;
    block = BETWEEN_BLOCKS;
    last = false;
  }

  /**
   * Reads the next plain bytes.
   *
   * @param max the maximum number of bytes, at least 1
   * @return the number of bytes in {@link #array()} from {@link #from()} on, less than {@code max}
   *     only at the end of the stream; or {@link #REFUSED}
   */
  public int read(int max) {
    from += handedOut;
    if (from + max + SLACK_BYTES > out.length) {
      slide();
    }
    int limit = from + max;
    while (filled < limit && block != AFTER_LAST_BLOCK) {
      if (!readOn(limit)) {
        return REFUSED;
      }
    }
    handedOut = Math.min(filled - from, max);
    return handedOut;
  }

  private void slide() {
    int history = Math.min(from, HISTORY_BYTES);
    int kept = filled - from + history;
    System.arraycopy(out, from - history, out, 0, kept);
    from = history;
    filled = kept;
  }

  private boolean readOn(int limit) {
    return switch (block) {
      case BETWEEN_BLOCKS -> startBlock();
      case STORED -> copyStored(limit);
      default -> readCodes(limit) && (filled >= limit || readCode());
    };
  }

  public byte[] array() {
    return out;
  }

  public int from() {
    return from;
  }

  /**
   * {@return true if all bytes were handed out} The end is detected only by a read that runs short.
   */
  public boolean ended() {
    return block == AFTER_LAST_BLOCK;
  }

  /** {@return the position in the input of the first byte without a consumed bit} */
  public int position() {
    return at - bits / Byte.SIZE - origin;
  }

  public void release() {
    in = NOTHING;
  }

  /** {@return the heap bytes held besides the array} */
  public int tableBytes() {
    return DeflateCodes.heapBytes() + CodeLengths.HEAP_BYTES;
  }

  // ---- blocks

  private boolean startBlock() {
    if (last) {
      block = AFTER_LAST_BLOCK;
      dropBits();
      return true;
    }
    fill();
    if (bits < 3) {
      return false;
    }
    last = take(1) == 1;
    block = take(2);
    return switch (block) {
      case STORED -> startStored();
      case FIXED -> use(DeflateCodes.FIXED);
      case DYNAMIC -> use(own) && codeLengths.read(this, own);
      default -> false;
    };
  }

  private boolean use(DeflateCodes which) {
    codes = which;
    return true;
  }

  private boolean startStored() {
    dropBits();
    if (end - at < 2 * Short.BYTES) {
      return false;
    }
    fill();
    storedLeft = take(Short.SIZE);
    int complement = take(Short.SIZE);
    dropBits();
    return (storedLeft ^ complement) == 0xFFFF;
  }

  private boolean copyStored(int limit) {
    int bytes = Math.min(storedLeft, limit - filled);
    if (bytes > end - at) {
      return false;
    }
    System.arraycopy(in, at, out, filled, bytes);
    at += bytes;
    filled += bytes;
    storedLeft -= bytes;
    if (storedLeft == 0) {
      block = BETWEEN_BLOCKS;
    }
    return true;
  }

  /** Drops the rest of the current byte and gives the whole bytes after it back to the input. */
  private void dropBits() {
    at -= bits / Byte.SIZE;
    bits = 0;
    hold = 0;
  }

  // ---- bits

  /** Loads input until there are at least {@link #WORD_BITS} bits, or the input ends. */
  void fill() {
    if (at <= end - Long.BYTES) {
      hold |= (long) WORD.get(in, at) << bits;
      at += (Long.SIZE - 1 - bits) / Byte.SIZE;
      bits |= WORD_BITS;
    } else {
      while (bits < WORD_BITS && at < end) {
        hold |= (in[at++] & 0xFFL) << bits;
        bits += Byte.SIZE;
      }
    }
  }

  /** {@return the number of loaded bits} */
  int bits() {
    return bits;
  }

  /** {@return the next bits without consuming them} Only the loaded ones are reliable. */
  long peek() {
    return hold;
  }

  /** Consumes at most 31 loaded bits. */
  int take(int count) {
    int value = (int) hold & (1 << count) - 1;
    hold >>>= count;
    bits -= count;
    return value;
  }

  // ---- literals and matches

  /**
   * Reads codes while input and output have room for whole words. Stops before the end of the block
   * and before an invalid code, which {@link #readCode} handles.
   *
   * <p>Each round consumes a literal or a match. The next entry is looked up before more input is
   * loaded and before a match is copied, so that nothing waits for the lookup. If a match consumed
   * most of the loaded bits, the stream's bits above them suffice.
   */
  private boolean readCodes(int limit) {
    fill();
    byte[] input = in;
    byte[] output = out;
    int[] literals = codes.literals().entries();
    int[] distances = codes.distances().entries();
    int lastWords = end - 2 * Long.BYTES;
    int next = at;
    int to = filled;
    int there = bits;
    long word = hold;
    int entry = literals[(int) word & LITERAL_MASK];
    while (to < limit && next <= lastWords) {
      word |= (long) WORD.get(input, next) << there;
      next += (Long.SIZE - 1 - there) >> 3;
      there |= WORD_BITS;
      if (entry < 0) {
        word >>>= entry;
        there -= entry & HuffmanTable.DROP;
        output[to++] = (byte) (entry >> HuffmanTable.VALUE_SHIFT);
        entry = literals[(int) word & LITERAL_MASK];
        continue;
      }
      if ((entry & HuffmanTable.SPECIAL) != 0) {
        if ((entry & HuffmanTable.LINK) == 0) {
          break;
        }
        entry = HuffmanTable.follow(literals, entry, word >>> DeflateCodes.LITERAL_ROOT_BITS);
        if ((entry & (HuffmanTable.LITERAL | HuffmanTable.SPECIAL)) != 0) {
          continue;
        }
      }
      int length = HuffmanTable.value(entry, word);
      word >>>= entry;
      there -= entry & HuffmanTable.DROP;
      entry = distances[(int) word & DISTANCE_MASK];
      if ((entry & HuffmanTable.LINK) != 0) {
        entry = HuffmanTable.follow(distances, entry, word >>> DeflateCodes.DISTANCE_ROOT_BITS);
      }
      int distance = HuffmanTable.value(entry, word);
      word >>>= entry;
      there -= entry & HuffmanTable.DROP;
      if ((entry & HuffmanTable.SPECIAL) != 0 || distance > to) {
        return false;
      }
      entry = literals[(int) word & LITERAL_MASK];
      copyMatch(output, to, distance, length);
      to += length;
    }
    at = next;
    filled = to;
    bits = there;
    hold = word;
    return true;
  }

  /** Copies whole words, and thus may write beyond the end of the match. */
  private static void copyMatch(byte[] output, int to, int distance, int length) {
    int source = to - distance;
    if (distance < Long.BYTES) {
      repeat(output, to, distance, length);
      return;
    }
    WORD.set(output, to, (long) WORD.get(output, source));
    WORD.set(output, to + Long.BYTES, (long) WORD.get(output, source + Long.BYTES));
    for (int done = 2 * Long.BYTES; done < length; done += Long.BYTES) {
      WORD.set(output, to + done, (long) WORD.get(output, source + done));
    }
  }

  /** Copies a match that repeats itself within a word. */
  private static void repeat(byte[] output, int to, int distance, int length) {
    if (distance == 1) {
      Arrays.fill(output, to, to + length, output[to - 1]);
      return;
    }
    for (int i = to; i < to + length; i++) {
      output[i] = output[i - distance];
    }
  }

  /** Reads one literal or match, or the end of the block, from the loaded bits. */
  private boolean readCode() {
    fill();
    int entry = codes.literals().find(hold);
    int drop = entry & HuffmanTable.DROP;
    if (drop > bits) {
      return false;
    }
    long from = hold;
    take(drop);
    if (entry < 0) {
      out[filled++] = (byte) (entry >> HuffmanTable.VALUE_SHIFT);
      return true;
    }
    if ((entry & HuffmanTable.SPECIAL) != 0) {
      block = BETWEEN_BLOCKS;
      return (entry & HuffmanTable.END) != 0;
    }
    return readDistance(HuffmanTable.value(entry, from));
  }

  private boolean readDistance(int length) {
    int entry = codes.distances().find(hold);
    int drop = entry & HuffmanTable.DROP;
    int distance = HuffmanTable.value(entry, hold);
    if (drop > bits || (entry & HuffmanTable.SPECIAL) != 0 || distance > filled) {
      return false;
    }
    take(drop);
    copyMatch(out, filled, distance, length);
    filled += length;
    return true;
  }
}
