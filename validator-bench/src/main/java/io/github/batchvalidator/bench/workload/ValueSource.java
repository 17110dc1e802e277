// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.workload;

/** Makes one value after the other; the same seed gives the same values. */
interface ValueSource {
  /**
   * Returns the next value.
   *
   * @param bytes its exact size, at least 100
   * @param timeMs that of its record, milliseconds since the epoch
   */
  byte[] next(int bytes, long timeMs);
}
