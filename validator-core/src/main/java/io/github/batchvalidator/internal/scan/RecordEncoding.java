// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.scan;

import io.github.batchvalidator.format.RecordLayout;
import io.github.batchvalidator.format.ShortVarint;
import io.github.batchvalidator.internal.codec.ByteWindow;

/**
 * The encoding of the current record of a {@link SkipKeyValueIterator}, valid after {@link
 * SkipKeyValueIterator#nextStrict}. Kafka's reader of compressed batches checks none of it, and its
 * other readers check only the length.
 *
 * <p>Never allocates. Confined to one thread.
 */
public final class RecordEncoding {
  /** Sentinel: every header key is UTF-8. */
  public static final int NONE = -1;

  /**
   * The largest distance between the timestamp of a {@linkplain #isRegular regular} record and the
   * base timestamp, in milliseconds. Records with larger deltas are not regular.
   */
  public static final long MOST_REGULAR_DELTA = 1 << ((Byte.SIZE - 1) * ShortVarint.MAX_BYTES - 1);

  private static final long EVERY_HIGH_BIT = 0x8080_8080_8080_8080L;

  private boolean watching;
  private boolean regular;
  private boolean shortest;
  private boolean shortestFields; // of the numbers before the headers
  private boolean headersRegular;
  private long bodyBytes;
  private int leastLength;
  private int malformedHeader;

  RecordEncoding() {}

  // ---- for the iterator

  /** Marks the record as {@linkplain #isRegular regular}. */
  void regular() {
    regular = true;
  }

  /** Starts a record that is read number by number. */
  void begin(ByteWindow window) {
    watching = true;
    regular = false;
    leastLength = RecordLayout.NULL_LENGTH;
    malformedHeader = NONE;
    shortestFields = true;
    window.isShortest(true);
  }

  /** Starts the headers of the record. */
  void headers(ByteWindow window) {
    shortestFields = window.isShortest();
    window.isShortest(true);
  }

  /** {@return true between {@link #begin} and {@link #end}} */
  boolean isWatching() {
    return watching;
  }

  /** Notes the length of a header value, negative for null. */
  void length(int size) {
    leastLength = Math.min(leastLength, size);
  }

  /**
   * Skips the key of a header. If {@link #begin} started the record, checks that the key is UTF-8.
   */
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
    key(header, state == Utf8.WELL_FORMED);
  }

  /** Notes whether the key of a header is UTF-8. */
  void key(int header, boolean wellFormed) {
    if (!wellFormed && malformedHeader == NONE) {
      malformedHeader = header;
    }
  }

  /** Forgets a record that {@link #begin} started and an error interrupted. */
  void ignore() {
    watching = false;
  }

  /** Ends the record that {@link #begin} started. */
  void end(ByteWindow window, long bytes, int length) {
    watching = false;
    boolean shortestHeaders = window.isShortest();
    headersRegular =
        shortestHeaders && leastLength == RecordLayout.NULL_LENGTH && malformedHeader == NONE;
    length(length);
    shortest = shortestFields && shortestHeaders;
    bodyBytes = bytes;
  }

  /**
   * {@return true if a record has no attributes and its next two numbers are in the shortest form}
   *
   * <p>A number is too long if its last byte is zero and follows a byte with the high bit set.
   * Subtracting 1 from each byte after a high bit gives such a zero a high bit, by the borrow. The
   * same borrow may give the byte above a high bit; no other byte gets one.
   *
   * @param head attributes in the lowest byte, then the two numbers
   * @param bytes the length of the two numbers in bytes, 2 to 6
   */
  static boolean isRegularHead(long head, int bytes) {
    long less = head - ((head & EVERY_HIGH_BIT) << 1);
    long overlong = less & ~head & EVERY_HIGH_BIT;
    // Bytes above the two numbers do not count. They rarely look too long, so the shift is rare.
    return (byte) head == 0
        && (overlong == 0 || overlong << (Long.SIZE - (bytes + 1) * Byte.SIZE) == 0);
  }

  /**
   * {@return true if a number of one or two bytes is in the shortest form}
   *
   * @param word contains the number, and zeros above the two bytes
   */
  static boolean isShortest(int word) {
    return word >>> (Byte.SIZE - 1) != 1;
  }

  /**
   * {@return true if the key of a header is UTF-8}
   *
   * @param bytes contains the key
   * @param from index of the key's length field, which has one or two bytes
   * @param to index after the key
   */
  static boolean isRegularKey(byte[] bytes, int from, int to) {
    return Utf8.isWellFormed(bytes, from + (bytes[from] < 0 ? Short.BYTES : 1), to);
  }

  // ---- for the rules

  /**
   * {@return true if lengths, numbers, attributes and header keys are written as Kafka writes them}
   * The other accessors are valid only if this returns false.
   */
  public boolean isRegular() {
    return regular;
  }

  /** {@return true if the headers are written as Kafka writes them} */
  boolean hasRegularHeaders() {
    return regular || headersRegular;
  }

  /** {@return true if every number is in the shortest form} */
  public boolean isShortest() {
    return shortest;
  }

  /** {@return the size of all fields after the length field, in bytes} */
  public long bodyBytes() {
    return bodyBytes;
  }

  /** {@return the smallest length of key, value and header values, at most -1, which means null} */
  public int leastLength() {
    return leastLength;
  }

  /** {@return the index of the first header whose key is not UTF-8, or {@link #NONE}} */
  public int malformedHeader() {
    return malformedHeader;
  }
}
