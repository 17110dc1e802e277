// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rebuild;

import io.github.batchvalidator.codec.ByteWindow;
import io.github.batchvalidator.format.RecordLayout;
import io.github.batchvalidator.rule.Reason;
import java.nio.charset.StandardCharsets;

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

  RecordWriter() {}

  /**
   * Writes a record.
   *
   * @param item its fields; headers that are not canonical are replaced
   * @return its size in bytes, length field included; 0 if it has too many for that field, which
   *     the output then fails with
   */
  int write(Item item, int offsetDelta, long timestampDelta, Encoder encoder) {
    if (!item.canonicalHeaders) {
      rewriteHeaders(item, encoder.output);
    }
    long sum =
        1L
            + RecordLayout.sizeOfVarlong(timestampDelta)
            + RecordLayout.sizeOfVarint(offsetDelta)
            + sizeOfField(item.keySize)
            + sizeOfField(item.valueSize)
            + RecordLayout.sizeOfVarint(item.headerCount)
            + item.headersSize;
    if (!encoder.output.canDeclare(sum + RecordLayout.MAX_VARINT_BYTES)) {
      return 0;
    }
    int body = (int) sum;
    int at = RecordLayout.putVarint(head, 0, body);
    head[at++] = 0;
    at = RecordLayout.putVarlong(head, at, timestampDelta);
    at = RecordLayout.putVarint(head, at, offsetDelta);
    at = RecordLayout.putVarint(head, at, Math.max(item.keySize, NULL_LENGTH));
    encoder.write(head, 0, at);
    encoder.write(item.array, item.keyAt, item.keySize);
    encoder.write(head, 0, RecordLayout.putVarint(head, 0, Math.max(item.valueSize, NULL_LENGTH)));
    encoder.write(item.array, item.valueAt, item.valueSize);
    encoder.write(head, 0, RecordLayout.putVarint(head, 0, item.headerCount));
    encoder.write(item.headers, item.headersAt, item.headersSize);
    return body + RecordLayout.sizeOfVarint(body);
  }

  private static long sizeOfField(int size) {
    return (long) RecordLayout.sizeOfVarint(Math.max(size, NULL_LENGTH)) + Math.max(size, 0);
  }

  /**
   * Kafka decodes the keys of headers and encodes them again: what is not UTF-8 becomes the
   * replacement character. Happens rarely, and so allocates.
   */
  private void rewriteHeaders(Item item, OutputBuffer output) {
    oldHeaders.wrap(item.headers, item.headersAt, item.headersSize);
    newHeaders.start(Integer.MAX_VALUE);
    try {
      for (int i = 0; i < item.headerCount; i++) {
        int size = oldHeaders.readVarint();
        String key = new String(item.headers, oldHeaders.position(), size, StandardCharsets.UTF_8);
        byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        writeHeaderPart(bytes, 0, bytes.length);
        oldHeaders.skip(size);
        size = oldHeaders.readVarint();
        writeHeaderPart(item.headers, oldHeaders.position(), size);
        oldHeaders.skip(size);
      }
    } catch (OutOfMemoryError e) {
      newHeaders.fail(Reason.LIMIT_REBUILT_BYTES, item.headersSize, newHeaders.heapBytes());
    }
    Reason failure = newHeaders.failure();
    if (failure != null) {
      output.fail(failure, newHeaders.failureFirst(), newHeaders.failureSecond());
    }
    item.headers = newHeaders.array();
    item.headersAt = newHeaders.arrayOffset();
    item.headersSize = newHeaders.length();
  }

  private void writeHeaderPart(byte[] bytes, int from, int size) {
    newHeaders.write(head, 0, RecordLayout.putVarint(head, 0, Math.max(size, NULL_LENGTH)));
    newHeaders.write(bytes, from, Math.max(size, 0));
  }

  /** Lets go of what only the last batch needed. */
  void release() {
    oldHeaders.clear();
    newHeaders.release();
  }

  /** Returns the heap bytes held between batches. */
  long heapBytes() {
    return newHeaders.heapBytes();
  }
}
