// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.scan;

import io.github.batchvalidator.format.RecordLayout;
import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.codec.Scratch;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Reason;

/**
 * An iterator that reads all bytes of the records of a batch of magic 2, as Kafka's consumers do
 * ({@code DefaultRecordBatch.streamingIterator}, {@code DefaultRecord.readFrom}). {@link #array()}
 * contains the current record: the window's array if possible, otherwise a scratch array. The
 * scratch array grows by bytes that the codec produced, never by a declared length.
 *
 * <p>Unlike {@link SkipKeyValueIterator}, it also verifies the declared length of records in
 * compressed batches. It serves rebuilds, and batches that Kafka reads completely but stores in
 * place.
 *
 * <p>Reused for every batch. Allocates only to grow the scratch array. Never throws. Confined to
 * one thread.
 */
public final class RecordIterator extends AnyRecordWalk {
  /** The size of the scratch array that is kept between batches, in bytes. */
  private static final int RESTING_BYTES = 1 << 16;

  /** The index of a record's body in the scratch array, after room for the longest length field. */
  private static final int BODY_AT = RecordLayout.MAX_VARINT_BYTES;

  private final ByteWindow body = new ByteWindow();
  private final Scratch scratch = new Scratch(RESTING_BYTES);

  private int mostScratchBytes;

  private byte[] array = {};
  private int position;
  private int end;
  private boolean canonical;
  private long declaredBytes;

  public RecordIterator() {}

  @Override
  void start(ByteWindow plain, int count, Limits limits) {
    begin(plain, count, limits);
    mostScratchBytes = isStored() ? (int) plainBytes + BODY_AT : limits.rebuiltBytes();
    declaredBytes = 0;
  }

  /**
   * Releases the window's array. Drops a large scratch array once many batches have not needed it.
   */
  public void release() {
    body.clear();
    scratch.release();
    array = body.array();
  }

  /** {@return the heap bytes held between batches} */
  public long heapBytes() {
    return scratch.heapBytes();
  }

  /**
   * Moves to the next record.
   *
   * @return false after the last declared record and after a fault; only a fault sets {@link
   *     #failure()}
   */
  public boolean next() {
    if (index + 1 >= recordCount || failure() != null) {
      return false;
    }
    index++;
    start = window.plainPosition();
    return readDeclaredLength() && readBody() && (parseShort() || parseAny());
  }

  /**
   * Reads the length field. If the field may straddle two stretches of the window, the record is
   * copied to the scratch array even if its body is contiguous.
   */
  private boolean readDeclaredLength() {
    position = window.refill() && window.available() > BODY_AT ? window.position() : -1;
    window.isShortest(true);
    if (!readLength()) {
      return false;
    }
    canonical = window.isShortest();
    long left = isStored() ? plainBytes - window.plainPosition() : Integer.MAX_VALUE;
    if (bodySize < 0 || bodySize > left) {
      return fail(Reason.RECORD_LENGTH_INVALID, bodySize, left);
    }
    declaredBytes += bodySize + RecordLayout.sizeOfVarint(bodySize);
    return bodySize <= mostBytes || fail(Reason.LIMIT_RECORD_BYTES, bodySize, mostBytes);
  }

  private boolean readBody() {
    if (position < 0 || bodySize > window.available()) {
      return gather();
    }
    array = window.array();
    int at = window.position();
    end = at + bodySize;
    window.position(end);
    body.wrap(array, at, bodySize);
    return true;
  }

  /** Copies a record that is not contiguous to the scratch array. */
  private boolean gather() {
    array = scratch.atLeast(BODY_AT);
    window.expect(bodySize);
    int done = 0;
    while (done < bodySize && window.refill()) {
      int step = Math.min(bodySize - done, window.available());
      if (!makeRoom(done, step)) {
        return false;
      }
      System.arraycopy(window.array(), window.position(), array, BODY_AT + done, step);
      window.position(window.position() + step);
      done += step;
    }
    if (done < bodySize) {
      return window.failure() == null && fail(Reason.RECORD_TRUNCATED, bodySize, bodySize - done);
    }
    position = BODY_AT - RecordLayout.sizeOfVarint(bodySize);
    RecordLayout.putVarint(array, position, bodySize);
    end = BODY_AT + bodySize;
    body.wrap(array, BODY_AT, bodySize);
    return true;
  }

