// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.salvage;

/**
 * Sound batches of a segment that follow each other, with ascending offsets.
 *
 * @param from the position of the first batch
 * @param to the position after the last batch
 * @param firstOffset the first offset of the first batch
 * @param lastOffset the last offset of the last batch
 * @param batches the number of batches
 */
public record SoundRange(long from, long to, long firstOffset, long lastOffset, long batches) {
  /** Returns the size in bytes. */
  public long bytes() {
    return to - from;
  }
}
