// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.inflate;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The bits of a deflate stream, the lowest bit of each byte first.
 *
 * <p>Bytes are loaded word by word into {@code hold}. The lowest {@code bits} bits count as loaded.
 * Each bit above them is 0 or equal to the stream's bit.
 *
 * <p>Loops that read many codes keep this state in locals and hand it back with {@link #resume}.
 */
final class BitInput {
  static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Minimum number of loaded bits after a word was loaded: all but one byte of the word. */
  static final int WORD_BITS = Long.SIZE - Byte.SIZE;

  private static final byte[] NOTHING = {};

  private byte[] array = NOTHING;
  private int origin;
  private int end;
  private int at;
  private long hold;
  private int bits;

  /** Sets the input. Bytes outside of the range are not read. */
  void open(byte[] source, int offset, int length) {
    array = source;
    origin = offset;
    end = offset + length;
  }

  /** Continues at a position of the input, without loaded bits. */
  void start(int position) {
    resume(origin + position, 0, 0);
  }

  void release() {
    array = NOTHING;
  }

  /** {@return the position in the input of the first byte without a consumed bit} */
  int position() {
    return at - bits / Byte.SIZE - origin;
  }

  /** Loads input until there are at least {@link #WORD_BITS} bits, or the input ends. */
  void fill() {
    if (at <= end - Long.BYTES) {
      hold |= (long) WORD.get(array, at) << bits;
      at += bytesAdded(bits);
      bits |= WORD_BITS;
    } else {
      while (bits < WORD_BITS && at < end) {
        hold |= (array[at++] & 0xFFL) << bits;
        bits += Byte.SIZE;
      }
    }
  }

  /** {@return the bytes of a word that become loaded} Only the lowest six bits count. */
  static int bytesAdded(int bits) {
    return Long.BYTES - 1 - (bits >> 3 & 7);
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

  /** Drops the rest of the current byte and gives the whole bytes after it back to the input. */
  void dropBits() {
    resume(at - bits / Byte.SIZE, 0, 0);
  }

  /** {@return false if fewer bytes are left} No bits may be loaded. */
  boolean copyBytes(byte[] target, int to, int count) {
    if (count > end - at) {
      return false;
    }
    System.arraycopy(array, at, target, to, count);
    at += count;
    return true;
  }

  /** {@return the array of the input} */
  byte[] array() {
    return array;
  }

  /** {@return the index in the array of the next byte to load} */
  int at() {
    return at;
  }

  /** {@return the index in the array after the last byte} */
  int end() {
    return end;
  }

  /** Sets the index of the next byte to load, the next bits and the number of loaded ones. */
  void resume(int next, long word, int loaded) {
    at = next;
    hold = word;
    bits = loaded;
  }
}
