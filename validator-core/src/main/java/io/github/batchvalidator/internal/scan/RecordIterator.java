// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.scan;

import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.codec.Scratch;
import io.github.batchvalidator.internal.format.RecordLayout;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Reason;

/**
 * Walks the records of a batch of magic 2 and reads all of each, as Kafka's consumers do ({@code
 * DefaultRecordBatch.streamingIterator}, {@code DefaultRecord.readFrom}). Its fields are the
 * current record, which lies as a whole in {@link #array()}: in the window if it does there, else
 * in a scratch that grows by bytes that the codec produced and never by what a record declares.
 *
 * <p>Other than {@link SkipKeyValueIterator} it holds a record of a compressed batch, too, to the
 * length that it declares. It serves where a batch is written anew, and where Kafka reads in full
 * although it stores the batch as it is.
 *
 * <p>Re-used for every batch; apart from the scratch never allocates. Never throws. Confined to one
 * thread.
 */
public final class RecordIterator extends BatchRecordWalk {
  /** Scratch that is kept from one batch to the next. */
  private static final int RESTING_BYTES = 1 << 16;

  /** In the scratch a record starts behind room for its longest length field. */
  private static final int BODY_AT = RecordLayout.MAX_VARINT_BYTES;

  private static final int NULL_LENGTH = -1;

  private final ByteWindow body = new ByteWindow();
  private final Scratch scratch = new Scratch(RESTING_BYTES);

  private long plainBytes;
  private boolean stored;
  private int mostBytes;
  private int mostScratchBytes;

  private byte[] array = {};
  private int position;
  private int keyPosition;
  private int valuePosition;
  private int headersPosition;
  private int end;
  private boolean canonical;
  private boolean canonicalHeaders;
  private long declaredBytes;

  /** Creates an iterator over nothing. */
  public RecordIterator() {}

  /**
   * Starts on the records of a compressed batch.
   *
   * @param plain holds the records, from its current position on; kept until the next start
   * @param count how many records the batch declares; a negative number is a fault
   * @param limits what a record may take, and how many there may be
   */
  public void open(ByteWindow plain, int count, Limits limits) {
    start(plain, count, limits);
    stored = false;
    plainBytes = Long.MAX_VALUE;
    mostBytes = limits.recordBytes();
    mostScratchBytes = limits.rebuiltBytes();
  }

  /**
   * Starts on the records of an uncompressed batch.
   *
   * @param plain holds the records, from its current position on; kept until the next start
   * @param count how many records the batch declares; a negative number is a fault
   * @param bytes how many the records take in all
   * @param limits what headers may take, and how many records there may be
   */
  public void openStored(ByteWindow plain, int count, int bytes, Limits limits) {
    start(plain, count, limits);
    stored = true;
    plainBytes = bytes;
    mostBytes = Limits.UNLIMITED;
    mostScratchBytes = bytes + BODY_AT;
  }

  private void start(ByteWindow plain, int count, Limits limits) {
    begin(plain, count, limits);
    declaredBytes = 0;
  }

