// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.rebuild;

import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.format.RecordLayout;
import io.github.batchvalidator.rule.Reason;
import org.jspecify.annotations.Nullable;

/**
 * Writes one record of magic 2 field by field, every number in its shortest form (Kafka's {@code
 * DefaultRecord.writeTo}). Confined to one thread.
 */
final class RecordWriter {
  /** Length, attributes, two deltas and the size of the key: the most a head takes. */
  private static final int HEAD_BYTES =
      3 * RecordLayout.MAX_VARINT_BYTES + RecordLayout.MAX_VARLONG_BYTES + 1;

  private static final int NULL_LENGTH = -1;

  private final byte[] head = new byte[HEAD_BYTES];
  private final ByteWindow oldHeaders = new ByteWindow();
  private final OutputBuffer newHeaders = new OutputBuffer();

  /** For one batch: hardly any needs it. */
  private @Nullable Utf8Repair repair;

  RecordWriter() {}

  /**
   * Writes a record.
   *
   * @param record its fields; headers that are not canonical are replaced
   * @return its size in bytes, length field included; 0 if it has too many for that field, which
   *     the output then fails with
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
    int at = RecordLayout.putVarint(head, 0, body);
    head[at++] = 0;
    at = RecordLayout.putVarlong(head, at, timestampDelta);
    at = RecordLayout.putVarint(head, at, offsetDelta);
    at = RecordLayout.putVarint(head, at, Math.max(record.keySize, NULL_LENGTH));
    encoder.write(head, 0, at);
    encoder.write(record.array, record.keyAt, record.keySize);
    encoder.write(
        head, 0, RecordLayout.putVarint(head, 0, Math.max(record.valueSize, NULL_LENGTH)));
    encoder.write(record.array, record.valueAt, record.valueSize);
    encoder.write(head, 0, RecordLayout.putVarint(head, 0, record.headerCount));
    encoder.write(record.headers, record.headersAt, record.headersSize);
    return body + RecordLayout.sizeOfVarint(body);
  }

  private static long sizeOfField(int size) {
    return (long) RecordLayout.sizeOfVarint(Math.max(size, NULL_LENGTH)) + Math.max(size, 0);
  }

  /**
   * Kafka decodes the keys of headers and encodes them again: what is not UTF-8 becomes the
   * replacement character. Happens rarely, and so allocates; no more than the output may hold.
   */
  private void rewriteHeaders(OutputRecord record, OutputBuffer output) {
    oldHeaders.wrap(record.headers, record.headersAt, record.headersSize);
    newHeaders.start(output.limitBytes());
    try {
      Utf8Repair keys = repair == null ? new Utf8Repair() : repair;
      repair = keys;
      for (int i = 0; i < record.headerCount && newHeaders.failure() == null; i++) {
        int size = oldHeaders.readVarint();
        int at = oldHeaders.position();
        long length = keys.length(record.headers, at, size);
        if (newHeaders.canDeclare(length)) {
          writeLength((int) length);
          keys.write(record.headers, at, size, newHeaders);
        }
        oldHeaders.skip(size);
        size = oldHeaders.readVarint();
        writeLength(size);
        newHeaders.write(record.headers, oldHeaders.position(), Math.max(size, 0));
        oldHeaders.skip(size);
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
    newHeaders.write(head, 0, RecordLayout.putVarint(head, 0, Math.max(size, NULL_LENGTH)));
  }

  /** Lets go of what only the last batch needed. */
  void release() {
    oldHeaders.clear();
    newHeaders.release();
    repair = null;
  }

  /** Lets go of everything. */
  void close() {
    release();
    newHeaders.close();
  }

  /** Returns the heap bytes held between batches. */
  long heapBytes() {
    return newHeaders.heapBytes();
  }
}
