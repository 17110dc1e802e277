// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.format;

import io.github.batchvalidator.internal.fault.Fault;
import io.github.batchvalidator.rule.Reason;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * An iterator over the batches of a buffer, of any magic. It follows the length fields (Kafka's
 * {@code ByteBufferLogInputStream}) and reads only the first 17 bytes of each batch.
 *
 * <p>Reused for every buffer. Leaves the buffer's position, limit, mark and order unchanged. Never
 * allocates, never throws. Confined to one thread.
 */
public final class BatchIterator {
  private static final byte LARGEST_MAGIC = 2;
  private static final int NOT_FRAMED = -1;

  /** Not shared: a reference within one heap region costs the collector no barrier. */
  private final ByteBuffer nothing = ByteBuffer.allocate(0);

  private ByteBuffer buffer = nothing;
  private int next;
  private int end;
  private int first;

  /** The index after the last complete batch, once {@link #frame()} has found it. */
  private int framedEnd;

  private boolean alone;

  private int start;
  private int sizeInBytes;
  private byte magic;
  private final Fault fault = new Fault();

  /** Creates an iterator without batches; {@link #wrap} sets the buffer. */
  public BatchIterator() {}

  /**
   * Starts at the first batch of a buffer.
   *
   * @param source any buffer
   * @param from index of the first byte of the first batch
   * @param to index after the last byte, within the buffer's limit
   * @return this iterator
   */
  public BatchIterator wrap(ByteBuffer source, int from, int to) {
    buffer = source;
    first = from;
    next = from;
    end = to;
    framedEnd = NOT_FRAMED;
    alone = false;
    start = from;
    sizeInBytes = 0;
    fault.clear();
    return this;
  }

  /**
   * Checks all length fields up to the end, then rewinds. Later walks after a {@link #rewind()} do
   * not repeat the checks. The fault at the end, if any, is known from now on.
   *
   * @return this iterator, rewound
   */
  public BatchIterator frame() {
    rewind();
    int count = 0;
    while (next()) {
      count++;
    }
    framedEnd = start;
    alone = count == 1 && !fault.isSet();
    return rewind();
  }

  /**
   * Moves to before the first batch.
   *
   * @return this iterator
   */
  public BatchIterator rewind() {
    next = first;
    start = first;
    sizeInBytes = 0;
    if (framedEnd == NOT_FRAMED) {
      fault.clear();
    }
    return this;
  }

  /** {@return true if {@link #frame()} has found one batch and nothing else} */
  public boolean isAlone() {
    return alone;
  }

  /** {@return the buffer of the walk} */
  public ByteBuffer buffer() {
    return buffer;
  }

  /** Releases the buffer. */
  public void clear() {
    wrap(nothing, 0, 0);
  }

  /**
   * Moves to the next batch if the buffer contains all of it.
   *
   * @return false at the end and after a fault; only a fault sets {@link #failure()}
   */
  public boolean next() {
    start = next;
    sizeInBytes = 0;
    if (framedEnd != NOT_FRAMED) {
      return start < framedEnd && step(framedEnd - start);
    }
    if (fault.isSet() || start == end) {
      return false;
    }
    int left = end - start;
    if (left < BatchLayout.LOG_OVERHEAD) {
      return fail(Reason.FRAMING_INCOMPLETE, BatchLayout.PREFIX_BYTES);
    }
    int length = BatchLayout.lengthAt(buffer, start);
    if (length < BatchLayout.MIN_LENGTH) {
      return fail(Reason.FRAMING_LENGTH_TOO_SMALL, length);
    }
    if (left < BatchLayout.PREFIX_BYTES) {
      return fail(Reason.FRAMING_INCOMPLETE, BatchLayout.PREFIX_BYTES);
    }
    magic = BatchLayout.magicAt(buffer, start);
    if (magic < 0 || magic > LARGEST_MAGIC) {
      return fail(Reason.FRAMING_MAGIC_UNKNOWN, magic);
    }
    if (length > BatchLayout.MAX_LENGTH) {
      return fail(Reason.FRAMING_LENGTH_OVERFLOW, length);
    }
    int size = length + BatchLayout.LOG_OVERHEAD;
    if (size > left) {
      return fail(Reason.FRAMING_INCOMPLETE, size);
    }
    sizeInBytes = size;
    next = start + size;
    return true;
  }

  /**
   * Moves to a batch that was framed before, unless its length has changed since. Size and magic of
   * a batch that is alone are not read again.
   */
  private boolean step(int left) {
    if (alone) {
      sizeInBytes = left;
      next = framedEnd;
      return true;
    }
    if (left < BatchLayout.LOG_OVERHEAD) { // an earlier length has changed
      return false;
    }
    int length = BatchLayout.lengthAt(buffer, start);
    if (length < BatchLayout.MIN_LENGTH || length > left - BatchLayout.LOG_OVERHEAD) {
      return false;
    }
    magic = BatchLayout.magicAt(buffer, start);
    sizeInBytes = length + BatchLayout.LOG_OVERHEAD;
    next = start + sizeInBytes;
    return true;
  }

  private boolean fail(Reason why, long first) {
    return fault.set(why, first, left());
  }

  /** {@return the index in the buffer of the current batch, or of the fault} */
  public int start() {
    return start;
  }

  /** {@return the size of the current batch in bytes, prefix included; 0 without a batch} */
  public int sizeInBytes() {
    return sizeInBytes;
  }

  /** {@return the magic of the current batch: 0, 1 or 2} */
  public byte magic() {
    return magic;
  }

  /** {@return the number of bytes from the start of the current batch to the end} */
  public int left() {
    return end - start;
  }

  /**
   * {@return the reason of the fault at {@link #start()}, or null} {@link
   * Reason#FRAMING_INCOMPLETE} means that the buffer ends inside a batch, which Kafka treats as the
   * end.
   */
  public @Nullable Reason failure() {
    return fault.reason();
  }

  /** {@return the first operand of the fault at {@link #start()}; 0 without a fault} */
  public long operand() {
    return fault.first();
  }

  /** {@return the second operand of the fault: the bytes from there to the end} */
  public long secondOperand() {
    return fault.second();
  }
}
