// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.docs;

import java.nio.ByteBuffer;

/** The log of the sample, which keeps the last batch. */
final class PartitionLog {
  private final int leaderEpoch;
  private long endOffset;
  private ByteBuffer last = ByteBuffer.allocate(0);

  PartitionLog(long endOffset, int leaderEpoch) {
    this.endOffset = endOffset;
    this.leaderEpoch = leaderEpoch;
  }

  long endOffset() {
    return endOffset;
  }

  int leaderEpoch() {
    return leaderEpoch;
  }

  /** Copies the batch, because a rebuilt batch is memory of its rebuilder. Returns the offset. */
  long append(ByteBuffer batch, long nextOffset) {
    last = ByteBuffer.allocate(batch.remaining()).put(batch.duplicate()).flip();
    endOffset = nextOffset;
    return nextOffset;
  }

  ByteBuffer last() {
    return last;
  }
}
