// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import io.github.batchvalidator.rule.Verdict;
import io.github.batchvalidator.verdict.BatchSeal;
import io.github.batchvalidator.verdict.HeaderStamp;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;

/**
 * The stamp that an append writes into the header of an accepted or rebuilt batch, inside the
 * partition lock. No other class writes into the caller's memory.
 *
 * <p>A batch with a correct checksum gets exactly the bytes that Kafka's in-place path writes. The
 * checksum is spliced instead of computed again. Therefore the cost does not depend on the size of
 * the batch, and a wrong checksum stays wrong.
 *
 * <p>Never allocates. Safe for any thread that owns the buffer.
 */
public final class OffsetStamp {
  private OffsetStamp() {}

  /**
   * Stamps the batch between the buffer's position and limit, which are not moved.
   *
   * <p>The buffer must hold what was inspected and nothing else. Bytes after the batch, such as an
   * incomplete second batch or the next message of magic 0 or 1, were not inspected. Limit the
   * buffer to {@link Verdict#batchBytes()}, then store exactly these bytes.
   *
   * @param buffer the batch that was inspected, or {@link BatchRebuilder#batch()}; writable, and
   *     unchanged since except by earlier stamps
   * @param verdict the verdict of the inspection or rebuild
   * @param firstOffset the log end offset: the offset of the first record. A batch with gaps in its
   *     offsets, which a compacted log may contain, gets it as in Kafka: the last record has the
   *     offset {@code firstOffset + recordCount - 1}
   * @param partitionLeaderEpoch of the leader that appends; magic 0 and 1 do not store it
   * @param nowMs what a topic with log append time stores, milliseconds since the epoch. Read it
   *     inside the lock, as Kafka does, so that times in a log do not decrease
   * @return the log end offset after the batch
   * @throws IllegalStateException if the verdict does not accept, if the batch still needs a
   *     rebuild, if the verdict belongs to another batch, if the buffer holds more than the batch,
   *     or for a rebuild to compressed messages of magic 0 if {@code firstOffset} is not that of
   *     the rebuild; the buffer is unchanged then
   * @throws IllegalArgumentException if the verdict is not from {@link
   *     BatchValidator#newVerdict()}, or if the log end offset after the batch would exceed {@link
   *     Long#MAX_VALUE}; the buffer is unchanged then
   * @throws java.nio.ReadOnlyBufferException if the buffer is read-only
   */
  public static long assign(
      ByteBuffer buffer, Verdict verdict, long firstOffset, int partitionLeaderEpoch, long nowMs) {
    MutableVerdict inspected = MutableVerdict.of(verdict);
    BatchSeal batch = inspected.seal();
    if (batch != null && firstOffset > Long.MAX_VALUE - batch.recordCount()) {
      throw new IllegalArgumentException("no offsets left after " + firstOffset);
    }
    return HeaderStamp.write(buffer, inspected, firstOffset, partitionLeaderEpoch, nowMs);
  }
}
