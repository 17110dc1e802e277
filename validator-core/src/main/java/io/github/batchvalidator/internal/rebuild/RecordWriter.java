// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.rebuild;

import io.github.batchvalidator.format.RecordLayout;
import io.github.batchvalidator.internal.scan.HeaderCursor;
import io.github.batchvalidator.rule.Reason;
import org.jspecify.annotations.Nullable;

/**
 * A writer for records of magic 2, field by field, with every number in its shortest form (Kafka's
 * {@code DefaultRecord.writeTo}). Confined to one thread.
 */
final class RecordWriter {
  /** A key of at most this many bytes is written together with the numbers around it. */
  private static final int SHORT_KEY_BYTES = 64;

  /** The size in bytes of the longest start of a record: all before the value, with a short key. */
  private static final int HEAD_BYTES =
      4 * RecordLayout.MAX_VARINT_BYTES + RecordLayout.MAX_VARLONG_BYTES + 1 + SHORT_KEY_BYTES;

  private final byte[] head = new byte[HEAD_BYTES];
  private final HeaderCursor oldHeaders = new HeaderCursor();
  private final OutputBuffer newHeaders = new OutputBuffer();

  /** Created on demand for one batch, because few batches need it. */
  private @Nullable Utf8Repair repair;

  RecordWriter() {}

  /**
   * Writes a record.
   *
   * @param record the fields of the record; headers that are not canonical are replaced
   * @return the size in bytes, length field included; 0 if the record is too large for its length
   *     field, which fails the output
   */
  int write(OutputRecord record, int offsetDelta, long timestampDelta, Encoder encoder) {
    if (!record.canonicalHeaders && encoder.output.failure() == null) {
      rewriteHeaders(record, encoder.output);
    }
    long sum =
        1L
            + RecordLayout.sizeOfVarlong(timestampDelta)
            + RecordLayout.sizeOfVarint(offsetDelta)
            + sizeOfField(record.keySize)
            + sizeOfField(record.valueSize)
            + RecordLayout.sizeOfVarint(record.headerCount)
            + record.headersSize;
    if (!encoder.output.canDeclare(sum + RecordLayout.MAX_VARINT_BYTES)) {
      return 0;
    }
    int body = (int) sum;
    byte[] to = room(encoder);
    int from = start(to, encoder);
    int at = RecordLayout.putVarint(to, from, body);
    to[at++] = 0;
    at = RecordLayout.putVarlong(to, at, timestampDelta);
    at = RecordLayout.putVarint(to, at, offsetDelta);
    at = RecordLayout.putVarint(to, at, Math.max(record.keySize, RecordLayout.NULL_LENGTH));
    int valueSize = Math.max(record.valueSize, RecordLayout.NULL_LENGTH);
    if (record.keySize > SHORT_KEY_BYTES) {
      pass(to, from, at, encoder);
      encoder.write(record.array, record.keyAt, record.keySize);
      writeNumber(valueSize, encoder);
    } else {
      int keySize = Math.max(record.keySize, 0);
      System.arraycopy(record.array, record.keyAt, to, at, keySize);
      pass(to, from, RecordLayout.putVarint(to, at + keySize, valueSize), encoder);
    }
    encoder.write(record.array, record.valueAt, record.valueSize);
    writeNumber(record.headerCount, encoder);
    encoder.write(record.headers, record.headersAt, record.headersSize);
    return body + RecordLayout.sizeOfVarint(body);
  }

  private void writeNumber(int number, Encoder encoder) {
    byte[] to = room(encoder);
    int from = start(to, encoder);
    pass(to, from, RecordLayout.putVarint(to, from, number), encoder);
  }

  /** Returns where small fields are put: in the output itself if it stores plain bytes. */
  private byte[] room(Encoder encoder) {
    boolean isOutput = encoder.isPlain() && encoder.output.hasRoom(HEAD_BYTES);
    return isOutput ? encoder.output.array() : head;
  }

  private int start(byte[] room, Encoder encoder) {
    return room == head ? 0 : encoder.output.length();
  }

  /** Writes the fields that were put into the room. */
  private void pass(byte[] room, int from, int end, Encoder encoder) {
    if (room == head) {
      encoder.write(head, from, end - from);
    } else {
      encoder.output.advance(end - from);
    }
  }

  private static long sizeOfField(int size) {
    return (long) RecordLayout.sizeOfVarint(Math.max(size, RecordLayout.NULL_LENGTH))
        + Math.max(size, 0);
  }

  /**
   * Writes headers as Kafka does, which decodes and re-encodes their keys: malformed UTF-8 becomes
   * the replacement character. This is rare and may allocate, at most what the output may hold.
   */
  private void rewriteHeaders(OutputRecord record, OutputBuffer output) {
    int end = record.headersAt + record.headersSize;
    oldHeaders.open(record.headers, record.headersAt, end, record.headerCount);
    newHeaders.start(output.limitBytes());
    try {
      Utf8Repair keys = repair == null ? new Utf8Repair() : repair;
      repair = keys;
      while (newHeaders.failure() == null && oldHeaders.next()) {
        int at = oldHeaders.keyPosition();
        int size = oldHeaders.keySize();
        long length = keys.length(record.headers, at, size);
        if (newHeaders.canDeclare(length)) {
          writeLength((int) length);
          keys.write(record.headers, at, size, newHeaders);
        }
        size = oldHeaders.valueSize();
        writeLength(size);
        newHeaders.write(record.headers, oldHeaders.valuePosition(), Math.max(size, 0));
      }
    } catch (OutOfMemoryError e) {
      newHeaders.fail(Reason.LIMIT_REBUILT_BYTES, record.headersSize, newHeaders.heapBytes());
    }
    Reason failure = newHeaders.failure();
    if (failure != null) {
      output.fail(failure, newHeaders.fault().first(), newHeaders.fault().second());
    }
    record.headers = newHeaders.array();
    record.headersAt = 0;
    record.headersSize = newHeaders.length();
  }

  private void writeLength(int size) {
    newHeaders.write(
        head, 0, RecordLayout.putVarint(head, 0, Math.max(size, RecordLayout.NULL_LENGTH)));
  }

  /** Releases memory that only the last batch needed. */
  void release() {
    oldHeaders.clear();
    newHeaders.release();
    repair = null;
  }

  void close() {
    release();
    newHeaders.close();
  }

  /** Returns the heap bytes held between batches. */
  long heapBytes() {
    return newHeaders.heapBytes();
  }
}
