// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.scan;

import io.github.batchvalidator.format.RecordLayout;
import io.github.batchvalidator.format.ShortVarint;
import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.codec.SparseWindow;
import io.github.batchvalidator.rule.Prefix;
import io.github.batchvalidator.rule.SchemaPlace;
import io.github.batchvalidator.rule.TopicRule;
import io.github.batchvalidator.rule.TopicRules;
import java.util.Arrays;
import java.util.List;

/**
 * What {@link TopicRules} may see of the current record: the first bytes of key and value, which
 * headers it has, and the first bytes of headers with schema ids. Only what the rules look at is
 * read.
 *
 * <p>A record that is completely in an array is not copied. Of any other record, the iterator
 * copies the visible bytes piece by piece. Never allocates after its creation. Confined to one
 * thread.
 */
public final class RecordContent {
  /** The largest number of bytes of a key, value or header value that are visible. */
  public static final int VISIBLE_BYTES = Prefix.MAX_BYTES;

  /** Sentinel: a header that the record does not have. */
  public static final int ABSENT = Integer.MIN_VALUE;

  /** The bit of {@link #headersSeen} for header keys that are not UTF-8. */
  public static final long MALFORMED = LastHeaderKeys.MALFORMED;

  /** The bits of the headers with schema ids. */
  private static final long SCHEMAS = ((1L << SchemaKeys.COUNT) - 1) << SchemaKeys.FIRST_BIT;

  /** A byte 0 and an id, which is more than the bytes that a violation names. */
  private static final int PAYLOAD_ID_BYTES = 1 + Integer.BYTES;

  // The places of the copied bytes.
  private static final int KEY_AT = 0;
  private static final int VALUE_AT = VISIBLE_BYTES;
  private static final int SCHEMAS_AT = 2 * VISIBLE_BYTES;
  private static final int HEADER_KEY_AT = SCHEMAS_AT + SchemaKeys.COUNT * VISIBLE_BYTES;

  private final byte[] pieces = new byte[HEADER_KEY_AT + TopicRules.MAX_HEADER_BYTES];
  private final int[] schemaAt = new int[SchemaKeys.COUNT];
  private final int[] schemaSize = new int[SchemaKeys.COUNT];
  private final LastHeaderKeys lastKeys = new LastHeaderKeys();
  private final LastHeaderShape lastShape = new LastHeaderShape();

  /** Reads headers with long numbers. */
  private final ByteWindow numbers = new ByteWindow();

  private TopicRules rules = TopicRules.NONE;
  private boolean looksAtHeaders;
  private boolean isLookedAt;
  private int keyBytes;
  private int valueBytes;

  private byte[] array = pieces;
  private byte[] headerArray = pieces;
  private int keyAt;
  private int valueAt;
  private int headersAt;
  private long shapeSeen; // of the headers in lastShape
  private long headersSeen;
  private int malformedHeader;

  /** The bits of the header whose key was read last. */
  private long header;

  public RecordContent() {}

  /**
   * Starts a batch.
   *
   * @param next decides what is looked at
   */
  @SuppressWarnings("ReferenceEquality") // equal rules may be taken for others
  public void begin(TopicRules next) {
    if (rules != next) { // nearly always the same
      rules = next;
      lastKeys.forget(next);
      lastShape.forget();
      looksAtHeaders = next.looksAtHeaders();
      keyBytes = visibleBytes(next.get(TopicRule.KEY_STARTS), next.get(TopicRule.KEY_SCHEMA));
      valueBytes = visibleBytes(next.get(TopicRule.VALUE_STARTS), next.get(TopicRule.VALUE_SCHEMA));
      isLookedAt = looksAtHeaders || keyBytes + valueBytes > 0;
      noHeaders();
    }
  }

  /** {@return how many bytes of a key or value the rules look at} */
  private static int visibleBytes(List<Prefix> starts, SchemaPlace schema) {
    int bytes = schema.isPayloadRead() || !starts.isEmpty() ? PAYLOAD_ID_BYTES : 0;
    for (int i = 0; i < starts.size(); i++) {
      bytes = Math.max(bytes, starts.get(i).length());
    }
    return bytes;
  }

  /** {@return true if the rules look at more than the fields of the walk} */
  public boolean isLookedAt() {
    return isLookedAt;
  }

  /** Drops the caller's bytes. */
  public void clear() {
    array = pieces;
    headerArray = pieces;
    numbers.clear();
  }

  /** {@return the heap bytes that are held between batches} */
  public int heapBytes() {
    return pieces.length
        + 2 * SchemaKeys.COUNT * Integer.BYTES
        + LastHeaderKeys.heapBytes()
        + LastHeaderShape.heapBytes();
  }

  // ---- for the iterators

