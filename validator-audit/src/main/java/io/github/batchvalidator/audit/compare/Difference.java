// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.compare;

import io.github.batchvalidator.audit.report.CompareReason;
import java.io.Serializable;
import java.util.List;

/**
 * A difference between the copies of a partition.
 *
 * @param reason the stable id
 * @param message a sentence that describes the difference
 * @param firstOffset the first offset concerned
 * @param lastOffset the last offset concerned
 * @param batches the number of places, each with at most one batch per copy
 * @param committed false if the offsets are not below the bound, so that copies may differ
 * @param parts what each copy has, by its index
 */
public record Difference(
    CompareReason reason,
    String message,
    long firstOffset,
    long lastOffset,
    long batches,
    boolean committed,
    List<CopyPart> parts)
    implements Serializable {
  /** Returns true if the next difference follows this one and is of the same kind. */
  boolean isContinuedBy(Difference next) {
    if (committed != next.committed || lastOffset + 1 != next.firstOffset || !isLike(next)) {
      return false;
    }
    for (int i = 0; i < parts.size(); i++) {
      if (!parts.get(i).isLike(next.parts.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** Returns true if both say the same. Leaders of diverged copies may have the same epoch, too. */
  private boolean isLike(Difference next) {
    boolean isBatch = next.reason == CompareReason.COPY_BATCH_DIFFERS;
    return switch (reason) {
      case COPY_DIVERGED -> isBatch || next.reason == reason;
      case COPY_BATCH_DIFFERS -> isBatch;
      default -> next.reason == reason && next.message.equals(message);
    };
  }

  Difference uncommitted() {
    return new Difference(reason, message, firstOffset, lastOffset, batches, false, parts);
  }

  Difference with(Difference next) {
    return new Difference(
        reason, message, firstOffset, next.lastOffset, batches + next.batches, committed, parts);
  }
}
