// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.fuzz;

import io.github.batchvalidator.testing.BufferKind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** A buffer of some kind, of which nothing may be changed. */
final class Untouched {
  private final ByteBuffer buffer;
  private final int position;
  private final int limit;
  private final ByteOrder order;
  private final byte[] before;

  Untouched(BufferKind kind, byte[] bytes, byte guard) {
    buffer = kind.holding(bytes, guard);
    position = buffer.position();
    limit = buffer.limit();
    order = buffer.order();
    before = everything();
  }

  ByteBuffer buffer() {
    return buffer;
  }

  private byte[] everything() {
    byte[] all = new byte[buffer.capacity()];
    buffer.duplicate().clear().get(all);
    return all;
  }

  void require() {
    Fuzzing.require(
        buffer.position() == position
            && buffer.limit() == limit
            && buffer.order() == order
            && Arrays.equals(before, everything()),
        "the buffer was touched");
  }
}
