// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.scan;

import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Reason;

/**
 * A walk over the records that a batch of magic 2 declares, with the fields of the current record.
 *
 * <p>Never allocates. Confined to one thread.
 */
public abstract sealed class BatchRecordWalk extends RecordWalk
    permits SkipKeyValueIterator, RecordIterator {
  int recordCount;
  int mostHeaders;
  int mostHeaderBytes;

  int bodySize;
  byte attributes;
  long timestampDelta;
  int offsetDelta;
  int keySize;
  int valueSize;
  int headerCount;

  BatchRecordWalk() {}

  /**
   * Starts before the first record. An invalid stream header outweighs a negative count, because
   * Kafka opens the stream first.
   */
  final void begin(ByteWindow plain, int count, Limits limits) {
    begin(plain);
    recordCount = count;
    mostHeaders = limits.headers();
    mostHeaderBytes = limits.headerBytes();
    if (count < 0 && window.failure() != Reason.CODEC_HEADER_INVALID) {
      fail(Reason.PAYLOAD_COUNT_NEGATIVE, count, 0);
    } else if (count > limits.records()) {
      fail(Reason.LIMIT_RECORDS, count, limits.records());
    }
  }

  /**
   * Checks that nothing follows the last record. This reads the codec's stream to its end, so that
   * trailers and end marks are verified. If the batch declares no record, the stream is not read.
   *
   * @return false after a fault, now or earlier
   */
  public final boolean finish() {
    if (failure() != null) {
      return false;
    }
    atEnd = true;
    if (recordCount > 0 && window.refill()) {
      return fail(Reason.PAYLOAD_BYTES_LEFT, recordCount, 0);
    }
    return window.failure() == null;
  }

  // ---- the current record

  /**
   * {@return the declared length: bytes after the length field} {@link SkipKeyValueIterator} does
   * not verify the length in compressed batches.
   */
  public int bodySize() {
    return bodySize;
  }

  /** {@return the attributes, which Kafka does not use yet} */
  public byte attributes() {
    return attributes;
  }

  /** {@return the timestamp minus the batch's base timestamp, in milliseconds} */
  public long timestampDelta() {
    return timestampDelta;
  }

  /** {@return the offset minus the batch's base offset} */
  public int offsetDelta() {
    return offsetDelta;
  }

  /** {@return the size of the key in bytes, negative for null} */
  public int keySize() {
    return keySize;
  }

  /** {@return the size of the value in bytes, negative for null} */
  public int valueSize() {
    return valueSize;
  }

  /** {@return the number of headers} */
  public int headerCount() {
    return headerCount;
  }
}
