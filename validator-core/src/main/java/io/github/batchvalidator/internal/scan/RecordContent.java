// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.scan;

import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.rule.HeaderKeys;
import io.github.batchvalidator.rule.Prefix;
import io.github.batchvalidator.rule.TopicRules;
import java.util.Arrays;

/**
 * What {@link TopicRules} may see of the current record: the first bytes of key and value, which
 * headers it has, and the first bytes of headers with schema ids.
 *
 * <p>A record that is completely in an array is not copied. Of any other record, the iterator
 * copies the visible bytes piece by piece. Never allocates after its creation. Confined to one
 * thread.
 */
public final class RecordContent {
  /** The number of bytes of a key, value or header value that are visible. */
  public static final int VISIBLE_BYTES = Prefix.MAX_BYTES;

  /** Sentinel: a header that the record does not have. */
  public static final int ABSENT = Integer.MIN_VALUE;

  /** Sentinel: every header key is UTF-8. */
  public static final int NONE = -1;

  // The places of the copied bytes.
  private static final int KEY_AT = 0;
  private static final int VALUE_AT = VISIBLE_BYTES;
  private static final int SCHEMAS_AT = 2 * VISIBLE_BYTES;
  private static final int HEADER_KEY_AT = SCHEMAS_AT + HeaderKeys.SCHEMA_COUNT * VISIBLE_BYTES;

  private final byte[] pieces = new byte[HEADER_KEY_AT + HeaderKeys.MAX_KEY_BYTES];
  private final int[] schemaAt = new int[HeaderKeys.SCHEMA_COUNT];
  private final int[] schemaSize = new int[HeaderKeys.SCHEMA_COUNT];

  private HeaderKeys headerKeys = TopicRules.NONE.headerKeys();
  private boolean looksAtHeaders;
  private byte[] array = pieces;
  private int keyAt;
  private int valueAt;
  private long headersSeen;
  private int malformedHeader;

  /** The number of the header whose key was read last. */
  private int header;

  public RecordContent() {}

  /**
   * Starts a batch.
   *
   * @param next names the headers to look for
   */
  public void begin(TopicRules next) {
    HeaderKeys keys = next.headerKeys();
    if (headerKeys != keys) { // writing a reference costs more than comparing it
      headerKeys = keys;
    }
    looksAtHeaders = next.looksAtHeaders();
  }

  private void start(byte[] bytes) {
    if (array != bytes) {
      array = bytes;
    }
    headersSeen = 0;
    malformedHeader = NONE;
    if (looksAtHeaders) {
      Arrays.fill(schemaSize, ABSENT);
    }
  }

  /** Drops the caller's bytes. */
  public void clear() {
    array = pieces;
  }

  // ---- for the iterators

  /**
   * Takes a record that was read and is completely in an array.
   *
   * @param bytes contains the record
   * @param from index of its length field
   * @param record has the sizes of the record
   */
  void whole(byte[] bytes, int from, BatchRecordWalk record) {
    int attributes = afterNumber(bytes, from);
    int keySizeAt = afterNumber(bytes, afterNumber(bytes, attributes + 1));
    int key = afterNumber(bytes, keySizeAt);
    int value = afterNumber(bytes, key + Math.max(record.keySize, 0));
    int headersAt = looksAtHeaders ? afterNumber(bytes, value + Math.max(record.valueSize, 0)) : 0;
    whole(bytes, key, value, headersAt, record.headerCount);
  }

  /**
   * Takes a record that was read and is completely in an array.
   *
   * @param bytes contains the record
   * @param key index of the first byte of the key
   * @param value index of the first byte of the value
   * @param headersAt index of the first header
   * @param headerCount the number of headers
   */
  public void whole(byte[] bytes, int key, int value, int headersAt, int headerCount) {
    start(bytes);
    keyAt = key;
    valueAt = value;
    if (looksAtHeaders) {
      readHeaders(headersAt, headerCount);
    }
  }

  private static int afterNumber(byte[] bytes, int from) {
    int at = from;
    while (bytes[at] < 0) {
      at++;
    }
    return at + 1;
  }

  private void readHeaders(int from, int count) {
    int at = from;
    for (int i = 0; i < count; i++) {
      int key = afterNumber(array, at);
      int size = number(at, key);
      int valueSizeAt = key + size;
      int value = afterNumber(array, valueSizeAt);
      int valueSize = number(valueSizeAt, value);
      note(i, headerKeys.numberOf(array, key, size), Utf8.isWellFormed(array, key, key + size));
      noteValue(value, valueSize);
      at = value + Math.max(valueSize, 0);
    }
  }

  /** {@return the zig-zag number in some bytes, which is valid} */
  private int number(int from, int to) {
    int raw = 0;
    for (int at = to - 1; at >= from; at--) {
      raw = raw << (Byte.SIZE - 1) | (array[at] & 0x7F);
    }
    return raw >>> 1 ^ -(raw & 1);
  }

