// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rule;

/** The strictness of a check. Each {@link Reason} belongs to the lowest level that applies it. */
public enum Level {
  /**
   * The verdict of Kafka on every input, except for the rows of {@code docs/compatibility.md}.
   * Input that makes Kafka throw an unexpected exception or an {@code Error} gets an ordinary
   * reason.
   */
  KAFKA,
  /**
   * Additionally refuses batches that Kafka stores although no client should send them, or no
   * consumer can read them. Kafka's full reader can read every accepted batch if it has enough
   * heap; {@link Limits#recordBytes()} bounds that heap.
   */
  STRICT
}
