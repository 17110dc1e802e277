// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rule;

/**
 * How strictly a batch is judged. Each {@link Reason} belongs to the lowest level that knows it.
 */
public enum Level {
  /**
   * Agrees with Kafka's own verdict on every input, but for the rows of {@code
   * docs/compatibility.md}. Where Kafka fails with a raw runtime exception or an {@code Error},
   * there is a verdict, as a rule a coded reject.
   */
  KAFKA,
  /**
   * Refuses beyond that what Kafka stores although a client should not have sent it, or a consumer
   * cannot read it. What this level accepts, Kafka's full reader reads, given the heap for it
   * ({@link Limits#recordBytes()} bounds that).
   */
  STRICT
}
