// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.walk;

import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.format.BatchIterator;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.BigEndian;
import io.github.batchvalidator.rule.Reason;
import java.io.IOException;

/**
 * A reader of the first bytes of batches, through a window that is cheap to move forward.
 *
 * <p>Confined to one thread at a time.
 */
final class PrefixReader {
  private static final int WINDOW_BYTES = 1 << 12;

  /**
   * The number of bytes from the start of a batch of magic 2 to the end of its last offset delta.
   */
  private static final int OFFSET_FIELDS_BYTES =
      BatchLayout.LAST_OFFSET_DELTA_OFFSET + Integer.BYTES;

  private final Segment segment;
  private final SegmentWindow window = new SegmentWindow(WINDOW_BYTES, WINDOW_BYTES);
  private final BatchIterator batches = new BatchIterator();

  PrefixReader(Segment segment) {
    this.segment = segment;
  }

  /** Forgets what was read, because the file may have changed. */
  void clear() {
    window.clear();
  }

  SegmentStart start() {
    return new SegmentStart(segment, window);
  }

  /** Returns the size in bytes that the batch at a position declares, or 0 if it is invalid. */
  long declaredBytes(long position) throws IOException {
    load(position, BatchLayout.PREFIX_BYTES);
    int index = window.indexOf(position);
    batches.wrap(window.buffer(), index, window.limit());
    if (batches.next()) {
      return batches.sizeInBytes();
    }
    boolean whole = batches.left() >= BatchLayout.PREFIX_BYTES;
    return whole && batches.failure() == Reason.FRAMING_INCOMPLETE ? batches.operand() : 0;
  }

  /**
   * Returns why the last {@link #declaredBytes} is 0 or exceeds the rest of the segment.
   *
   * @param left the number of bytes in the rest of the segment
   */
  String whyInvalid(long left) {
    Reason failure = batches.failure();
    return failure == null
        ? "no batch starts where the length field points"
        : failure.describe(batches.operand(), left);
  }

  /** Returns the base offset, or the last offset if it is greater. */
  long lastOffset(long position, long bytes) throws IOException {
    load(position, OFFSET_FIELDS_BYTES);
    int index = window.indexOf(position);
    long offset = BatchLayout.baseOffsetAt(window.buffer(), index);
    long delta = 0;
    if (BatchLayout.magicAt(window.buffer(), index) == BatchLayout.MAGIC_V2
        && bytes >= BatchLayout.HEADER_BYTES) {
      delta = BigEndian.getInt(window.buffer(), index + BatchLayout.LAST_OFFSET_DELTA_OFFSET);
    }
    return Math.max(offset, offset + delta);
  }

  long baseOffset(long position) throws IOException {
    load(position, Long.BYTES);
    return BatchLayout.baseOffsetAt(window.buffer(), window.indexOf(position));
  }

  int length(long position) throws IOException {
    load(position, BatchLayout.PREFIX_BYTES);
    return BatchLayout.lengthAt(window.buffer(), window.indexOf(position));
  }

  byte magic(long position) throws IOException {
    load(position, BatchLayout.PREFIX_BYTES);
    return BatchLayout.magicAt(window.buffer(), window.indexOf(position));
  }

  /**
   * Returns true if the segment ends at a position, or a likely header of a batch that fits the
   * segment is there. Bytes of records and of shifted headers often look like the prefix of a
   * batch, above all like one of magic 0.
   *
   * @param magic the magic of the batch before the position
   */
  boolean isEndOrHeader(byte magic, long position) throws IOException {
    long left = segment.size() - position;
    if (left < BatchLayout.PREFIX_BYTES) {
      return left == 0;
    }
    long bytes = declaredBytes(position);
    if (bytes == 0 || bytes > left) {
      return false;
    }
    if (magic(position) != BatchLayout.MAGIC_V2) {
      return magic != BatchLayout.MAGIC_V2; // brokers do not go back to an older magic
    }
    return bytes >= BatchLayout.HEADER_BYTES && mayBeHeader(position);
  }

  /** Returns true for a header that cannot be read, too: the next step runs into the error. */
  private boolean mayBeHeader(long position) {
    try {
      load(position, BatchLayout.HEADER_BYTES);
    } catch (IOException e) {
      return true;
    }
    return SegmentStart.mayBeHeader(window.buffer(), window.indexOf(position));
  }

  private void load(long position, int bytes) throws IOException {
    int need = (int) Math.min(bytes, segment.size() - position);
    window.load(segment, position, need, segment.size());
  }
}
