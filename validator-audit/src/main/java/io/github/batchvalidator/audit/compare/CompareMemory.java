// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.compare;

import io.github.batchvalidator.audit.walk.SegmentWindow;
import java.util.ArrayList;
import java.util.List;

/** The windows of one thread, which are used again for each partition. Confined to one thread. */
final class CompareMemory {
  /** The windows of all threads and copies together take at most 1/{@value} of the heap. */
  private static final int HEAP_PARTS = 8;

  private static final int WINDOW_BYTES = 1 << 18;
  private static final int MIN_WINDOW_BYTES = 1 << 16;
  private static final int MAX_WINDOW_BYTES = 1 << 24;

  private final int maxWindowBytes;
  private final List<SegmentWindow> windows = new ArrayList<>();

  private CompareMemory(int maxWindowBytes) {
    this.maxWindowBytes = maxWindowBytes;
  }

  /** Returns memory without windows, of which each may take its share of the heap. */
  static CompareMemory of(int threads, int copies) {
    long share = Runtime.getRuntime().maxMemory() / HEAP_PARTS / threads / copies;
    return new CompareMemory((int) Math.max(MIN_WINDOW_BYTES, Math.min(MAX_WINDOW_BYTES, share)));
  }

  /** Returns a window for the copy with an index. */
  SegmentWindow window(int index) {
    while (windows.size() <= index) {
      windows.add(new SegmentWindow(Math.min(WINDOW_BYTES, maxWindowBytes), maxWindowBytes));
    }
    return windows.get(index);
  }
}
