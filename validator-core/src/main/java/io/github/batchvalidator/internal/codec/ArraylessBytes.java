// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import io.github.batchvalidator.format.BigEndian;
import java.nio.ByteBuffer;

/**
 * A range of plain bytes in a direct or read-only buffer, which has no array that a {@link
 * ByteWindow} can read. The bytes are copied to the window piece by piece. A reader that needs only
 * a few bytes can peek at them in place.
 *
 * <p>Readers skip large values. After a skipped value, pieces start at 256 bytes and grow fourfold
 * up to the maximum.
 *
 * <p>Reused for every batch. Allocates only through the given scratch. Confined to one thread.
 */
public final class ArraylessBytes {
  /** The empty instance of decoders that decode into arrays. */
  public static final ArraylessBytes NONE = new ArraylessBytes(0, new Scratch(0));

  /** Size of the first piece, while the size of the records is unknown. */
  private static final int FIRST_BYTES = 256;

  /** Minimum number of bytes to skip. Copying fewer is as cheap as starting another piece. */
  private static final int MIN_PASS_BYTES = 2 * 1024;

  /** Per instance, not static: a reference within one heap region needs no GC write barrier. */
  private final ByteBuffer nothing = ByteBuffer.allocate(0);

  private final int maxCopyBytes;
  private final Scratch copy;

  private ByteBuffer buffer = nothing;
  private int next;
  private int end;
  private int copyBytes;

  /**
   * Creates an empty instance.
   *
   * @param maxCopyBytes the size of the largest piece
   * @param copy the scratch for the pieces
   */
  public ArraylessBytes(int maxCopyBytes, Scratch copy) {
    this.maxCopyBytes = maxCopyBytes;
    this.copy = copy;
    copyBytes = Math.min(FIRST_BYTES, maxCopyBytes);
  }

  /** Drops the bytes and resets the size of the pieces. */
  public void clear() {
    if (end > 0) { // writing a reference costs more than this check
      buffer = nothing;
      next = 0;
      end = 0;
    }
    copyBytes = Math.min(FIRST_BYTES, maxCopyBytes);
  }

  /**
   * Sets the next bytes, if there are any. No earlier bytes may be left.
   *
   * @param holder the buffer with the bytes; its position is neither used nor changed
   * @param from index of the first byte
   * @param bytes the number of bytes; all are within the buffer's limit
   */
  public void put(ByteBuffer holder, int from, int bytes) {
    if (bytes > 0) {
      buffer = holder;
      next = from;
      end = from + bytes;
    }
  }

  /** Exposes a copy of the next piece. At least one byte must be left. Always returns true. */
  public boolean expose(ByteWindow window) {
    byte[] target = copy.atLeast(maxCopyBytes);
    int bytes = Math.min(left(), copyBytes);
    buffer.get(next, target, 0, bytes);
    next += bytes;
    copyBytes = Math.min(maxCopyBytes, 4 * copyBytes);
    return window.expose(target, 0, bytes);
  }

  /**
   * Skips bytes if this is cheaper than copying them.
   *
   * @param max the number of bytes that the reader does not need
   * @return the number of skipped bytes
   */
  public int pass(int max) {
    return max < MIN_PASS_BYTES || left() == 0 ? 0 : skip(Math.min(max, left()));
  }

  /** Skips bytes, all of which must be left, and returns their number. */
  public int skip(int bytes) {
    next += bytes;
    if (bytes >= MIN_PASS_BYTES) {
      copyBytes = Math.min(FIRST_BYTES, maxCopyBytes);
    }
    return bytes;
  }

  /** {@return the number of bytes neither copied nor skipped yet} */
  public int left() {
    return end - next;
  }

  /**
   * Reads eight bytes as {@link ByteWindow#peek} does. All eight must exist.
   *
   * @param ahead distance from the first byte that is {@linkplain #left() left}; negative for bytes
   *     that were copied to the window but not read
   * @return the word, whose lowest byte is the first
   */
  public long peek(int ahead) {
    return Long.reverseBytes(BigEndian.getLong(buffer, next + ahead));
  }
}
