// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.batchvalidator.testing.streams.Bytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A payload in a buffer of some kind, between guard bytes. The buffer's position, limit, mark and
 * order must not change.
 */
final class Placement {
  /** Kinds of buffers that a host may hand in. */
  enum Kind {
    HEAP,
    HEAP_AT_OFFSET,
    HEAP_LITTLE_ENDIAN,
    HEAP_READ_ONLY,
    DIRECT,
    DIRECT_LITTLE_ENDIAN,
    DIRECT_READ_ONLY
  }

  private static final int FRONT = 13;
  private static final int BEHIND = 19;
  private static final int GUARD = 0x5C;
  private static final int POSITION = 5;
  private static final int MARK = 3;

  private final ByteBuffer buffer;
  private final ByteOrder order;
  private final int limit;
  private final byte[] before;
  private final int payloadBytes;

  private Placement(ByteBuffer buffer, int payloadBytes) {
    this.buffer = buffer;
    this.payloadBytes = payloadBytes;
    order = buffer.order();
    limit = FRONT + payloadBytes;
    buffer.limit(limit).position(MARK).mark().position(POSITION);
    before = content();
  }

  static Placement of(Kind kind, byte[] stored) {
    return of(kind, stored, stored.length);
  }

  /** Places the first {@code length} bytes of a stream; the rest follows the payload. */
  static Placement of(Kind kind, byte[] stored, int length) {
    byte[] all = Bytes.concat(Bytes.filled(FRONT, GUARD), stored, Bytes.filled(BEHIND, GUARD));
    return new Placement(buffer(kind, all), length);
  }

  private static ByteBuffer buffer(Kind kind, byte[] all) {
    ByteBuffer direct = ByteBuffer.allocateDirect(all.length).put(0, all);
    return switch (kind) {
      case HEAP -> ByteBuffer.wrap(all);
      case HEAP_AT_OFFSET -> ByteBuffer.wrap(Bytes.concat(new byte[7], all), 7, all.length).slice();
      case HEAP_LITTLE_ENDIAN -> ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN);
      case HEAP_READ_ONLY -> ByteBuffer.wrap(all).asReadOnlyBuffer();
      case DIRECT -> direct;
      case DIRECT_LITTLE_ENDIAN -> direct.order(ByteOrder.LITTLE_ENDIAN);
      case DIRECT_READ_ONLY -> direct.asReadOnlyBuffer();
    };
  }

  /** Points a payload at the placed bytes. */
  Payload wrap(Payload payload) {
    return payload.wrap(buffer, FRONT, payloadBytes);
  }

  private byte[] content() {
    byte[] bytes = new byte[buffer.capacity()];
    buffer.duplicate().clear().get(bytes);
    return bytes;
  }

  /** Fails if anything about the buffer or around the payload is not as it was. */
  void assertUntouched() {
    assertEquals(POSITION, buffer.position(), "position");
    assertEquals(limit, buffer.limit(), "limit");
    assertEquals(order, buffer.order(), "order");
    assertEquals(MARK, buffer.reset().position(), "mark");
    buffer.position(POSITION);
    assertArrayEquals(before, content(), "content");
  }
}
