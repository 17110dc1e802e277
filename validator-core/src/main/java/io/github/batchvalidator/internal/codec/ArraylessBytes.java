// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import io.github.batchvalidator.internal.format.BigEndian;
import java.nio.ByteBuffer;

/**
 * Plain bytes that a decoder has, but no array that a {@link ByteWindow} could read: a direct
 * buffer, or one that is read-only. They are copied to the window piece by piece; a reader that
 * needs only a few of them looks at those where they lie.
 *
 * <p>Of large values only the ends are looked at: behind one that was passed pieces are small, and
 * they grow until the next. Re-used for every batch. Never allocates but through the scratch that
 * it is given. Confined to one thread.
 */
public final class ArraylessBytes {
  /** Of decoders that decode into arrays. */
  public static final ArraylessBytes NONE = new ArraylessBytes(0, new Scratch(0));

  /** What is copied before it is known how large the records are. */
  private static final int FIRST_BYTES = 256;

  /** Of less than this a copy costs no more than another piece. */
  private static final int WORTH_PASSING_BYTES = 2 * 1024;

  /** Its own: a reference within a region of the heap costs the collector no barrier. */
  private final ByteBuffer nothing = ByteBuffer.allocate(0);

  private final int mostCopyBytes;
  private final Scratch copy;

  private ByteBuffer buffer = nothing;
  private int next;
  private int end;
  private int copyBytes;

  /**
   * Creates none.
   *
   * @param mostCopyBytes the largest piece
   * @param copy takes the pieces
   */
  public ArraylessBytes(int mostCopyBytes, Scratch copy) {
    this.mostCopyBytes = mostCopyBytes;
    this.copy = copy;
    copyBytes = Math.min(FIRST_BYTES, mostCopyBytes);
  }

  /** Forgets the bytes and how large pieces have become. */
  public void clear() {
    if (end > 0) { // a reference costs more to write than to look whether there is one
      buffer = nothing;
      next = 0;
      end = 0;
    }
    copyBytes = Math.min(FIRST_BYTES, mostCopyBytes);
  }

  /**
   * Takes the next bytes, if there are any; none were left.
   *
   * @param holder of the bytes; its position is neither used nor changed
   * @param from index of the first one
   * @param bytes how many; all within the buffer's limit
   */
  public void put(ByteBuffer holder, int from, int bytes) {
    if (bytes > 0) {
      buffer = holder;
      next = from;
      end = from + bytes;
    }
  }

  /** Exposes a copy of the next piece, of which at least one byte is left; always true. */
  public boolean expose(ByteWindow window) {
    byte[] target = copy.atLeast(mostCopyBytes);
    int bytes = Math.min(left(), copyBytes);
    buffer.get(next, target, 0, bytes);
    next += bytes;
    copyBytes = Math.min(mostCopyBytes, 4 * copyBytes);
    return window.expose(target, 0, bytes);
  }

  /**
   * Moves past bytes if that is cheaper than to copy them.
   *
   * @param most how many nobody is going to look at
   * @return how many were passed
   */
  public int pass(int most) {
    return most < WORTH_PASSING_BYTES || left() == 0 ? 0 : skip(Math.min(most, left()));
  }

  /** Moves past bytes that are all there. */
  public int skip(int bytes) {
    next += bytes;
    if (bytes >= WORTH_PASSING_BYTES) {
      copyBytes = Math.min(FIRST_BYTES, mostCopyBytes);
    }
    return bytes;
  }

  /** {@return how many bytes were not copied or passed yet} */
  public int left() {
    return end - next;
  }

  /**
   * Reads eight bytes as {@link ByteWindow#peek} does.
   *
   * @param ahead where the first one lies, from the first that is left; negative if it was copied
   *     to the window and not read yet. None lies behind those that are {@linkplain #left() left}
   * @return the word, whose lowest byte is the first
   */
  public long peek(int ahead) {
    return Long.reverseBytes(BigEndian.getLong(buffer, next + ahead));
  }
}
