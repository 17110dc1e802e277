// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.scan;

import io.github.batchvalidator.format.RecordLayout;
import io.github.batchvalidator.format.ShortVarint;
import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.codec.SparseWindow;
import io.github.batchvalidator.rule.Limits;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An iterator over the records of a compressed batch of magic 2 whose keys and values stay
 * compressed. It reads what {@link SkipKeyValueIterator} reads, from a {@link SparseWindow}. It has
 * its own reader for long headers, because no window contains the record: its bytes are requested
 * piece by piece.
 *
 * <p>This iterator reports no faults. It stops early at a record that {@link SkipKeyValueIterator}
 * refuses, and at a record that does not fill its declared length. Then it is not {@linkplain
 * #isComplete complete}, and the other iterator has to read the batch from the start.
 *
 * <p>Reused for every batch. Never allocates, never throws. Confined to one thread.
 */
public final class SparseRecordIterator extends BatchRecordWalk {
  /** The bytes to request of the head of a record: a short length, and the word after it. */
  private static final int HEAD_BYTES = ShortVarint.MAX_BYTES + ByteWindow.PEEK_BYTES;

  /** The largest key that is materialized with the head, because it costs less than a look-up. */
  private static final int LARGEST_KEY_AHEAD = 32;

  /** The largest headers that are materialized although they are only skipped. */
  private static final int MOST_SKIPPED_BYTES =
      SparseWindow.MOST_BYTES - (HEAD_BYTES + LARGEST_KEY_AHEAD + ShortVarint.MAX_BYTES);

  /** The largest head: length, attributes, both deltas and key size. */
  private static final int MOST_HEAD_BYTES =
      3 * RecordLayout.MAX_VARINT_BYTES + 1 + RecordLayout.MAX_VARLONG_BYTES;

  /** Wraps the materialized bytes of long numbers. */
  private final ByteWindow numbers = new ByteWindow();

  private @Nullable SparseWindow plain;
  private int mostBytes;

  /** Plain position of the next byte to read. */
  private int cursor;

  /** Plain position after the current record, by its declared length. */
  private int end;

  private boolean sound;

  public SparseRecordIterator() {}

  /**
   * Starts at the first record.
   *
   * @param window the open payload; kept until the next start
   * @param count how many records the batch declares
   * @param limits the limits for the size and number of records
   */
  public void open(SparseWindow window, int count, Limits limits) {
    numbers.clear();
    begin(numbers, count, limits);
    if (plain != window) { // nearly always the same, and a reference costs more to write
      plain = window;
    }
    mostBytes = limits.recordBytes();
    cursor = 0;
    end = 0;
    sound = !own.isSet();
  }

  /**
   * Moves to the next record.
   *
   * @return false after the last declared record, and where another iterator is needed
   */
  public boolean next() {
    if (index + 1 >= recordCount || !sound) {
      return false;
    }
    index++;
    start = cursor;
    sound = read(Objects.requireNonNull(plain), null);
    return sound;
  }

  /**
   * Moves to the next record and takes its {@link RecordContent}.
   *
   * @param visible filled with what is visible of the record
   * @return false after the last declared record, and where another iterator is needed
   */
  public boolean nextWithContent(RecordContent visible) {
    if (index + 1 >= recordCount || !sound) {
      return false;
    }
    index++;
    start = cursor;
    visible.startPieces();
    sound = read(Objects.requireNonNull(plain), visible);
    return sound;
  }

  /** {@return true if all declared records were read and fill the payload exactly} */
  public boolean isComplete() {
    return sound && index + 1 == recordCount && cursor == Objects.requireNonNull(plain).length();
  }

  /** {@return the sum of the declared lengths and of their length fields} */
  public long declaredBytes() {
    return cursor;
  }

  private boolean read(SparseWindow bytes, @Nullable RecordContent visible) {
    if (!readShortHead(bytes) && !readAnyHead(bytes)) {
      return false;
    }
    int keyAt = cursor;
    if (!skip(keySize) || (visible != null && !visible.requestKey(bytes, keyAt, keySize))) {
      return false;
    }
    valueSize = readNumber(bytes);
    int valueAt = cursor;
    return skip(valueSize)
        && (visible == null || visible.requestValue(bytes, valueAt, valueSize))
        && readHeaders(bytes, visible);
  }

  /** As {@link SkipKeyValueIterator} reads a short record. */
  private boolean readShortHead(SparseWindow bytes) {
    int at = bytes.request(cursor, HEAD_BYTES);
    if (at < 0) {
      return false;
    }
    byte[] array = bytes.array();
    long word = ByteWindow.peek(array, at);
    int length = ShortVarint.length(word);
    if (length > ShortVarint.MAX_BYTES) {
      return false;
    }
    int size = ShortVarint.decode(word, length);
    if (size < 0
        || size > bytes.length() - cursor - length
        || size > mostBytes
        || ShortVarint.isOverlong(size, length)) {
      return false;
    }
    bodySize = size;
    int deltas = readShortHead(ByteWindow.peek(array, at + length), false);
    if (deltas == NOT_SHORT) {
      return false;
    }
    end = cursor + length + size;
    cursor += length + HEAD_FIXED_BYTES + deltas;
    return true;
  }

  private boolean readAnyHead(SparseWindow bytes) {
    int at = bytes.request(cursor, MOST_HEAD_BYTES);
    if (at < 0) {
      return false;
    }
    numbers.wrap(bytes.array(), at, Math.min(MOST_HEAD_BYTES, bytes.length() - cursor));
    bodySize = numbers.readVarint();
    int length = numbers.position() - at;
    readHead(numbers);
    if (numbers.failure() != null
        || bodySize < 0
        || bodySize > bytes.length() - cursor - length
        || bodySize > mostBytes
        || length > RecordLayout.sizeOfVarint(bodySize)) {
      return false;
    }
    end = cursor + length + bodySize;
    cursor += numbers.position() - at;
    return true;
  }

  /** Skips a field, if the record has so many bytes left. */
  private boolean skip(int size) {
    int bytes = Math.max(size, 0);
    if (!sound || bytes > end - cursor) {
      return false;
    }
    cursor += bytes;
    return true;
  }

  /** Reads a number. Clears {@code sound} if that is impossible. */
  private int readNumber(SparseWindow bytes) {
    int at = bytes.request(cursor, ShortVarint.MAX_BYTES);
    if (at >= 0) {
      long word = ByteWindow.peek(bytes.array(), at);
      int length = ShortVarint.length(word);
      if (length <= ShortVarint.MAX_BYTES) {
        cursor += length;
        return ShortVarint.decode(word, length);
      }
    }
    return readAnyNumber(bytes);
  }

  private int readAnyNumber(SparseWindow bytes) {
    int at = bytes.request(cursor, RecordLayout.MAX_VARINT_BYTES);
    if (at < 0) {
      sound = false;
      return 0;
    }
    int left = bytes.length() - cursor;
    numbers.wrap(bytes.array(), at, Math.min(RecordLayout.MAX_VARINT_BYTES, left));
    int number = numbers.readVarint();
    cursor += numbers.position() - at;
    sound = numbers.failure() == null;
    return number;
  }

  /** Reads the headers, together with the head of the next record: one look-up for both. */
  private boolean readHeaders(SparseWindow bytes, @Nullable RecordContent visible) {
    boolean looked = visible != null && visible.headers().isLookedAt();
    int left = end - cursor;
    if (left < 1) {
      return false;
    }
    if (left <= (looked ? SparseWindow.MOST_BYTES : MOST_SKIPPED_BYTES)) {
      int ahead = bytesAhead(visible);
      int at = bytes.request(cursor, Math.min(left + ahead, SparseWindow.MOST_BYTES));
      if (at >= 0 && readShortHeaders(bytes.array(), at, left, visible)) {
        cursor = end;
        return true;
      }
    }
    return !looked && readAnyHeaders(bytes);
  }

  /**
   * {@return the size of what is read next if the next key is like this one: the head, and the
   * visible bytes or the value size}
   */
  private int bytesAhead(@Nullable RecordContent visible) {
    int keyBytes = visible == null ? 0 : visible.keyBytes();
    int valueBytes = visible == null ? 0 : visible.valueBytes();
    if (keySize > LARGEST_KEY_AHEAD) {
      return HEAD_BYTES + keyBytes;
    }
    return HEAD_BYTES + valueBytes + (keySize > 0 ? keySize + ShortVarint.MAX_BYTES : 0);
  }

  private boolean readShortHeaders(
      byte[] array, int at, int left, @Nullable RecordContent visible) {
    if (left == 1) {
      headerCount = 0;
      return array[at] == 0;
    }
    return nextShortHeaders(array, at, at + left, false, visible);
  }

  private boolean readAnyHeaders(SparseWindow bytes) {
    headerCount = readNumber(bytes);
    if (headerCount < 0 || headerCount > mostHeaders || end - cursor > mostHeaderBytes) {
      return false;
    }
    for (int i = 0; i < headerCount; i++) {
      int size = readNumber(bytes);
      if (size < 0 || !skip(size) || !skip(readNumber(bytes))) {
        return false;
      }
    }
    // The last value may end in blocks that no request has reached. They have to be sound.
    return sound && cursor == end && bytes.request(end - 1, 1) >= 0;
  }
}
