// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.report;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of a record of a batch of magic 2.
 *
 * @param batchPosition the position of the batch in the segment
 * @param offset the offset
 * @param timestamp the timestamp in milliseconds since the epoch
 * @param keySize the size of the key in bytes, or {@link #NULL}
 * @param valueSize the size of the value in bytes, or {@link #NULL}
 * @param headerCount the number of headers
 * @param headerKeys the keys of the first {@link #MAX_HEADERS} headers, each cut after {@link
 *     #MAX_HEADER_BYTES} bytes
 * @param key the first bytes of the key, or null if the key is null or payload is not listed
 * @param value the first bytes of the value, or null if the value is null or payload is not listed
 */
public record StoredRecord(
    long batchPosition,
    long offset,
    long timestamp,
    int keySize,
    int valueSize,
    int headerCount,
    List<String> headerKeys,
    @Nullable Payload key,
    @Nullable Payload value) {
  /** The size of a key or value that is null. */
  public static final int NULL = -1;

  /** The maximum number of headers of a record whose keys are listed. */
  public static final int MAX_HEADERS = 32;

  /** The maximum number of bytes of a header's key that are listed. */
  public static final int MAX_HEADER_BYTES = 128;
}