  private void note(int index, int number, boolean wellFormed) {
    header = number;
    if (number != HeaderKeys.UNNAMED) {
      headersSeen |= 1L << number;
    }
    if (!wellFormed && malformedHeader == NONE) {
      malformedHeader = index;
    }
  }

  private void noteValue(int at, int size) {
    int schema = header - HeaderKeys.FIRST_SCHEMA;
    if (schema >= 0) {
      schemaAt[schema] = at;
      schemaSize[schema] = size;
    }
  }

  /** Starts a record whose visible bytes are copied. */
  void startPieces() {
    start(pieces);
    keyAt = KEY_AT;
    valueAt = VALUE_AT;
  }

  /** Copies the first bytes of a key, and returns how many bytes of it are left to skip. */
  int readKey(ByteWindow window, int size) {
    return read(window, size, KEY_AT);
  }

  /** Copies the first bytes of a value, and returns how many bytes of it are left to skip. */
  int readValue(ByteWindow window, int size) {
    return read(window, size, VALUE_AT);
  }

  private int read(ByteWindow window, int size, int to) {
    int bytes = Math.min(size, VISIBLE_BYTES);
    for (int i = 0; i < bytes; i++) {
      pieces[to + i] = window.readByte();
    }
    return size - Math.max(bytes, 0);
  }

  /** Copies first bytes of a key from an array. */
  void copyKey(byte[] from, int at, int bytes) {
    System.arraycopy(from, at, pieces, KEY_AT, bytes);
  }

  /** Copies first bytes of a value from an array. */
  void copyValue(byte[] from, int at, int bytes) {
    System.arraycopy(from, at, pieces, VALUE_AT, bytes);
  }

  /** Reads the key of a header, and returns whether it is UTF-8. */
  boolean readHeaderKey(ByteWindow window, int index, int size) {
    int state = Utf8.WELL_FORMED;
    int done = 0;
    while (done < size && window.refill()) {
      int at = window.position();
      int step = Math.min(size - done, window.available());
      state = Utf8.advance(state, window.array(), at, at + step);
      int copied = Math.max(0, Math.min(step, HeaderKeys.MAX_KEY_BYTES - done));
      System.arraycopy(window.array(), at, pieces, HEADER_KEY_AT + Math.min(done, 0xFF), copied);
      window.position(at + step);
      done += step;
    }
    window.skip(size - done);
    boolean wellFormed = state == Utf8.WELL_FORMED;
    boolean isShort = size <= HeaderKeys.MAX_KEY_BYTES;
    int number = isShort ? headerKeys.numberOf(pieces, HEADER_KEY_AT, size) : HeaderKeys.UNNAMED;
    note(index, number, wellFormed);
    return wellFormed;
  }

  /**
   * Copies the first bytes of the value of the header that was read last, and returns how many
   * bytes of it are left to skip.
   *
   * @param window the window
   * @param size the size of the value, negative for null
   * @param readable how many bytes of it may be read
   */
  int readHeaderValue(ByteWindow window, int size, int readable) {
    int schema = header - HeaderKeys.FIRST_SCHEMA;
    if (schema < 0) {
      return readable;
    }
    int at = SCHEMAS_AT + schema * VISIBLE_BYTES;
    noteValue(at, size);
    return read(window, readable, at);
  }

  /** Reads headers that are in an array, of a record whose visible bytes are copied. */
  void copyHeaders(byte[] from, int at, int count) {
    if (!looksAtHeaders) {
      return;
    }
    array = from;
    readHeaders(at, count);
    array = pieces;
    for (int i = 0; i < HeaderKeys.SCHEMA_COUNT; i++) {
      int bytes = Math.min(schemaSize[i], VISIBLE_BYTES);
      if (bytes > 0) {
        int to = SCHEMAS_AT + i * VISIBLE_BYTES;
        System.arraycopy(from, schemaAt[i], pieces, to, bytes);
        schemaAt[i] = to;
      }
    }
  }

  /** {@return true if the rules need the headers} */
  boolean looksAtHeaders() {
    return looksAtHeaders;
  }

  // ---- for the rules

  /** {@return the array with all visible bytes, valid until the next record} */
  public byte[] array() {
    return array;
  }

  /** {@return the index of the first byte of the key} */
  public int keyAt() {
    return keyAt;
  }

  /** {@return the index of the first byte of the value} */
  public int valueAt() {
    return valueAt;
  }

  /** {@return the headers that a rule names, as bits of {@link HeaderKeys#numberOf}} */
  public long headersSeen() {
    return headersSeen;
  }

  /** {@return the index of the first header whose key is not UTF-8, or {@link #NONE}} */
  public int malformedHeader() {
    return malformedHeader;
  }

  /**
   * {@return the size of a header's value, negative for null, or {@link #ABSENT}}
   *
   * @param schema the index among the headers with schema ids
   */
  public int schemaSize(int schema) {
    return schemaSize[schema];
  }

  /**
   * {@return the index of the first byte of a header's value}
   *
   * @param schema the index among the headers with schema ids
   */
  public int schemaAt(int schema) {
    return schemaAt[schema];
  }
}
