// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.scan;

import io.github.batchvalidator.internal.codec.ByteWindow;

/**
 * A cursor over the headers of a record that was read and is completely in an array.
 *
 * <p>Reused for every record. Never allocates. Confined to one thread.
 */
public final class HeaderCursor {
  private final ByteWindow bytes = new ByteWindow();
  private int left;
  private int keyPosition;
  private int keySize;
  private int valuePosition;
  private int valueSize;

  /** Creates a cursor without headers. */
  public HeaderCursor() {}

  /**
   * Starts before the first header.
   *
   * @param array contains the headers; kept until {@link #clear}
   * @param from index of the first header
   * @param end index after the last header
   * @param count the number of headers
   */
  public void open(byte[] array, int from, int end, int count) {
    bytes.wrap(array, from, end - from);
    left = count;
  }

  /** Drops the array. */
  public void clear() {
    bytes.clear();
    left = 0;
  }

  /** {@return true if there is a next header, which is then the current one} */
  public boolean next() {
    if (left <= 0) {
      return false;
    }
    left--;
    keySize = bytes.readVarint();
    keyPosition = bytes.position();
    bytes.skip(keySize);
    valueSize = bytes.readVarint();
    valuePosition = bytes.position();
    bytes.skip(valueSize);
    return true;
  }

  /** {@return the index of the first byte of the key} */
  public int keyPosition() {
    return keyPosition;
  }

  /** {@return the size of the key in bytes} */
  public int keySize() {
    return keySize;
  }

  /** {@return the index of the first byte of the value} */
  public int valuePosition() {
    return valuePosition;
  }

  /** {@return the size of the value in bytes, negative for null} */
  public int valueSize() {
    return valueSize;
  }
}
