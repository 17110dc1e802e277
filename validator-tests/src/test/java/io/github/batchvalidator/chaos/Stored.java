// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.chaos;

import java.util.Arrays;

/**
 * A record that a consumer read.
 *
 * @param intact true if the value is the one that was sent
 */
record Stored(long offset, RecordId id, boolean intact) {
  static Stored of(long offset, byte[] value) {
    RecordId id = RecordId.of(value);
    return new Stored(offset, id, Arrays.equals(value, id.value()));
  }
}