  private boolean makeRoom(int done, int step) {
    int need = done + step;
    if (need > mostScratchBytes - BODY_AT) {
      return fail(Reason.LIMIT_RECORD_BYTES, (long) need + BODY_AT, mostScratchBytes);
    }
    try {
      array = scratch.grow(BODY_AT + need, BODY_AT + done, mostScratchBytes);
      return true;
    } catch (OutOfMemoryError e) {
      return fail(Reason.LIMIT_RECORD_BYTES, need, scratch.heapBytes());
    }
  }

  /** Reads the fields of a record with short numbers, if Kafka would write it in the same way. */
  private boolean parseShort() {
    int at = end - bodySize;
    if (bodySize < ByteWindow.PEEK_BYTES) {
      return false;
    }
    int numbers = readShortHead(ByteWindow.peek(array, at), true);
    if (numbers == NOT_SHORT) {
      return false;
    }
    keyPosition = at + HEAD_FIXED_BYTES + numbers;
    int keyEnd = keyPosition + Math.max(keySize, 0);
    if (!nextShortTail(array, keyEnd, end, true, null)) {
      return false;
    }
    valuePosition = keyEnd + RecordLayout.sizeOfVarint(valueSize);
    headersPosition = valuePosition + Math.max(valueSize, 0) + 1;
    encoding.regular();
    return true;
  }

  /** Reads the fields of any record, and whether Kafka would write it in the same way. */
  private boolean parseAny() {
    encoding.begin(body);
    boolean isRead = readFields(body, bodySize, ANYWHERE);
    if (!isRead || body.failure() != null) {
      return failBody();
    }
    encoding.end(body, body.plainPosition(), Math.min(keySize, valueSize));
    canonical &=
        attributes == 0
            && encoding.isShortest()
            && encoding.leastLength() == RecordLayout.NULL_LENGTH
            && encoding.malformedHeader() == RecordEncoding.NONE;
    return body.available() == 0
        || fail(Reason.RECORD_LENGTH_MISMATCH, bodySize, (long) bodySize - body.available());
  }

  /** Notes why a number could not be read. How far it extends beyond the record is unknown. */
  private boolean failBody() {
    Reason why = body.failure();
    long missing = Math.max(1, body.fault().first());
    return why == Reason.RECORD_TRUNCATED
        ? fail(Reason.RECORD_LENGTH_MISMATCH, bodySize, bodySize + missing)
        : why != null && fail(why, RecordLayout.sizeOfVarint(bodySize) + body.plainPosition(), 0);
  }

  // ---- the current record

  /** {@return the array that contains the record, valid until the next record} */
  public byte[] array() {
    return array;
  }

  /**
   * {@return the index in {@link #array()} of the length field, valid if {@link #isCanonical()}}
   */
  public int position() {
    return position;
  }

  /** {@return the index in {@link #array()} after the record's last byte} */
  public int end() {
    return end;
  }

  /** {@return the index in {@link #array()} of the first byte of the key} */
  public int keyPosition() {
    return keyPosition;
  }

  /** {@return the index in {@link #array()} of the first byte of the value} */
  public int valuePosition() {
    return valuePosition;
  }

  /** {@return the index in {@link #array()} of the first header; headers end at {@link #end()}} */
  public int headersPosition() {
    return headersPosition;
  }

  /**
   * {@return true if Kafka would write the same bytes for these fields} Numbers are in the shortest
   * form, null is -1, attributes are 0, and header keys are UTF-8.
   */
  public boolean isCanonical() {
    return canonical;
  }

  /** {@return true if Kafka would write the same bytes for the headers} */
  public boolean hasCanonicalHeaders() {
    return encoding.hasRegularHeaders();
  }

  // ---- all records so far

  /** {@return the sum of the declared lengths and of their length fields in the shortest form} */
  public long declaredBytes() {
    return declaredBytes;
  }
}
