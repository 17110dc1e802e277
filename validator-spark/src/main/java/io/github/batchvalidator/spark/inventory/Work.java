// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark.inventory;

import java.io.Serializable;

/** A part of the work of a task. */
public sealed interface Work extends Serializable {
  /** Returns the number of the group, whose segments are merged together. */
  int group();

  /** Passes a partition of a tiered storage to its merge. */
  record Announce(int group, TieredGroup partition) implements Work {}

  /**
   * Checks a segment.
   *
   * @param group the number of the group
   * @param index the number of the segment in the group
   * @param segment the segment
   */
  record Check(int group, int index, SegmentRef segment) implements Work {}
}
