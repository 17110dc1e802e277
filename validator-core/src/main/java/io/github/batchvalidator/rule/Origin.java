// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rule;

/**
 * The source of a batch, which decides which rules apply.
 *
 * <p>The first three are the values of Kafka's {@code AppendOrigin} that reach {@code
 * LogValidator}: batches before their offsets are assigned. Batches of {@link #STORED} have their
 * offsets.
 */
public enum Origin {
  /** A produce request. Every rule of Kafka applies, including the checks of the caller. */
  CLIENT(1),
  /** A group, share or transaction coordinator: control batches and other counts are legal. */
  COORDINATOR(1 << 1),
  /**
   * Kafka's {@code AppendOrigin.REPLICATION} as {@code LogValidator} treats it: offsets are
   * assigned after the inspection. A follower that keeps its leader's offsets uses {@link #STORED}.
   */
  REPLICATION(1 << 2),
  /**
   * A batch of a log segment. Control batches, gaps left by compaction and empty batches are legal.
   * Other batches may follow in the same buffer. The topic's timestamp and key rules do not apply,
   * because they applied when the batch was appended.
   */
  STORED(1 << 3);

  // Sets of origins as bits: an enum set would cost a memory access per rule.

  static final int ALL = only(values());
  static final int APPENDED = only(CLIENT, COORDINATOR, REPLICATION);

  /** The bit of this origin in a set of origins. */
  final int bit;

  Origin(int bit) {
    this.bit = bit;
  }

  /** Returns a set of origins. */
  static int only(Origin... origins) {
    int bits = 0;
    for (Origin origin : origins) {
      bits |= origin.bit;
    }
    return bits;
  }
}
