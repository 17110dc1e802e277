// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.compaction;

import io.github.batchvalidator.rule.Reason;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * A class of faulty stored batches and what stock Kafka's cleaner does with them.
 *
 * @param reason what the guard finds
 * @param what tells the classes of a reason apart
 * @param outcome what stock Kafka does
 * @param draw returns one or more batches from offset 0 on. The first one has a record of key
 *     {@code k}, which the next segment supersedes, so that Kafka rewrites the batch
 */
record StoredFault(
    Reason reason, String what, Outcome outcome, Function<SplittableRandom, byte[]> draw) {

  /** What stock Kafka's cleaner does. */
  enum Outcome {
    /** It throws an exception. The partition is uncleanable. */
    FAILS,
    /** It throws an error, which ends its thread. No partition of the broker is compacted. */
    ENDS,
    /** It compacts, and nobody can find the fault any more. */
    HIDES,
    /** It compacts, and a key has another record than before. */
    CHANGES,
    /** It compacts, and the last record of each key is as before. */
    KEEPS,
    /** It keeps or fails, which depends on other records with the same keys. Nothing is lost. */
    DEPENDS;

    /** Returns whether the guard has to stop the partition. */
    boolean isStopped() {
      return this != KEEPS && this != DEPENDS;
    }
  }

  @Override
  public String toString() {
    return reason + (what.isEmpty() ? "" : ", " + what);
  }
}