  /** Lets go of the window's bytes, and of scratch memory that only rare records needed. */
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
   * @return false behind the last declared record and after a fault; {@link #failure()} tells them
   *     apart
   */
  public boolean next() {
    if (index + 1 >= recordCount || failure() != null) {
      return false;
    }
    index++;
    start = window.plainPosition();
    return readLength() && readBody() && parse();
  }

  /**
   * Reads the length field. If it may straddle two stretches of the window, the record is put
   * together in the scratch even if its body is in one piece.
   */
  private boolean readLength() {
    position = window.refill() && window.available() > BODY_AT ? window.position() : -1;
    window.isShortest(true);
    bodySize = window.readVarint();
    Reason why = window.failure();
    if (why == Reason.RECORD_TRUNCATED) {
      return fail(Reason.PAYLOAD_RECORDS_MISSING, recordCount, index);
    }
    if (why != null) {
      return why == Reason.RECORD_VARINT_TOO_LONG && fail(why, window.plainPosition() - start, 0);
    }
    canonical = window.isShortest();
    long left = stored ? plainBytes - window.plainPosition() : Integer.MAX_VALUE;
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

  /** Puts a record together that does not lie in one piece. */
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

  /** Reads the fields of a record that is all there. */
  private boolean parse() {
    attributes = body.readByte();
    timestampDelta = body.readVarlong();
    offsetDelta = body.readVarint();
    keySize = body.readVarint();
    keyPosition = body.position();
    if (!pass(keySize)) {
      return false;
    }
    valueSize = body.readVarint();
    valuePosition = body.position();
    if (!pass(valueSize)) {
      return false;
    }
    boolean plain = attributes == 0 && keySize >= NULL_LENGTH && valueSize >= NULL_LENGTH;
    headerCount = body.readVarint();
    headersPosition = body.position();
    canonical &= plain && body.isShortest();
    canonicalHeaders = true;
    if (headerCount != 0 && !readHeaders()) {
      return false;
    }
    if (body.failure() != null) {
      return failBody();
    }
    return body.available() == 0
        || fail(Reason.RECORD_LENGTH_MISMATCH, bodySize, (long) bodySize - body.available());
  }

  private boolean readHeaders() {
    if (headerCount < 0 || headerCount > body.available()) {
      return fail(Reason.RECORD_HEADER_COUNT_INVALID, headerCount, body.available());
    }
    if (headerCount > mostHeaders) {
      return fail(Reason.LIMIT_HEADERS, headerCount, mostHeaders);
    }
    if (body.available() > mostHeaderBytes) {
      return fail(Reason.LIMIT_HEADER_BYTES, body.available(), mostHeaderBytes);
    }
    body.isShortest(true);
    for (int i = 0; i < headerCount && body.failure() == null; i++) {
      int size = body.readVarint();
      if (size < 0) {
        return fail(Reason.RECORD_HEADER_KEY_INVALID, size, 0);
      }
      int at = body.position();
      if (!pass(size)) {
        return false;
      }
      canonicalHeaders &= Utf8.isWellFormed(array, at, at + size);
      size = body.readVarint();
      canonicalHeaders &= size >= NULL_LENGTH;
      if (!pass(size)) {
        return false;
      }
    }
    canonicalHeaders &= body.isShortest();
    return true;
  }

  /** Moves past a field; a negative size is that of one that is null. */
  private boolean pass(int size) {
    if (size <= body.available()) {
      body.position(body.position() + Math.max(size, 0));
      return true;
    }
    return fail(Reason.RECORD_LENGTH_MISMATCH, bodySize, (long) bodySize - body.available() + size);
  }

  /** The fields lead beyond the end of the record: by how much is not known. */
  private boolean failBody() {
    return body.failure() == Reason.RECORD_TRUNCATED
        ? fail(Reason.RECORD_LENGTH_MISMATCH, bodySize, bodySize + 1L)
        : fail(
            Reason.RECORD_VARINT_TOO_LONG,
            RecordLayout.sizeOfVarint(bodySize) + body.plainPosition(),
            0);
  }

  // ---- the current record

  /** {@return the array that it lies in, valid until the next record} */
  public byte[] array() {
    return array;
  }

  /** {@return the index in {@link #array()} of its length field} Only if it is canonical. */
  public int position() {
    return position;
  }

  /** {@return the index in {@link #array()} behind its last byte} */
  public int end() {
    return end;
  }

  /** {@return the index in {@link #array()} of the first byte of its key} */
  public int keyPosition() {
    return keyPosition;
  }

  /** {@return the index in {@link #array()} of the first byte of its value} */
  public int valuePosition() {
    return valuePosition;
  }

  /** {@return the index in {@link #array()} of the first header; they reach to {@link #end()}} */
  public int headersPosition() {
    return headersPosition;
  }

  /**
   * {@return true if its bytes are the ones that Kafka writes for its fields: every number in its
   * shortest form, null as -1, no attributes, keys of headers that are UTF-8}
   */
  public boolean isCanonical() {
    return canonical && canonicalHeaders;
  }

  /** {@return true if that holds for the bytes of its headers} */
  public boolean hasCanonicalHeaders() {
    return canonicalHeaders;
  }

  // ---- all records so far

  /** {@return what they declare, their length fields in the shortest form included} */
  public long declaredBytes() {
    return declaredBytes;
  }
}
