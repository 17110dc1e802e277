// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.salvage;

import java.util.ArrayList;
import java.util.List;

/**
 * A collector of the sound batches of a segment. Confined to one thread at a time.
 *
 * <p>No checksum covers a base offset. If two batches are out of order, either may be wrong. Each
 * of them then gets a range of its own, so that one can be left out. The same holds for the first
 * and the last batch.
 */
public final class SoundRanges {
  private final List<SoundRange> ranges = new ArrayList<>();
  private boolean isOpen;
  private boolean isAlone = true;
  private long from;
  private long to;
  private long firstOffset;
  private long lastOffset;
  private long batches;

  /** The position and the first offset of the last batch, and the last offset before it. */
  private long lastFrom;

  private long lastFirstOffset;
  private long offsetBefore;

  /** Creates an empty collector. */
  public SoundRanges() {}

  /**
   * Adds the next sound batch.
   *
   * @param position the position of the batch
   * @param bytes the size of the batch
   * @param first its first offset
   * @param last its last offset, at least the first one
   */
  public void add(long position, long bytes, long first, long last) {
    boolean isOutOfOrder = isOpen && first <= lastOffset;
    if (isOutOfOrder) {
      splitLast();
    } else if (isOpen && (isAlone || position != to)) {
      close();
    }
    if (!isOpen) {
      isAlone = isOutOfOrder || ranges.isEmpty();
      isOpen = true;
      from = position;
      firstOffset = first;
      batches = 0;
    }
    offsetBefore = lastOffset;
    lastFrom = position;
    lastFirstOffset = first;
    to = position + bytes;
    lastOffset = last;
    batches++;
  }

  private void close() {
    if (isOpen) {
      ranges.add(new SoundRange(from, to, firstOffset, lastOffset, batches));
      isOpen = false;
    }
  }

  /** Closes the current range so that its last batch is a range of its own. */
  private void splitLast() {
    if (isOpen && batches > 1) {
      ranges.add(new SoundRange(from, lastFrom, firstOffset, offsetBefore, batches - 1));
      from = lastFrom;
      firstOffset = lastFirstOffset;
      batches = 1;
    }
    close();
  }

  /** Ends the segment and returns its ranges in file order. */
  public List<SoundRange> end() {
    splitLast();
    return ranges;
  }
}