  /**
   * Starts a record that is completely in an array.
   *
   * @param bytes contains the record
   * @param key index of the first byte of the key
   */
  void start(byte[] bytes, int key) {
    if (array != bytes) { // writing a reference costs more than comparing it
      array = bytes;
    }
    keyAt = key;
  }

  /** Takes a record without headers, or starts to read headers. */
  void noHeaders() {
    headersSeen = 0;
    lastShape.skip();
  }

  /** Sets the index of the first byte of the value. */
  void value(int at) {
    valueAt = at;
  }

  /**
   * Reads the headers of a record with short numbers.
   *
   * @param bytes contains the headers
   * @param from index of the first header
   * @param end index after the record
   * @param count the number of headers
   * @param regular true if headers that Kafka would write differently are not read
   * @return false if the headers do not end at {@code end} or have other numbers; the record then
   *     has to be started again
   */
  boolean readShortHeaders(byte[] bytes, int from, int end, int count, boolean regular) {
    headersAt = from;
    if (headerArray != bytes) {
      headerArray = bytes;
    }
    if (lastShape.isSame(bytes, from, end, count, regular)) {
      headersSeen = shapeSeen;
      return true;
    }
    if (!readShortKeys(bytes, from, end, count, regular)) {
      lastShape.forget();
      return false;
    }
    return true;
  }

  private boolean readShortKeys(byte[] bytes, int from, int end, int count, boolean regular) {
    Arrays.fill(schemaAt, ABSENT);
    long seen = 0;
    int at = from;
    for (int i = 0; i < count; i++) {
      long found;
      if (lastKeys.isSame(i, bytes, at, end)) {
        at += lastKeys.size(i);
        found = lastKeys.bits(i);
      } else {
        int key = at;
        at = ShortHeaders.skipField(bytes, key, end, 0, regular);
        if (end - at < 0) {
          return false;
        }
        found = lastKeys.learn(i, bytes, key, at);
      }
      if (found < 0) {
        if (regular) {
          return false;
        }
        malformedHeader = seen < 0 ? malformedHeader : i;
      }
      seen |= found;
      int value = at;
      at = ShortHeaders.skipField(bytes, at, end, RecordLayout.NULL_LENGTH, regular);
      if ((found & SCHEMAS) != 0 && end - at >= 0) {
        noteShortValue(bytes, from, value, found);
      }
    }
    headersSeen = seen;
    if (at != end) {
      return false;
    }
    if (seen >= 0) {
      lastShape.learn(bytes, from, end, count, regular, schemaAt);
      shapeSeen = headersSeen;
    } else {
      lastShape.forget();
    }
    return true;
  }

  private void noteShortValue(byte[] bytes, int from, int at, long found) {
    if (bytes[at] >= 0) {
      noteValue(found, at + 1 - from, ShortVarint.zigZag(bytes[at]));
    } else {
      int word = (bytes[at] & 0xFF) | bytes[at + 1] << Byte.SIZE;
      noteValue(found, at + Short.BYTES - from, ShortVarint.decode(word, Short.BYTES));
    }
  }

  private void noteValue(long found, int at, int size) {
    int schema = schemaOf(found);
    schemaAt[schema] = at;
    schemaSize[schema] = size;
  }

  /** {@return the index among the headers with schema ids, for the bits of such a header} */
  private static int schemaOf(long found) {
    return Long.numberOfTrailingZeros(found & SCHEMAS) - SchemaKeys.FIRST_BIT;
  }

  /**
   * Takes a record that was read and is completely in an array.
   *
   * @param bytes contains the record
   * @param key index of the first byte of the key
   * @param value index of the first byte of the value
   * @param headersAt index of the first header
   * @param end index after the record
   * @param headerCount the number of headers
   */
  public void whole(byte[] bytes, int key, int value, int headersAt, int end, int headerCount) {
    start(bytes, key);
    value(value);
    if (!looksAtHeaders) {
      noHeaders();
    } else if (!readShortHeaders(bytes, headersAt, end, headerCount, false)) {
      noHeaders();
      readHeaders(bytes, headersAt, end, headerCount);
    }
  }

  private void readHeaders(byte[] bytes, int from, int end, int count) {
    numbers.wrap(bytes, from, end - from);
    for (int i = 0; i < count; i++) {
      readHeaderKey(numbers, i, numbers.readVarint());
      int size = numbers.readVarint();
      numbers.skip(readHeaderValue(numbers, size, size));
    }
  }

  /** Starts a record whose visible bytes are copied. */
  void startPieces() {
    start(pieces, KEY_AT);
    value(VALUE_AT);
    noHeaders();
  }

  /** Copies the first bytes of a key, and returns how many bytes of it are left to skip. */
  int readKey(ByteWindow window, int size) {
    return read(window, size, keyBytes, KEY_AT);
  }

