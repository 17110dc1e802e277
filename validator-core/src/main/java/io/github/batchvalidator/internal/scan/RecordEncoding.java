// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.scan;

import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.format.ShortVarint;

/**
 * How the current record of a {@link SkipKeyValueIterator} is written: what Kafka's reader of
 * compressed batches does not look at, and what no reader of Kafka's does. Known behind {@link
 * SkipKeyValueIterator#nextStrict}, and of no use otherwise.
 *
 * <p>Never allocates. Confined to one thread.
 */
public final class RecordEncoding {
  /** No header has a key that is not UTF-8. */
  public static final int NONE = -1;

  /**
   * How far the timestamp of a {@linkplain #isRegular regular} record may lie from its batch's base
   * timestamp, in milliseconds: records with larger deltas are told in detail.
   */
  public static final long MOST_REGULAR_DELTA = 1 << ((Byte.SIZE - 1) * ShortVarint.MAX_BYTES - 1);

  private static final int NULL_LENGTH = -1;
  private static final long EVERY_HIGH_BIT = 0x8080_8080_8080_8080L;

  private boolean watching;
  private boolean regular;
  private boolean shortest;
  private long bodyBytes;
  private int leastLength;
  private int malformedHeader;

  RecordEncoding() {}

  // ---- for the iterator

  /** Says that the record is written as Kafka writes it. */
  void regular() {
    regular = true;
  }

  /** Starts on a record that is read number by number. */
  void begin(ByteWindow window) {
    watching = true;
    regular = false;
    leastLength = NULL_LENGTH;
    malformedHeader = NONE;
    window.isShortest(true);
  }

  /** Notes the length of a value of a header, negative for null. */
  void length(int size) {
    leastLength = Math.min(leastLength, size);
  }

  /** Moves past the key of a header and, if the form counts, looks at its bytes. */
  void skipKey(ByteWindow window, int header, int size) {
    if (!watching) {
      window.skip(size);
      return;
    }
    int state = Utf8.WELL_FORMED;
    int rest = size;
    while (rest > 0 && window.refill()) {
      int step = Math.min(rest, window.available());
      int at = window.position();
      state = Utf8.advance(state, window.array(), at, at + step);
      window.position(at + step);
      rest -= step;
    }
    window.skip(rest);
    if (state != Utf8.WELL_FORMED && malformedHeader == NONE) {
      malformedHeader = header;
    }
  }

  /** Forgets a record that {@link #begin} started and an error left unread. */
  void ignore() {
    watching = false;
  }

  /** Ends the record that {@link #begin} started. */
  void end(ByteWindow window, long bytes, int length) {
    watching = false;
    length(length);
    shortest = window.isShortest();
    bodyBytes = bytes;
  }

  /**
   * {@return true if a record has no attributes and the two numbers behind them are written in
   * their shortest form} One that is not ends with a byte of zero behind one that has its high bit
   * set. If one is taken off every byte behind a high bit, such a zero gets a high bit by the
   * borrow; a byte above it may get one by the same borrow, and no other byte does.
   *
   * @param head attributes, at the low end, and the two numbers
   * @param bytes how many the two numbers take, 2 to 6
   */
  static boolean isRegularHead(long head, int bytes) {
    long less = head - ((head & EVERY_HIGH_BIT) << 1);
    long overlong = less & ~head & EVERY_HIGH_BIT;
    // What lies behind the two numbers is not theirs, but seldom looks as if it were.
    return (byte) head == 0
        && (overlong == 0 || overlong << (Long.SIZE - (bytes + 1) * Byte.SIZE) == 0);
  }

  /**
   * {@return true if a number of one or two bytes is written in its shortest form}
   *
   * @param word holds it, and nothing above the two bytes
   */
  static boolean isShortest(int word) {
    return word >>> (Byte.SIZE - 1) != 1;
  }

  /**
   * {@return true if the key of a header is UTF-8}
   *
   * @param bytes holds it
   * @param from index of its length, which has one or two bytes
   * @param to index behind it
   */
  static boolean isRegularKey(byte[] bytes, int from, int to) {
    return Utf8.isWellFormed(bytes, from + (bytes[from] < 0 ? Short.BYTES : 1), to);
  }

  // ---- for the rules

  /**
   * {@return true if the record is written as Kafka writes it, lengths, numbers, attributes and
   * keys of headers} The rest is known only if not.
   */
  public boolean isRegular() {
    return regular;
  }

  /** {@return true if every number is written in its shortest form} */
  public boolean isShortest() {
    return shortest;
  }

  /** {@return how many bytes the fields take behind the length field} */
  public long bodyBytes() {
    return bodyBytes;
  }

  /** {@return the least length of key, value and values of headers, at most -1, which is null} */
  public int leastLength() {
    return leastLength;
  }

  /** {@return the index of the first header whose key is not UTF-8, or {@link #NONE}} */
  public int malformedHeader() {
    return malformedHeader;
  }
}
