// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * The direct buffers of closed decoders and encoders, kept for the next ones.
 *
 * <p>Java frees a direct buffer only when the collector finds it. Code that hardly allocates seldom
 * starts a collection, so buffers that were dropped would pile up until direct memory runs out. At
 * most {@value #MOST_IDLE} buffers of each size are kept; there are six sizes, 16 to 257 KiB.
 *
 * <p>Safe for all threads. Called when a codec is created or closed, never per batch.
 */
public final class DirectBuffers {
  private static final int MOST_IDLE = 16;

  private static final ByteBuffer CLOSED = ByteBuffer.allocateDirect(0);

  private static final Map<Integer, Deque<ByteBuffer>> IDLE = new HashMap<>();

  private DirectBuffers() {}

  /**
   * Returns a direct buffer for exclusive use. Its content is undefined.
   *
   * @param bytes its capacity
   * @return a buffer between position 0 and its capacity, big-endian
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
   * Takes a buffer back, which its owner must not use any more.
   *
   * @param buffer a result of {@link #take} or of this method
   * @return a buffer without capacity, to put in the place of the other one
   */
  public static ByteBuffer give(ByteBuffer buffer) {
    if (buffer.capacity() > 0) {
      synchronized (IDLE) {
        Deque<ByteBuffer> idle = IDLE.get(buffer.capacity());
        if (idle == null) {
          idle = new ArrayDeque<>(MOST_IDLE);
          IDLE.put(buffer.capacity(), idle);
        }
        if (idle.size() < MOST_IDLE) {
          idle.push(buffer.clear());
        }
      }
    }
    return CLOSED;
  }
}
