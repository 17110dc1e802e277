// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.scan;

import io.github.batchvalidator.codec.ByteWindow;

/**
 * How the current record of a {@link SkipKeyValueIterator} is written: what Kafka's reader of
 * compressed batches does not look at, and what no reader of Kafka's does. Known behind {@link
 * SkipKeyValueIterator#nextStrict}, and of no use otherwise.
 *
 * <p>Never allocates. Confined to one thread.
 */
public final class RecordForm {
  /** No header has a key that is not UTF-8. */
  public static final int NONE = -1;

  private static final int NULL_LENGTH = -1;

  private boolean watching;
  private boolean regular;
  private boolean shortest;
  private long bodyBytes;
  private int leastLength;
  private int malformedHeader;

  RecordForm() {}

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

  /** Ends the record that {@link #begin} started. */
  void end(ByteWindow window, long bytes, int length) {
    watching = false;
    length(length);
    shortest = window.isShortest();
    bodyBytes = bytes;
  }

  /** {@return how many bytes a number needs that has at most three} Without a division. */
  static int shortestSize(int number) {
    int raw = (number << 1) ^ (number >> (Integer.SIZE - 1));
    return 1 + ((0x7F - raw) >>> (Integer.SIZE - 1)) + ((0x3FFF - raw) >>> (Integer.SIZE - 1));
  }

  /**
   * {@return true if headers with lengths of one or two bytes, which are known to lie in the array,
   * are written as Kafka writes them}
   *
   * @param bytes holds them
   * @param from index of the first length
   * @param count how many
   */
  static boolean areRegular(byte[] bytes, int from, int count) {
    int at = from;
    for (int i = 0; i < count; i++) {
      int length = shortestLength(bytes, at);
      int key = at + length;
      int size = sizeAt(bytes, at, length);
      at = key + size;
      if (length == NONE || !Utf8.isWellFormed(bytes, key, at)) {
        return false;
      }
      length = shortestLength(bytes, at);
      size = sizeAt(bytes, at, length);
      if (length == NONE || size < NULL_LENGTH) {
        return false;
      }
      at += length + Math.max(size, 0);
    }
    return true;
  }

  /** Returns how many bytes a short number has, or NONE if it has one too many. */
  private static int shortestLength(byte[] bytes, int at) {
    if (bytes[at] >= 0) {
      return 1;
    }
    return bytes[at + 1] == 0 ? NONE : Short.BYTES;
  }

  private static int sizeAt(byte[] bytes, int at, int length) {
    return length == 1
        ? ByteWindow.shortVarint(bytes[at], 1)
        : ByteWindow.shortVarint((bytes[at] & 0xFF) | bytes[at + 1] << Byte.SIZE, 2);
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
