// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.rebuild;

import io.github.batchvalidator.internal.scan.LegacyMessageIterator;
import io.github.batchvalidator.internal.scan.RecordIterator;

/**
 * The fields of one record that is written field by field, whatever its source. Keys, values and
 * headers are ranges of arrays. Reused for every record.
 */
final class OutputRecord {
  private static final byte[] NOTHING = {};

  long timestamp;
  byte[] array = NOTHING;
  int keyAt;
  int keySize;
  int valueAt;
  int valueSize;

  byte[] headers = NOTHING;
  int headersAt;
  int headersSize;
  int headerCount;
  boolean canonicalHeaders;

  OutputRecord() {}

  /** Points to a record of magic 2, with {@code at} as its timestamp. */
  OutputRecord of(RecordIterator record, long at) {
    timestamp = at;
    array = record.array();
    keyAt = record.keyPosition();
    keySize = record.keySize();
    valueAt = record.valuePosition();
    valueSize = record.valueSize();
    headers = array;
    headersAt = record.headersPosition();
    headersSize = record.end() - headersAt;
    headerCount = record.headerCount();
    canonicalHeaders = record.hasCanonicalHeaders();
    return this;
  }

  /** Points to a message of magic 0 or 1 that contains all its fields. */
  OutputRecord of(LegacyMessageIterator message) {
    timestamp = message.timestamp();
    if (array != message.array()) { // a reference costs more to write than to compare
      array = message.array();
    }
    keyAt = message.keyPosition();
    keySize = message.keySize();
    valueAt = message.valuePosition();
    valueSize = message.valueSize();
    if (headers != NOTHING) {
      headers = NOTHING;
    }
    headersAt = 0;
    headersSize = 0;
    headerCount = 0;
    canonicalHeaders = true;
    return this;
  }

  /** Releases the arrays. */
  void clear() {
    array = NOTHING;
    headers = NOTHING;
  }
}
