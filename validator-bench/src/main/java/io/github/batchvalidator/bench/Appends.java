// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.BigEndian;
import java.nio.ByteBuffer;

/** What the contenders that append have in common. */
final class Appends {
  /** Not 0, so that stamping changes the batch. */
  static final long FIRST_OFFSET = 1_000_000_007L;

  static final int LEADER_EPOCH = 7;

  /** The broker's default bound on timestamps in the future. */
  static final long AFTER_MAX_MS = 3_600_000L;

  private Appends() {}

  /**
   * Makes the batch again what a client sends. The leader epoch is left as stamped: no rule reads
   * it.
   */
  static void restore(ByteBuffer batch) {
    BigEndian.putLong(batch, BatchLayout.BASE_OFFSET_OFFSET, 0L);
  }
}
