// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.scan;

import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Reason;
import org.jspecify.annotations.Nullable;

/**
 * A walk that can read any record, number by number and across refills of the window. Few records
 * need it, so it is complete rather than fast.
 *
 * <p>Never allocates. Confined to one thread.
 */
public abstract class AnyRecordWalk extends BatchRecordWalk {
  /** Sentinel: greater than any position in a stream. */
  static final long ANYWHERE = Long.MAX_VALUE - 1;

  /** The size of all records of an uncompressed batch; otherwise {@link #ANYWHERE}. */
  long plainBytes;

  int mostBytes;

  final RecordEncoding encoding = new RecordEncoding();

  /** Takes the visible bytes of the record, or null. */
  @Nullable RecordContent content;

  /** The bytes of the last skipped field that a limit left unread. */
  int spared;

  // The indexes of the first bytes, valid if the record is completely in an array.
  int keyPosition;
  int valuePosition;
  int headersPosition;

  AnyRecordWalk() {}

  /**
   * Starts at the first record of a stream of unknown length, such as that of a compressed batch.
   *
   * @param plain contains the records, from its current position on; kept until the next start
   * @param count how many records the batch declares; a negative number is a fault
   * @param limits the limits for the size and number of records
   */
  public final void open(ByteWindow plain, int count, Limits limits) {
    plainBytes = ANYWHERE;
    mostBytes = limits.recordBytes();
    start(plain, count, limits);
  }

  /**
   * Starts at the first record of an uncompressed batch.
   *
   * @param plain contains the records, from its current position on; kept until the next start
   * @param count how many records the batch declares; a negative number is a fault
   * @param bytes the size of all records
   * @param limits the limits for headers and for the number of records
   */
  public final void openStored(ByteWindow plain, int count, int bytes, Limits limits) {
    plainBytes = bytes;
    mostBytes = Limits.UNLIMITED;
    start(plain, count, limits);
  }

  abstract void start(ByteWindow plain, int count, Limits limits);

  final boolean isStored() {
    return plainBytes != ANYWHERE;
  }

  /** Reads the length of a record. */
  final boolean readLength() {
    bodySize = window.readVarint();
    Reason why = window.failure();
    if (why == Reason.RECORD_TRUNCATED) {
      return fail(Reason.PAYLOAD_RECORDS_MISSING, recordCount, index);
    }
    return why == null
        || (why == Reason.RECORD_VARINT_TOO_LONG && fail(why, window.plainPosition() - start, 0));
  }

  /**
   * Reads the fields after the length of a record, until the record exceeds its limit.
   *
   * @param bytes is at the attributes
   * @param end the plain position by which the header count is bounded, or {@link #ANYWHERE}
   * @param most the last plain position that the limit of the record allows
   * @return false after a fault of the fields; the caller looks for a fault of the bytes
   */
  final boolean readFields(ByteWindow bytes, long end, long most) {
    readHead(bytes);
    keyPosition = bytes.position();
    RecordContent visible = content;
    int left = upTo(bytes, most, keySize);
    bytes.skip(visible == null ? left : visible.readKey(bytes, left));
    if (bytes.plainPosition() > most) {
      return true;
    }
    valueSize = bytes.readVarint();
    valuePosition = bytes.position();
    left = upTo(bytes, most, valueSize);
    bytes.skip(visible == null ? left : visible.readValue(bytes, left));
    if (bytes.plainPosition() > most) {
      return true;
    }
    headerCount = bytes.readVarint();
    headersPosition = bytes.position();
    encoding.headers(bytes);
    return readHeaders(bytes, end, most);
  }

  /** Reads the headers until they or the record exceed a limit. */
  private boolean readHeaders(ByteWindow bytes, long streamEnd, long recordEnd) {
    long from = bytes.plainPosition();
    long mayFollow = streamEnd == ANYWHERE ? mostHeaders : streamEnd - from;
    if (headerCount < 0 || (streamEnd != ANYWHERE && headerCount > mayFollow)) {
      return fail(Reason.RECORD_HEADER_COUNT_INVALID, headerCount, mayFollow);
    }
    if (headerCount > mostHeaders) {
      return fail(Reason.LIMIT_HEADERS, headerCount, mostHeaders);
    }
    long end = farthest(from, mostHeaderBytes);
    long most = Math.min(end, recordEnd);
    int i = skipShortHeaders(bytes, 0, most);
    while (i < headerCount && bytes.failure() == null && bytes.plainPosition() <= most) {
      int size = bytes.readVarint();
      if (size < 0) {
        return fail(Reason.RECORD_HEADER_KEY_INVALID, size, 0);
      }
      readHeaderKey(bytes, i, upTo(bytes, most, size));
      if (bytes.plainPosition() <= most) {
        size = bytes.readVarint();
        encoding.length(size);
        readHeaderValue(bytes, size, upTo(bytes, most, size));
      }
      i = skipShortHeaders(bytes, i + 1, most);
    }
    long read = bytes.plainPosition() - from;
    return from + read <= end
        || bytes.failure() != null
        || fail(Reason.LIMIT_HEADER_BYTES, read, mostHeaderBytes);
  }

  /** Skips headers, but none if the rules of a topic look at them. */
  private int skipShortHeaders(ByteWindow bytes, int from, long most) {
    RecordContent visible = content;
    return visible != null && visible.headers().isLookedAt()
        ? from
        : ShortHeaders.skip(bytes, from, headerCount, most, encoding.isWatching());
  }

  private void readHeaderKey(ByteWindow bytes, int header, int size) {
    RecordContent visible = content;
    if (visible == null) {
      encoding.skipKey(bytes, header, size);
    } else {
      encoding.key(header, visible.headers().readKey(bytes, header, size));
    }
  }

  private void readHeaderValue(ByteWindow bytes, int size, int readable) {
    RecordContent visible = content;
    bytes.skip(visible == null ? readable : visible.headers().readValue(bytes, size, readable));
  }

  /** {@return the last position that a limit allows} */
  static long farthest(long from, int limit) {
    return limit == Limits.UNLIMITED ? ANYWHERE : from + limit;
  }

  /** {@return the size of a field, cut to end at most one byte after the position} */
  private int upTo(ByteWindow bytes, long position, int size) {
    int count = (int) Math.min(size, position + 1 - bytes.plainPosition());
    spared = bytes.failure() == null ? size - count : spared;
    return count;
  }
}
