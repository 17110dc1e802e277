// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.body;

/**
 * The timed work of a benchmark, repeated on the same few batches in turn. A run restores the
 * header fields that an append stamps and changes nothing else in a batch.
 */
public interface Body extends AutoCloseable {
  /**
   * Does the work once, on the next batch.
   *
   * @return a value that must not be optimized away
   */
  Object run();

  /** Returns how many records the last run went through. */
  int records();

  @Override
  default void close() {}
}
