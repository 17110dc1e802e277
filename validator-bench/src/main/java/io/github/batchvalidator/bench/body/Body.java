// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.body;

/**
 * What a benchmark times, over and over on the same few batches in turn. It leaves a batch as it
 * found it, but for the header fields that an append stamps, which it restores.
 */
public interface Body extends AutoCloseable {
  /**
   * Does the work once, on the next batch.
   *
   * @return what must not be optimised away
   */
  Object run();

  /** Returns how many records the last run went through. */
  int records();

  @Override
  default void close() {}
}
