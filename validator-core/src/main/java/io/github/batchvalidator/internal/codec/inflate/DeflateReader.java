// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.inflate;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Reads a deflate stream (RFC 1951) in Java. What it reads to the end zlib reads too, to the same
 * bytes; anything else is {@link #REFUSED}, without saying why.
 *
 * <p>Plain bytes lie behind the last 32 KiB before them, in an array that slides. What a match
 * brings beyond the bytes that were asked for is handed out first the next time. Input is taken by
 * words into {@code hold}: its lowest {@code bits} bits are counted as there, and those above are
 * either 0 or what the stream has there. Never allocates, never throws. Confined to one thread.
 */
public final class DeflateReader {
  /** Returned by {@link #read}: the stream is not one to be read here. */
  public static final int REFUSED = -1;

  /** How far back a match may reach. */
  public static final int HISTORY_BYTES = 32 * 1024;

  public static final int MAX_MATCH_BYTES = 258;

  /** A match may start at the last byte that was asked for, and is copied by words. */
  private static final int SLACK_BYTES = MAX_MATCH_BYTES + 2 * Long.BYTES;

  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final byte[] NOTHING = {};

  /** Bits that are there whenever a word could be taken: all but those of a byte. */
  private static final int WORD_BITS = Long.SIZE - Byte.SIZE;

  private static final int LITERAL_MASK = (1 << DeflateCodes.LITERAL_ROOT_BITS) - 1;
  private static final int DISTANCE_MASK = (1 << DeflateCodes.DISTANCE_ROOT_BITS) - 1;

  // The types of blocks as the stream has them, of which 3 is none, and the states between them.
  private static final int STORED = 0;
  private static final int FIXED = 1;
  private static final int DYNAMIC = 2;
  private static final int BETWEEN_BLOCKS = 3;
  private static final int BEHIND_THE_LAST = 4;

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
   * @param windowBytes the most bytes to ask for at a time
   */
  public DeflateReader(int windowBytes) {
    // Small windows have room for several, so that the array does not slide for each.
    out = new byte[HISTORY_BYTES + Math.max(windowBytes, HISTORY_BYTES) + SLACK_BYTES];
  }

  /** Takes the input, of which no byte before or behind is read. */
  public void open(byte[] array, int offset, int length) {
    in = array;
    origin = offset;
    end = offset + length;
  }

  /** Starts the stream at a position of the input. */
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
   * Reads on.
   *
   * @param most how many bytes, at least 1
   * @return how many lie in {@link #array()} from {@link #from()} on: as many as asked for, or
   *     fewer at the end of the stream; or {@link #REFUSED}
   */
  public int read(int most) {
    from += handedOut;
    if (from + most + SLACK_BYTES > out.length) {
      slide();
    }
    int limit = from + most;
    while (filled < limit && block != BEHIND_THE_LAST) {
      if (!readOn(limit)) {
        return REFUSED;
      }
    }
    handedOut = Math.min(filled - from, most);
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

  /** {@return true if all bytes were handed out: the end is looked for only when they run short} */
  public boolean ended() {
    return block == BEHIND_THE_LAST;
  }

  /** {@return the position in the input of the next byte of which no bit was used} */
  public int position() {
    return at - bits / Byte.SIZE - origin;
  }

  public void release() {
    in = NOTHING;
  }

  /** {@return the heap bytes held beside the array} */
  public int tableBytes() {
    return DeflateCodes.heapBytes() + CodeLengths.HEAP_BYTES;
  }

  // ---- blocks

  private boolean startBlock() {
    if (last) {
      block = BEHIND_THE_LAST;
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

  /** Drops what is left of the byte under way, and gives back the whole bytes behind it. */
  private void dropBits() {
    at -= bits / Byte.SIZE;
    bits = 0;
    hold = 0;
  }

  // ---- bits

  /** Takes input until there are at least {@link #WORD_BITS}, or no more input. */
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

  /** {@return how many bits are there} */
  int bits() {
    return bits;
  }

  /** {@return the next bits without taking them: as many as are there, then nothing to rely on} */
  long peek() {
    return hold;
  }

  /** Takes bits that are there: at most 31. */
  int take(int count) {
    int value = (int) hold & (1 << count) - 1;
    hold >>>= count;
    bits -= count;
    return value;
  }

  // ---- literals and matches

  /**
   * Reads codes while input and output have room for words. It stops before the end of the block
   * and before what is no code, which are left to {@link #readCode}.
   *
   * <p>Each round takes a literal or a match. The entry of the next one is looked up before more
   * bits are taken and the bytes of a match are copied, so that nothing waits for it; where a match
   * took most of the bits, those above the counted ones suffice.
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

  /** Copies by words, beyond the end of the match where it does not end with one. */
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

  /** A match that begins to repeat itself within a word. */
  private static void repeat(byte[] output, int to, int distance, int length) {
    if (distance == 1) {
      Arrays.fill(output, to, to + length, output[to - 1]);
      return;
    }
    for (int i = to; i < to + length; i++) {
      output[i] = output[i - distance];
    }
  }

  /** Reads one literal or match, or the end of the block, with as many bits as there are. */
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