  /** Copies the first bytes of a value, and returns how many bytes of it are left to skip. */
  int readValue(ByteWindow window, int size) {
    return read(window, size, valueBytes, VALUE_AT);
  }

  private int read(ByteWindow window, int size, int most, int to) {
    int done = 0;
    while (done < Math.min(size, most) && (window.available() > 0 || window.refill())) {
      pieces[to + done++] = window.readByte();
    }
    return size - done; // the skip that follows reports how many bytes are missing
  }

  /** Copies the first bytes of a key; false if the window declines. */
  boolean requestKey(SparseWindow window, int at, int size) {
    return request(window, at, Math.min(size, keyBytes), KEY_AT);
  }

  /** Copies the first bytes of a value; false if the window declines. */
  boolean requestValue(SparseWindow window, int at, int size) {
    return request(window, at, Math.min(size, valueBytes), VALUE_AT);
  }

  private boolean request(SparseWindow window, int at, int bytes, int to) {
    if (bytes <= 0) {
      return true;
    }
    int from = window.request(at, bytes);
    if (from < 0) {
      return false;
    }
    System.arraycopy(window.array(), from, pieces, to, bytes);
    return true;
  }

  /** Reads the key of a header, and returns whether it is UTF-8. */
  boolean readHeaderKey(ByteWindow window, int index, int size) {
    int state = Utf8.WELL_FORMED;
    int done = 0;
    while (done < size && window.refill()) {
      int at = window.position();
      int step = Math.min(size - done, window.available());
      state = Utf8.advance(state, window.array(), at, at + step);
      int copied = Math.max(0, Math.min(step, TopicRules.MAX_HEADER_BYTES - done));
      System.arraycopy(window.array(), at, pieces, HEADER_KEY_AT + Math.min(done, 0xFF), copied);
      window.position(at + step);
      done += step;
    }
    window.skip(size - done);
    boolean wellFormed = state == Utf8.WELL_FORMED;
    boolean isShort = size <= TopicRules.MAX_HEADER_BYTES;
    header = isShort ? lastKeys.lookUp(pieces, HEADER_KEY_AT, size) : 0;
    headersSeen |= header;
    if (!wellFormed) {
      malformedHeader = hasMalformedHeader() ? malformedHeader : index;
      headersSeen |= LastHeaderKeys.MALFORMED;
    }
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
    if ((header & SCHEMAS) == 0) {
      return readable;
    }
    int schema = schemaOf(header);
    int at = SCHEMAS_AT + schema * VISIBLE_BYTES;
    headerArray = pieces;
    headersAt = 0;
    lastShape.forget();
    noteValue(header, at, size);
    return read(window, readable, VISIBLE_BYTES, at);
  }

  /** {@return true if the rules look at headers} */
  boolean looksAtHeaders() {
    return looksAtHeaders;
  }

  /** {@return how many bytes of a key the rules look at} */
  int keyBytes() {
    return keyBytes;
  }

  /** {@return how many bytes of a value the rules look at} */
  int valueBytes() {
    return valueBytes;
  }

  // ---- for the rules

  /** {@return the array with the visible bytes of key and value, valid until the next record} */
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

  /**
   * {@return the bits of the headers: those of {@link TopicRules#headerBit} and {@link SchemaKeys},
   * and {@link #MALFORMED}}
   */
  public long headersSeen() {
    return headersSeen;
  }

  /** {@return true if the key of a header is not UTF-8} */
  public boolean hasMalformedHeader() {
    return headersSeen < 0;
  }

  /** {@return the index of the first header whose key is not UTF-8, if there is one} */
  public int malformedHeader() {
    return malformedHeader;
  }

  /**
   * {@return the size of a header's value, negative for null, or {@link #ABSENT}}
   *
   * @param schema the index among the headers with schema ids
   */
  public int schemaSize(int schema) {
    boolean isThere = (headersSeen >>> (SchemaKeys.FIRST_BIT + schema) & 1) != 0;
    return isThere ? schemaSize[schema] : ABSENT;
  }

  /** {@return true if a header has the schema id of the key or of the value} */
  public boolean hasSchema(int schema) {
    return schemaSize(schema) != ABSENT || schemaSize(schema + SchemaKeys.TO_GLOBAL_ID) != ABSENT;
  }

  /** {@return true if the schema ids are those of the headers that {@link #allowIds} noted} */
  public boolean hasAllowedIds() {
    return lastShape.hasAllowedIds();
  }

  /** Notes that the schema ids in the headers, and no others, decided that they are allowed. */
  public void allowIds() {
    lastShape.allowIds(headerArray, headersAt);
  }

  /** {@return the array with the visible bytes of headers, valid until the next record} */
  public byte[] headerArray() {
    return headerArray;
  }

  /** {@return the index of the first byte of the value of a header with a schema id} */
  public int schemaAt(int schema) {
    return headersAt + schemaAt[schema];
  }
}
