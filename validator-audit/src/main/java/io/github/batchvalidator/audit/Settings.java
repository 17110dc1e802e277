// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

/**
 * The settings that divide the work and the memory of a run.
 *
 * @param threads the number of slices that are inspected at a time, at least 1
 * @param windowBytes the initial size of each thread's window, in bytes, at least 64
 * @param maxWindowBytes the maximum size of that window, in bytes; a larger batch is mapped
 * @param sliceBytes the target size of a slice, in bytes; the batch that reaches it ends the slice
 * @param rules the rules of each topic
 */
public record Settings(
    int threads, int windowBytes, int maxWindowBytes, long sliceBytes, SegmentRules rules) {
  /** Fits into a second-level cache together with the buffers of a codec. */
  private static final int WINDOW_BYTES = 1 << 18;

  private static final int MIN_WINDOW_BYTES = 1 << 16;
  private static final int MAX_WINDOW_BYTES = 1 << 24;
  private static final long SLICE_BYTES = 1L << 23;

  /**
   * The windows of all threads together take at most 1/{@value} of the heap, but each may take
   * {@link #MIN_WINDOW_BYTES}.
   */
  private static final int HEAP_PARTS = 8;

  /** Returns settings that fit the heap of this process. */
  public static Settings standard(int threads, SegmentRules rules) {
    long share = Runtime.getRuntime().maxMemory() / HEAP_PARTS / threads;
    int max = (int) Math.max(MIN_WINDOW_BYTES, Math.min(MAX_WINDOW_BYTES, share));
    return new Settings(threads, Math.min(WINDOW_BYTES, max), max, SLICE_BYTES, rules);
  }
}
