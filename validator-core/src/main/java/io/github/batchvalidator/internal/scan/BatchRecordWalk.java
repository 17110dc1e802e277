// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.scan;

import io.github.batchvalidator.format.RecordLayout;
import io.github.batchvalidator.format.ShortVarint;
import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Reason;
import org.jspecify.annotations.Nullable;

/**
 * A walk over the records that a batch of magic 2 declares, with the fields of the current record.
 * It reads the fields of most records, which have short numbers and are completely in an array, in
 * words of eight bytes. That takes half of the time of single bytes. {@link AnyRecordWalk} reads
 * the other records.
 *
 * <p>Never allocates. Confined to one thread.
 */
public abstract class BatchRecordWalk extends RecordWalk {
  /** The bytes of a short head besides its two numbers: attributes and a key size of one byte. */
  static final int HEAD_FIXED_BYTES = 2;

  /** Sentinel: greater than any valid position. */
  static final int NOT_SHORT = ShortHeaders.NOT_SHORT;

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

  // ---- the order of the fields, number by number and in words

  /** Reads attributes, both deltas and the key size, number by number. */
  final void readHead(ByteWindow bytes) {
    attributes = bytes.readByte();
    timestampDelta = bytes.readVarlong();
    offsetDelta = bytes.readVarint();
    keySize = bytes.readVarint();
  }

  /**
   * Reads attributes, both deltas and the key size of a record with short numbers, from one word.
   *
   * @param head the word after the length of the record
   * @param regular true if records that Kafka would write differently are not short
   * @return the length of the two deltas in bytes, or NOT_SHORT
   */
  final int readShortHead(long head, boolean regular) {
    attributes = (byte) head;
    long word = head >>> Byte.SIZE;
    int length = ShortVarint.length(word);
    if (length > ShortVarint.MAX_BYTES) {
      return NOT_SHORT;
    }
    timestampDelta = ShortVarint.decode(word, length);
    int numbers = length;
    word >>>= length * Byte.SIZE;
    length = ShortVarint.length(word);
    if (length > ShortVarint.MAX_BYTES) {
      return NOT_SHORT;
    }
    offsetDelta = ShortVarint.decode(word, length);
    numbers += length;
    word >>>= length * Byte.SIZE;
    if (!ShortVarint.isOneByte(word)) {
      return NOT_SHORT;
    }
    keySize = ShortVarint.decode(word, 1);
    return regular
            && (keySize < RecordLayout.NULL_LENGTH || !RecordEncoding.isRegularHead(head, numbers))
        ? NOT_SHORT
        : numbers;
  }

  /** Reads value and headers if they end exactly at {@code end}, which is within the array. */
  final boolean nextShortTail(
      byte[] bytes, int from, int end, boolean regular, @Nullable RecordContent visible) {
    if (end - from < Short.BYTES) { // a difference, because an index may have wrapped
      return false;
    }
    int word = (bytes[from] & 0xFF) | (bytes[from + 1] & 0xFF) << Byte.SIZE;
    int length = ShortVarint.length(word);
    if (length > Short.BYTES) { // a value of 8 KiB or more
      if (end - from < ShortVarint.MAX_BYTES || bytes[from + Short.BYTES] <= 0) {
        return false;
      }
      word |= bytes[from + Short.BYTES] << Short.SIZE;
    }
    valueSize = ShortVarint.decode(word, length);
    if (regular && (valueSize < RecordLayout.NULL_LENGTH || !RecordEncoding.isShortest(word))) {
      return false;
    }
    if (visible != null) {
      visible.value(from + length);
    }
    int headersAt = from + length + Math.max(valueSize, 0);
    // The end of the record is known earlier than the end of the value.
    if (headersAt == end - 1 && bytes[end - 1] == 0) {
      headerCount = 0;
      if (visible != null) {
        visible.headers().none();
      }
      return true;
    }
    return nextShortHeaders(bytes, headersAt, end, regular, visible);
  }

  /**
   * Reads the headers of a record with short numbers.
   *
   * @param bytes contains the headers
   * @param from index of their count
   * @param end index after the record
   * @param regular as for {@link #readShortHead}
   * @param visible takes the headers if the rules of a topic look at them
   * @return false if they do not end at {@code end}, exceed a limit or have other numbers
   */
  final boolean nextShortHeaders(
      byte[] bytes, int from, int end, boolean regular, @Nullable RecordContent visible) {
    if (end - from < 1 || !ShortHeaders.isShortCount(bytes[from])) {
      return false;
    }
    headerCount = bytes[from] >> 1;
    if (headerCount > mostHeaders || end - from - 1 > mostHeaderBytes) {
      return false;
    }
    if (visible != null && visible.headers().isLookedAt()) {
      return visible.headers().readShort(bytes, from + 1, end, headerCount, regular);
    }
    return ShortHeaders.skip(bytes, from + 1, end, headerCount, regular) == end;
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
