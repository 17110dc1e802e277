// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.inflate;

import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * A reader of deflate streams (RFC 1951) in Java. If it reads a stream to the end, zlib reads the
 * same bytes. Any other stream is {@link #REFUSED}, without a reason.
 *
 * <p>Plain bytes are in a sliding array, after the 32 KiB that precede them. If a match exceeds the
 * requested bytes, the next read returns the rest first.
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

  /** Maximum number of literals in a round of the loop. A match may follow the first two. */
  private static final int MAX_LITERALS = 3;

  private static final VarHandle WORD = BitInput.WORD;
  private static final int WORD_BITS = BitInput.WORD_BITS;

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

  private final BitInput in = new BitInput();

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
    in.open(array, offset, length);
  }

  /** Starts a stream at a position of the input. */
  public void start(int position) {
    in.start(position);
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
      default ->
          readCodes(limit - MAX_LITERALS, codes.literals().entries(), codes.distances().entries())
              && (filled >= limit || readCode());
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
    return in.position();
  }

  public void release() {
    in.release();
  }

  /** {@return the heap bytes held besides the array} */
  public int tableBytes() {
    return own.heapBytes() + codeLengths.heapBytes();
  }

  // ---- blocks

  private boolean startBlock() {
    if (last) {
      block = AFTER_LAST_BLOCK;
      in.dropBits();
      return true;
    }
    in.fill();
    if (in.bits() < 3) {
      return false;
    }
    last = in.take(1) == 1;
    block = in.take(2);
    return switch (block) {
      case STORED -> startStored();
      case FIXED -> use(DeflateCodes.FIXED);
      case DYNAMIC -> use(own) && codeLengths.read(in, own);
      default -> false;
    };
  }

  private boolean use(DeflateCodes which) {
    codes = which;
    return true;
  }

  private boolean startStored() {
    in.dropBits();
    in.fill();
    if (in.bits() < 2 * Short.SIZE) {
      return false;
    }
    storedLeft = in.take(Short.SIZE);
    int complement = in.take(Short.SIZE);
    in.dropBits();
    return (storedLeft ^ complement) == 0xFFFF;
  }

  private boolean copyStored(int limit) {
    int bytes = Math.min(storedLeft, limit - filled);
    if (!in.copyBytes(out, filled, bytes)) {
      return false;
    }
    filled += bytes;
    storedLeft -= bytes;
    if (storedLeft == 0) {
      block = BETWEEN_BLOCKS;
    }
    return true;
  }

  // ---- literals and matches

  /**
   * Reads codes while there are whole words of input and room for a round's literals. Stops before
   * the end of the block and before an invalid code. {@link #readCode} handles the rest.
   *
   * <p>Each round consumes three literals, or at most two and a match. The next entry is looked up
   * before more input is loaded and before a match is copied, so that nothing waits for the lookup.
   *
   * <p>A word that was just loaded has 64 bits of the stream. A match consumes at most 48 of them,
   * and three literals at most 35, because only the first may come from a link. The rest suffices
   * for the next lookup.
   *
   * <p>The bits of {@code there} above the lowest six are meaningless. Shifts ignore them.
   */
  private boolean readCodes(int lastRound, int[] literals, int[] distances) {
    in.fill();
    byte[] input = in.array();
    int lastWords = in.end() - 2 * Long.BYTES;
    int next = in.at();
    int there = in.bits();
    long word = in.peek();
    int to = filled;
    int entry = literals[(int) word & LITERAL_MASK];
    while (to <= lastRound && next <= lastWords) {
      word |= (long) WORD.get(input, next) << there;
      next += BitInput.bytesAdded(there);
      there |= WORD_BITS;
      if (entry < 0) {
        word >>>= entry;
        there -= entry;
        out[to++] = (byte) (entry >> HuffmanTable.VALUE_SHIFT);
        entry = literals[(int) word & LITERAL_MASK];
        if (entry < 0) {
          word >>>= entry;
          there -= entry;
          out[to++] = (byte) (entry >> HuffmanTable.VALUE_SHIFT);
          entry = literals[(int) word & LITERAL_MASK];
          if (entry < 0) {
            word >>>= entry;
            there -= entry;
            out[to++] = (byte) (entry >> HuffmanTable.VALUE_SHIFT);
            entry = literals[(int) word & LITERAL_MASK];
            continue;
          }
        }
        word |= (long) WORD.get(input, next) << there;
        next += BitInput.bytesAdded(there);
        there |= WORD_BITS;
      }
      if ((entry & HuffmanTable.SPECIAL) != 0) {
        if ((entry & HuffmanTable.LINK) == 0) {
          break;
        }
        entry = HuffmanTable.follow(literals, entry, word >>> DeflateCodes.LITERAL_ROOT_BITS);
        continue;
      }
      int length = HuffmanTable.value(entry, word);
      word >>>= entry;
      there -= entry;
      entry = distances[(int) word & DISTANCE_MASK];
      entry = HuffmanTable.resolve(distances, entry, word >>> DeflateCodes.DISTANCE_ROOT_BITS);
      int distance = HuffmanTable.value(entry, word);
      word >>>= entry;
      there -= entry;
      if ((entry & HuffmanTable.SPECIAL) != 0 || distance > to) {
        return false;
      }
      entry = literals[(int) word & LITERAL_MASK];
      to = copyMatch(out, to, distance, length);
    }
    in.resume(next, word, there & (Long.SIZE - 1));
    filled = to;
    return true;
  }

  /**
   * Copies whole words, and thus may write beyond the end of the match. Few matches are longer than
   * the first four words.
   *
   * @return the index after the match
   */
  private static int copyMatch(byte[] output, int to, int distance, int length) {
    int source = to - distance;
    if (distance < Long.BYTES) {
      repeat(output, to, distance, length);
      return to + length;
    }
    WORD.set(output, to, (long) WORD.get(output, source));
    WORD.set(output, to + Long.BYTES, (long) WORD.get(output, source + Long.BYTES));
    WORD.set(output, to + 2 * Long.BYTES, (long) WORD.get(output, source + 2 * Long.BYTES));
    WORD.set(output, to + 3 * Long.BYTES, (long) WORD.get(output, source + 3 * Long.BYTES));
    for (int done = 4 * Long.BYTES; done < length; done += Long.BYTES) {
      WORD.set(output, to + done, (long) WORD.get(output, source + done));
    }
    return to + length;
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
    in.fill();
    int entry = codes.literals().find(in.peek());
    int drop = entry & HuffmanTable.DROP;
    if (drop > in.bits()) {
      return false;
    }
    long from = in.peek();
    in.take(drop);
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
    int entry = codes.distances().find(in.peek());
    int drop = entry & HuffmanTable.DROP;
    int distance = HuffmanTable.value(entry, in.peek());
    if (drop > in.bits() || (entry & HuffmanTable.SPECIAL) != 0 || distance > filled) {
      return false;
    }
    in.take(drop);
    filled = copyMatch(out, filled, distance, length);
    return true;
  }
}
