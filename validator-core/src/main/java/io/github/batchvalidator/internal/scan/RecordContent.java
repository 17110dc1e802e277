// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.scan;

import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.codec.SparseWindow;
import io.github.batchvalidator.rule.Prefix;
import io.github.batchvalidator.rule.SchemaPlace;
import io.github.batchvalidator.rule.TopicRule;
import io.github.batchvalidator.rule.TopicRules;
import java.util.List;

/**
 * What {@link TopicRules} may see of the current record: the first bytes of key and value, and its
 * {@link HeaderContent}. Only what the rules look at is read.
 *
 * <p>A record that is completely in an array is not copied. Of any other record, the iterator
 * copies the visible bytes piece by piece. Never allocates after its creation. Confined to one
 * thread.
 */
public final class RecordContent {
  /** The largest number of bytes of a key or value that are visible. */
  public static final int VISIBLE_BYTES = Prefix.MAX_BYTES;

  /** A byte 0 and an id, which is more than the bytes that a violation names. */
  private static final int PAYLOAD_ID_BYTES = 1 + Integer.BYTES;

  // The places of the copied bytes.
  private static final int KEY_AT = 0;
  private static final int VALUE_AT = VISIBLE_BYTES;

  private final byte[] pieces = new byte[2 * VISIBLE_BYTES];
  private final HeaderContent headers = new HeaderContent();

  private TopicRules rules = TopicRules.NONE;
  private boolean isLookedAt;
  private int keyBytes;
  private int valueBytes;

  private byte[] array = pieces;
  private int keyAt;
  private int valueAt;

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
      headers.begin(next);
      keyBytes = visibleBytes(next.get(TopicRule.KEY_STARTS), next.get(TopicRule.KEY_SCHEMA));
      valueBytes = visibleBytes(next.get(TopicRule.VALUE_STARTS), next.get(TopicRule.VALUE_SCHEMA));
      isLookedAt = headers.isLookedAt() || keyBytes + valueBytes > 0;
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
    headers.clear();
  }

  /** {@return the heap bytes that are held between batches} */
  public int heapBytes() {
    return pieces.length + headers.heapBytes();
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

  /** Sets the index of the first byte of the value. */
  void value(int at) {
    valueAt = at;
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
    if (!headers.isLookedAt()) {
      headers.none();
    } else if (!headers.readShort(bytes, headersAt, end, headerCount, false)) {
      headers.readAny(bytes, headersAt, end, headerCount);
    }
  }

  /** Starts a record whose visible bytes are copied. */
  void startPieces() {
    start(pieces, KEY_AT);
    value(VALUE_AT);
    headers.none();
  }

  /** Copies the first bytes of a key, and returns how many bytes of it are left to skip. */
  int readKey(ByteWindow window, int size) {
    return HeaderContent.copy(window, size, keyBytes, pieces, KEY_AT);
  }

  /** Copies the first bytes of a value, and returns how many bytes of it are left to skip. */
  int readValue(ByteWindow window, int size) {
    return HeaderContent.copy(window, size, valueBytes, pieces, VALUE_AT);
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

  /** {@return how many bytes of a key the rules look at} */
  int keyBytes() {
    return keyBytes;
  }

  /** {@return how many bytes of a value the rules look at} */
  int valueBytes() {
    return valueBytes;
  }

  // ---- for the rules

  /** {@return what is visible of the headers} */
  public HeaderContent headers() {
    return headers;
  }

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
}
