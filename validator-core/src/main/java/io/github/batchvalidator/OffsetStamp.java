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
 * <pre>{@code
 * OffsetStamp stamp = new OffsetStamp(); // once per thread
 *
 * long next = stamp.firstOffset(log.endOffset()).leaderEpoch(epoch).nowMs(now).assign(batch, verdict);
 * }</pre>
 *
 * <p>Each value has a method, because offsets and times are both longs and easily swapped. {@link
 * #assign} uses up the values: every batch needs its own.
 *
 * <p>A batch with a correct checksum gets exactly the bytes that Kafka's in-place path writes. The
 * checksum is spliced instead of computed again. Therefore the cost does not depend on the size of
 * the batch, and a wrong checksum stays wrong.
 *
 * <p>Never allocates. Not thread-safe: use one instance per thread.
 */
public final class OffsetStamp {
  private static final int FIRST_OFFSET = 1;
  private static final int LEADER_EPOCH = 2;
  private static final int NOW_MS = 4;
  private static final int ALL = FIRST_OFFSET | LEADER_EPOCH | NOW_MS;

  private int given;
  private long firstOffset;
  private int leaderEpoch;
  private long nowMs;

  /** Creates a stamp without values. */
  public OffsetStamp() {}

  /**
   * Sets the offset of the first record. A batch with gaps in its offsets, which a compacted log
   * may contain, gets the offsets that Kafka gives it: the last record has the offset {@code
   * firstOffset + recordCount - 1}.
   *
   * @param value the log end offset
   * @return this stamp
   */
  public OffsetStamp firstOffset(long value) {
    firstOffset = value;
    given |= FIRST_OFFSET;
    return this;
  }

  /**
   * Sets the leader epoch, which magic 0 and 1 do not store.
   *
   * @param value the epoch of the leader that appends
   * @return this stamp
   */
  public OffsetStamp leaderEpoch(int value) {
    leaderEpoch = value;
    given |= LEADER_EPOCH;
    return this;
  }

  /**
   * Sets the time of the append, which a topic with log append time stores. Read it inside the
   * lock, as Kafka does, so that times in a log do not decrease.
   *
   * @param value milliseconds since the epoch
   * @return this stamp
   */
  public OffsetStamp nowMs(long value) {
    nowMs = value;
    given |= NOW_MS;
    return this;
  }

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
   * @return the log end offset after the batch
   * @throws IllegalStateException if a value was not set since the last call, if the verdict does
   *     not accept, if the batch still needs a rebuild, if the verdict belongs to another batch, if
   *     the buffer holds more than the batch, or for a rebuild to compressed messages of magic 0 if
   *     the first offset is not that of the rebuild; the buffer is unchanged then
   * @throws IllegalArgumentException if the verdict is not from {@link
   *     BatchValidator#newVerdict()}, or if the log end offset after the batch would exceed {@link
   *     Long#MAX_VALUE}; the buffer is unchanged then
   * @throws java.nio.ReadOnlyBufferException if the buffer is read-only
   */
  public long assign(ByteBuffer buffer, Verdict verdict) {
    int isGiven = given;
    given = 0;
    if (isGiven != ALL) {
      throw new IllegalStateException(
          "firstOffset, leaderEpoch and nowMs are needed for each batch");
    }
    MutableVerdict inspected = MutableVerdict.of(verdict);
    BatchSeal batch = inspected.seal();
    if (batch != null && firstOffset > Long.MAX_VALUE - batch.recordCount()) {
      throw new IllegalArgumentException("no offsets left after " + firstOffset);
    }
    return HeaderStamp.write(buffer, inspected, firstOffset, leaderEpoch, nowMs);
  }
}
