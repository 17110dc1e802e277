// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.compare;

import java.util.List;

/**
 * The offsets that all copies must have: from the highest log start to the lowest high watermark.
 *
 * <p>A copy without a checkpointed high watermark bounds them by its end, which is known only when
 * it is reached.
 */
public final class Bounds {
  /** The end while it is unknown. */
  static final long UNBOUNDED = Long.MAX_VALUE;

  private long from = -1;
  private long to = UNBOUNDED;
  private String fromText = "";
  private String toText = "";
  private boolean watermark;

  Bounds(List<CopyFiles> copies) {
    for (CopyFiles copy : copies) {
      if (copy.logStart() > from) {
        from = copy.logStart();
        fromText = "the log start of " + copy.name();
      }
      if (copy.highWatermark() >= 0 && copy.highWatermark() < to) {
        to = copy.highWatermark();
        toText = "the high watermark of " + copy.name();
        watermark = true;
      }
    }
  }

  /** Says that a copy without a high watermark ends before an offset. */
  void endOf(CopyFiles copy, long end) {
    if (end < to) {
      to = end;
      toText = "the end of " + copy.name() + ", which has no checkpointed high watermark";
      watermark = false;
    }
  }

  /** Returns the first offset that all copies must have, or -1 if no copy has a segment. */
  public long from() {
    return from;
  }

  /** Returns the offset that the compared offsets are below. */
  public long to() {
    return to;
  }

  /** Returns true if all copies must have the offsets up to the end. */
  boolean isWatermark() {
    return watermark;
  }

  /** Returns which copy decides the start. */
  public String fromText() {
    return fromText;
  }

  /** Returns which copy decides the end. */
  public String toText() {
    return toText;
  }
}
