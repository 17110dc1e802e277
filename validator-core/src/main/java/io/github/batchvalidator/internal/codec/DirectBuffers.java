// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * A pool of the direct buffers of closed decoders and encoders.
 *
 * <p>Java frees a direct buffer only after a garbage collection. Code that hardly allocates rarely
 * starts one, so dropped buffers would pile up until direct memory runs out. The pool keeps at most
 * {@value #MAX_IDLE} buffers of each of seven sizes, 16 to 260 KiB.
 *
 * <p>Thread-safe. Called when a codec is created or closed, never per batch.
 */
public final class DirectBuffers {
  private static final int MAX_IDLE = 16;

  private static final ByteBuffer CLOSED = ByteBuffer.allocateDirect(0);

  private static final Map<Integer, Deque<ByteBuffer>> IDLE = new HashMap<>();

  private DirectBuffers() {}

  /**
   * Returns a direct buffer for exclusive use. Its content is undefined.
   *
   * @param bytes the capacity
   * @return a big-endian buffer with position 0 and its limit at the capacity
   * @throws OutOfMemoryError if there is no direct memory left
   */
  public static ByteBuffer take(int bytes) {
    synchronized (IDLE) {
      Deque<ByteBuffer> idle = IDLE.get(bytes);
      ByteBuffer kept = idle == null ? null : idle.poll();
      if (kept != null) {
        return kept;
      }
    }
    return ByteBuffer.allocateDirect(bytes);
  }

  /**
   * Gives a buffer back to the pool. Its owner must not use it any more.
   *
   * @param buffer a result of {@link #take} or of this method
   * @return a buffer without capacity, to replace the reference to {@code buffer}
   */
  public static ByteBuffer give(ByteBuffer buffer) {
    if (buffer.capacity() > 0) {
      synchronized (IDLE) {
        Deque<ByteBuffer> idle = IDLE.get(buffer.capacity());
        if (idle == null) {
          idle = new ArrayDeque<>(MAX_IDLE);
          IDLE.put(buffer.capacity(), idle);
        }
        if (idle.size() < MAX_IDLE) {
          idle.push(buffer.clear());
        }
      }
    }
    return CLOSED;
  }
}
