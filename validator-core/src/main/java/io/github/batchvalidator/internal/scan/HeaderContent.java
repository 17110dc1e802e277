// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.scan;

import io.github.batchvalidator.format.RecordLayout;
import io.github.batchvalidator.format.ShortVarint;
import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.rule.Prefix;
import io.github.batchvalidator.rule.TopicRules;
import java.util.Arrays;

/**
 * What {@link TopicRules} may see of the headers of the current record: which of the headers that
 * the rules name it has, and the first bytes of those with schema ids. Part of {@link
 * RecordContent}.
 *
 * <p>Headers that are completely in an array are not copied. Never allocates after its creation.
 * Confined to one thread.
 */
public final class HeaderContent {
  /** Sentinel: a header that the record does not have. */
  public static final int ABSENT = Integer.MIN_VALUE;

  /** The bit of {@link #seen} for header keys that are not UTF-8. */
  public static final long MALFORMED = LastHeaderKeys.MALFORMED;

  /** The bits of the headers with schema ids. */
  private static final long SCHEMAS = ((1L << SchemaKeys.COUNT) - 1) << SchemaKeys.FIRST_BIT;

  /** The place of a copied key, after the copied values. */
  private static final int KEY_AT = SchemaKeys.COUNT * Prefix.MAX_BYTES;

  private final byte[] pieces = new byte[KEY_AT + TopicRules.MAX_HEADER_BYTES];
  private final int[] schemaAt = new int[SchemaKeys.COUNT];
  private final int[] schemaSize = new int[SchemaKeys.COUNT];
  private final LastHeaderKeys lastKeys = new LastHeaderKeys();
  private final LastHeaderShape lastShape = new LastHeaderShape();

  /** Reads headers with long numbers. */
  private final ByteWindow numbers = new ByteWindow();

  private boolean isLookedAt;
  private byte[] array = pieces;
  private int start;
  private long shapeSeen; // of the headers in lastShape
  private long seen;
  private int malformedHeader;

  /** The bits of the header whose key was read last. */
  private long header;

  HeaderContent() {}

  /** Starts a batch with other rules. */
  void begin(TopicRules next) {
    lastKeys.forget(next);
    lastShape.forget();
    isLookedAt = next.looksAtHeaders();
    none();
  }

  /** {@return true if the rules look at headers} */
  boolean isLookedAt() {
    return isLookedAt;
  }

  /** Drops the caller's bytes. */
  void clear() {
    array = pieces;
    numbers.clear();
  }

  /** {@return the heap bytes that are held between batches} */
  int heapBytes() {
    return pieces.length
        + 2 * SchemaKeys.COUNT * Integer.BYTES
        + LastHeaderKeys.heapBytes()
        + LastHeaderShape.heapBytes();
  }

  // ---- for the iterators

  /** Takes a record without headers, or starts to read headers. */
  void none() {
    seen = 0;
    lastShape.skip();
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
  boolean readShort(byte[] bytes, int from, int end, int count, boolean regular) {
    start = from;
    if (array != bytes) {
      array = bytes;
    }
    if (lastShape.isSame(bytes, from, end, count, regular)) {
      seen = shapeSeen;
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
    long all = 0;
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
        malformedHeader = all < 0 ? malformedHeader : i;
      }
      all |= found;
      int value = at;
      at = ShortHeaders.skipField(bytes, at, end, RecordLayout.NULL_LENGTH, regular);
      if ((found & SCHEMAS) != 0 && end - at >= 0) {
        noteShortValue(bytes, from, value, found);
      }
    }
    seen = all;
    if (at != end) {
      return false;
    }
    if (all >= 0) {
      lastShape.learn(bytes, from, end, count, regular, schemaAt);
      shapeSeen = all;
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
   * Reads the headers of a record that was read and is completely in an array.
   *
   * @param bytes contains the headers
   * @param from index of the first header
   * @param end index after the record
   * @param count the number of headers
   */
  void readAny(byte[] bytes, int from, int end, int count) {
    none();
    numbers.wrap(bytes, from, end - from);
    for (int i = 0; i < count; i++) {
      readKey(numbers, i, numbers.readVarint());
      int size = numbers.readVarint();
      numbers.skip(readValue(numbers, size, size));
    }
  }

  /** Copies the first bytes of a field, and returns how many bytes of it are left to skip. */
  static int copy(ByteWindow window, int size, int most, byte[] to, int at) {
    int done = 0;
    while (done < Math.min(size, most) && (window.available() > 0 || window.refill())) {
      to[at + done++] = window.readByte();
    }
    return size - done; // the skip that follows reports how many bytes are missing
  }

  /** Reads the key of a header, and returns whether it is UTF-8. */
  boolean readKey(ByteWindow window, int index, int size) {
    int state = Utf8.WELL_FORMED;
    int done = 0;
    while (done < size && window.refill()) {
      int at = window.position();
      int step = Math.min(size - done, window.available());
      state = Utf8.advance(state, window.array(), at, at + step);
      int copied = Math.max(0, Math.min(step, TopicRules.MAX_HEADER_BYTES - done));
      System.arraycopy(window.array(), at, pieces, KEY_AT + Math.min(done, 0xFF), copied);
      window.position(at + step);
      done += step;
    }
    window.skip(size - done);
    boolean wellFormed = state == Utf8.WELL_FORMED;
    boolean isShort = size <= TopicRules.MAX_HEADER_BYTES;
    header = isShort ? lastKeys.lookUp(pieces, KEY_AT, size) : 0;
    seen |= header;
    if (!wellFormed) {
      malformedHeader = hasMalformedHeader() ? malformedHeader : index;
      seen |= LastHeaderKeys.MALFORMED;
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
  int readValue(ByteWindow window, int size, int readable) {
    if ((header & SCHEMAS) == 0) {
      return readable;
    }
    int schema = schemaOf(header);
    int at = schema * Prefix.MAX_BYTES;
    array = pieces;
    start = 0;
    lastShape.forget();
    noteValue(header, at, size);
    return copy(window, readable, Prefix.MAX_BYTES, pieces, at);
  }

  // ---- for the rules

  /**
   * {@return the bits of the headers: those of {@link TopicRules#headerBit} and {@link SchemaKeys},
   * and {@link #MALFORMED}}
   */
  public long seen() {
    return seen;
  }

  /** {@return true if the key of a header is not UTF-8} */
  public boolean hasMalformedHeader() {
    return seen < 0;
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
    boolean isThere = (seen >>> (SchemaKeys.FIRST_BIT + schema) & 1) != 0;
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
    lastShape.allowIds(array, start);
  }

  /** {@return the array with the visible bytes of headers, valid until the next record} */
  public byte[] array() {
    return array;
  }

  /** {@return the index of the first byte of the value of a header with a schema id} */
  public int schemaAt(int schema) {
    return start + schemaAt[schema];
  }
}
