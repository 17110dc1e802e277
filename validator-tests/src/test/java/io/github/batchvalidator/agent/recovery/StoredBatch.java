// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.recovery;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/** A batch as it is stored in a segment, written without Kafka's classes. */
final class StoredBatch {
  static final int HEADER_BYTES = 61;

  private static final int BODY = 21;
  private static final int MARKER_BYTES = 24;

  long baseOffset;
  int lastOffsetDelta;
  int leaderEpoch = -1;
  int attributes;
  long timestamp = -1;
  long producerId = -1;
  short producerEpoch = -1;
  int sequence = -1;
  int records = 1;
  byte[] payload = {};

  long lastOffset() {
    return baseOffset + lastOffsetDelta;
  }

  /** Makes this batch the end of a transaction. */
  void marker(int type, int coordinatorEpoch) {
    attributes |= 0x30;
    sequence = -1;
    ByteBuffer record = ByteBuffer.allocate(MARKER_BYTES);
    record.put((byte) ((MARKER_BYTES - 8) << 1)).put((byte) 0).put((byte) 0).put((byte) 0);
    record.put((byte) (4 << 1)).putShort((short) 0).putShort((short) type);
    record.put((byte) (6 << 1)).putShort((short) 0).putInt(coordinatorEpoch).put((byte) 0);
    payload = new byte[record.position()];
    record.flip().get(payload);
    payload[0] = (byte) ((payload.length - 1) << 1);
  }

  /** Returns the bytes of magic 2. */
  byte[] bytes() {
    ByteBuffer out = ByteBuffer.allocate(HEADER_BYTES + payload.length);
    out.putLong(baseOffset).putInt(out.capacity() - 12).putInt(leaderEpoch).put((byte) 2).putInt(0);
    out.putShort((short) attributes).putInt(lastOffsetDelta).putLong(timestamp).putLong(timestamp);
    out.putLong(producerId).putShort(producerEpoch).putInt(sequence).putInt(records).put(payload);
    CRC32C crc = new CRC32C();
    crc.update(out.array(), BODY, out.capacity() - BODY);
    out.putInt(17, (int) crc.getValue());
    return out.array();
  }

  /** Returns the bytes of a message of magic 0 or 1. */
  byte[] legacyBytes(int magic) {
    int head = magic == 0 ? 18 : 26;
    ByteBuffer out = ByteBuffer.allocate(head + 8 + payload.length);
    out.putLong(lastOffset()).putInt(out.capacity() - 12).putInt(0).put((byte) magic).put((byte) 0);
    if (magic == 1) {
      out.putLong(timestamp);
    }
    out.putInt(-1).putInt(payload.length).put(payload);
    CRC32 crc = new CRC32();
    crc.update(out.array(), 16, out.capacity() - 16);
    out.putInt(12, (int) crc.getValue());
    return out.array();
  }
}
