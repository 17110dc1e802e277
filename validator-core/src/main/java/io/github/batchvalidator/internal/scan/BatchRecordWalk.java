// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.scan;

import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Reason;

/**
 * A walk over the records that a batch of magic 2 declares, and the fields of the current one.
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
   * Starts in front of the first record. Kafka opens the stream before it looks at a number that is
   * negative.
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
   * Makes sure that nothing is left: the step behind the last record. It drives the codec to the
   * end of its stream, so that trailers and end marks are verified. A batch that declares no record
   * is not looked into.
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
   * {@return the length it declares, in bytes behind the length field; of a compressed batch
   * unproven}
   */
  public int bodySize() {
    return bodySize;
  }

  /** {@return its attributes, which mean nothing so far} */
  public byte attributes() {
    return attributes;
  }

  /** {@return its timestamp less the batch's base timestamp, in milliseconds} */
  public long timestampDelta() {
    return timestampDelta;
  }

  /** {@return its offset less the batch's base offset} */
  public int offsetDelta() {
    return offsetDelta;
  }

  /** {@return the size of its key in bytes; negative if it has none} */
  public int keySize() {
    return keySize;
  }

  /** {@return the size of its value in bytes; negative if it has none} */
  public int valueSize() {
    return valueSize;
  }

  /** {@return how many headers it has} */
  public int headerCount() {
    return headerCount;
  }
}
