// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark.inventory;

import java.io.Serializable;

/** A reference to a segment, which a task can open. */
public sealed interface SegmentRef extends Serializable permits LogRef, TieredRef {
  /** Returns the name to show in reports. */
  String name();

  /** Returns the number of bytes to read. */
  long size();
}
