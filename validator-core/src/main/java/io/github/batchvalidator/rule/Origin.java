// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rule;

/**
 * Where a batch comes from. It decides which rules apply.
 *
 * <p>The first three are those of Kafka's {@code AppendOrigin} that reach {@code LogValidator}: a
 * batch that is about to get its offsets. {@link #STORED} is a batch that has them.
 */
public enum Origin {
  /** A produce request. Every rule of Kafka applies, the caller's own checks included. */
  CLIENT(1),
  /** A group, share or transaction coordinator: control batches and odd counts are legal. */
  COORDINATOR(1 << 1),
  /**
   * Kafka's {@code AppendOrigin.REPLICATION} as {@code LogValidator} treats it: offsets are about
   * to be assigned. A follower that keeps its leader's offsets wants {@link #STORED}.
   */
  REPLICATION(1 << 2),
  /**
   * A batch that lies in a log: offsets are assigned, control batches, gaps left by compaction and
   * empty batches are legal, other batches may follow in the same buffer, and the topic's timestamp
   * and key rules were applied long ago.
   */
  STORED(1 << 3);

  /** One bit of a set of origins. */
  final int bit;

  Origin(int bit) {
    this.bit = bit;
  }
}
