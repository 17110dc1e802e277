// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testing;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The kinds of buffers that a host may hand over, all holding the same bytes. */
public enum BufferKind {
  /** A whole array, from index 0 to the end. */
  HEAP,
  /** A slice of a larger array: the array offset is not 0. */
  SLICED,
  /** A window between position and limit of a larger array. */
  POSITIONED,
  /** Outside of the heap, between position and limit, little endian. */
  DIRECT,
  /** The array is there but may not be asked for. */
  READ_ONLY;

  /** The number of bytes before the batch, and after it, that do not belong to it. */
  private static final int GUARD_BYTES = 16;

  /**
   * Returns a buffer of this kind whose remaining bytes are those given; what lies around them, if
   * anything does, is {@code guard}.
   */
  public ByteBuffer holding(byte[] bytes, byte guard) {
    return switch (this) {
      case HEAP -> ByteBuffer.wrap(bytes.clone());
      case SLICED -> guarded(ByteBuffer.allocate(guardedSize(bytes)), bytes, guard).slice();
      case POSITIONED -> guarded(ByteBuffer.allocate(guardedSize(bytes)), bytes, guard);
      case DIRECT ->
          guarded(ByteBuffer.allocateDirect(guardedSize(bytes)), bytes, guard)
              .order(ByteOrder.LITTLE_ENDIAN);
      case READ_ONLY ->
          guarded(ByteBuffer.allocate(guardedSize(bytes)), bytes, guard).asReadOnlyBuffer();
    };
  }

  private static int guardedSize(byte[] bytes) {
    return bytes.length + 2 * GUARD_BYTES;
  }

  private static ByteBuffer guarded(ByteBuffer buffer, byte[] bytes, byte guard) {
    for (int i = 0; i < GUARD_BYTES; i++) {
      buffer.put(i, guard).put(buffer.capacity() - 1 - i, guard);
    }
    return buffer
        .put(GUARD_BYTES, bytes)
        .position(GUARD_BYTES)
        .limit(GUARD_BYTES + bytes.length)
        .mark();
  }
}
