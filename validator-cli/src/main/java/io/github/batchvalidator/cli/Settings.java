// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import io.github.batchvalidator.rule.Policy;

/**
 * How a run divides its work and its memory.
 *
 * @param threads how many slices are inspected at a time, at least 1
 * @param windowBytes what each thread reads of a file at once, at least 64
 * @param maxWindowBytes how far that window grows for a larger batch; a batch beyond it is mapped
 * @param sliceBytes how much of a file is one piece of work; at least one batch
 * @param policy what batches are judged by
 */
record Settings(int threads, int windowBytes, int maxWindowBytes, long sliceBytes, Policy policy) {
  /** Stays in a processor's second-level cache beside what a codec needs; grows when it has to. */
  private static final int WINDOW_BYTES = 1 << 18;

  private static final int MIN_WINDOW_BYTES = 1 << 16;
  private static final int MAX_WINDOW_BYTES = 1 << 24;
  private static final long SLICE_BYTES = 1L << 23;

  /** The windows of all threads together take no more than this part of the heap. */
  private static final int HEAP_PARTS = 8;

  /** Returns settings that fit the heap of this process. */
  static Settings standard(int threads, Policy policy) {
    long share = Runtime.getRuntime().maxMemory() / HEAP_PARTS / threads;
    int max = (int) Math.max(MIN_WINDOW_BYTES, Math.min(MAX_WINDOW_BYTES, share));
    return new Settings(threads, Math.min(WINDOW_BYTES, max), max, SLICE_BYTES, policy);
  }
}
