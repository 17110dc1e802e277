// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.walk;

import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.BigEndian;
import io.github.batchvalidator.format.LegacyLayout;
import io.github.batchvalidator.rule.Codec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/** The first bytes of a file, which show whether the file may be a segment. */
final class SegmentStart {
  /** Partitions do not live long enough for offsets of more bits. */
  private static final int OFFSET_BITS = 48;

  private static final int ZERO_BYTES_OF_OFFSET = Long.BYTES - OFFSET_BITS / Byte.SIZE;
  private static final int SHOWN_BYTES = 8;
  private static final int TEXT_BYTES = 32;

  private final Segment segment;
  private final SegmentWindow window;

  /**
   * Creates a view of the first bytes of a segment.
   *
   * @param segment an open segment that is not empty
   * @param window a window of the segment, of at least 64 bytes
   */
  SegmentStart(Segment segment, SegmentWindow window) {
    this.segment = segment;
    this.window = window;
  }

  /** Returns true for zeros, and for what may be the start of a batch that is damaged or torn. */
  boolean isPlausible() throws IOException {
    int bytes = load(0, BatchLayout.HEADER_BYTES);
    int start = window.indexOf(0);
    ByteBuffer buffer = window.buffer();
    if (isZero(start, Math.min(bytes, BatchLayout.PREFIX_BYTES))) {
      return true;
    }
    if (!isZero(start, Math.min(bytes, ZERO_BYTES_OF_OFFSET))) {
      return false;
    }
    if (bytes < BatchLayout.LOG_OVERHEAD) {
      return true;
    }
    int length = BatchLayout.lengthAt(buffer, start);
    if (bytes < BatchLayout.PREFIX_BYTES) {
      return length >= BatchLayout.MIN_LENGTH;
    }
    byte magic = BatchLayout.magicAt(buffer, start);
    if (magic == BatchLayout.MAGIC_V2) {
      return length >= BatchLayout.HEADER_BYTES - BatchLayout.LOG_OVERHEAD
          && (bytes < BatchLayout.HEADER_BYTES || mayBeHeader(buffer, start));
    }
    return magic >= 0
        && magic < BatchLayout.MAGIC_V2
        && length >= BatchLayout.MIN_LENGTH
        && (isZero(start + BatchLayout.MAGIC_OFFSET, bytes - BatchLayout.MAGIC_OFFSET)
            || isMessage(magic, (long) BatchLayout.LOG_OVERHEAD + length));
  }

  /** Returns true if Kafka's clients and brokers may write these attributes and counts. */
  static boolean mayBeHeader(ByteBuffer buffer, int start) {
    int attributes = buffer.getShort(start + BatchLayout.ATTRIBUTES_OFFSET);
    int lastOffsetDelta = buffer.getInt(start + BatchLayout.LAST_OFFSET_DELTA_OFFSET);
    int records = buffer.getInt(start + BatchLayout.RECORD_COUNT_OFFSET);
    return (attributes & ~BatchLayout.KNOWN_ATTRIBUTES_MASK) == 0
        && Codec.byId(attributes & BatchLayout.CODEC_MASK) != null
        && records >= 0
        && records - 1 <= lastOffsetDelta;
  }

  /** Returns true if key and value fill a message of magic 0 or 1, as far as the file goes. */
  private boolean isMessage(byte magic, long size) throws IOException {
    long keyAt = (long) LegacyLayout.keySizeOffset(magic) + Integer.BYTES;
    long valueAt = valueAt(keyAt, size);
    if (valueAt < 0 || valueAt > segment.size()) {
      return valueAt >= 0;
    }
    return valueAt + Math.max(0, intBefore(valueAt)) == size;
  }

  /** Returns the position of the value, or -1 if it would be after the message. */
  private long valueAt(long keyAt, long size) throws IOException {
    if (keyAt > segment.size()) {
      return keyAt;
    }
    long at = keyAt + Math.max(0, intBefore(keyAt)) + Integer.BYTES;
    return at <= size ? at : -1;
  }

  private int intBefore(long end) throws IOException {
    load(end - Integer.BYTES, Integer.BYTES);
    return BigEndian.getInt(window.buffer(), window.indexOf(end - Integer.BYTES));
  }

  private boolean isZero(int from, int bytes) {
    for (int i = from; i < from + bytes; i++) {
      if (window.buffer().get(i) != 0) {
        return false;
      }
    }
    return true;
  }

  private int load(long position, int bytes) throws IOException {
    int need = (int) Math.min(bytes, segment.size() - position);
    window.load(segment, position, need, segment.size());
    return need;
  }

  /** Returns what the file may be instead of a segment. */
  String describe() throws IOException {
    int bytes = load(0, TEXT_BYTES);
    int start = window.indexOf(0);
    byte[] first = new byte[bytes];
    window.buffer().get(start, first);
    String hex = HexFormat.of().formatHex(first);
    if (hex.startsWith("1f8b")) {
      return "the file starts like gzip data";
    }
    if (hex.startsWith("28b52ffd")) {
      return "the file starts like a zstd frame";
    }
    if (hex.startsWith("504b0304")) {
      return "the file starts like a zip archive";
    }
    if (isText(first)) {
      return "the file starts like text";
    }
    int shown = Math.min(bytes, SHOWN_BYTES);
    return "the file starts with the bytes "
        + HexFormat.ofDelimiter(" ").formatHex(first, 0, shown);
  }

  private static boolean isText(byte[] bytes) {
    for (byte each : bytes) {
      boolean isSpace = each == '\n' || each == '\r' || each == '\t';
      if (!isSpace && (each < ' ' || each > '~')) {
        return false;
      }
    }
    return true;
  }
}
