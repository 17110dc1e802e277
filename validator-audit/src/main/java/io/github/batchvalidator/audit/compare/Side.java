// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.compare;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.FileFault;
import org.jspecify.annotations.Nullable;

/** One copy in a comparison: its cursor, and what is known of the current batch. */
final class Side {
  private static final long NOWHERE = -1;

  private final int index;
  private final CopyFiles files;
  private final CopyCursor cursor;
  private final BatchInspector inspector;
  private boolean inspected;
  private @Nullable Fault fault;
  private long placedAt = NOWHERE;
  private boolean troubleReported;
  private boolean bounded;

  Side(int index, CopyFiles files, CopyCursor cursor, BatchInspector inspector) {
    this.index = index;
    this.files = files;
    this.cursor = cursor;
    this.inspector = inspector;
  }

  int index() {
    return index;
  }

  CopyFiles files() {
    return files;
  }

  CopyCursor cursor() {
    return cursor;
  }

  /** Moves to the next batch. */
  void advance() {
    cursor.advance();
    troubleReported = false;
    moved();
  }

  /** Moves past a batch that is no part of the log. */
  void skip(Fault why) {
    cursor.skip(why);
    moved();
  }

  /** Moves past a batch that was read already. */
  void skip() {
    cursor.skip();
    moved();
  }

  private void moved() {
    inspected = false;
    fault = null;
    placedAt = NOWHERE;
  }

  /** Returns the fault of the current batch, or null if it is sound. */
  @Nullable Fault fault() {
    if (!inspected) {
      fault = inspector.inspect(cursor);
      inspected = true;
    }
    return fault;
  }

  @Nullable FileFault fileFault() {
    Fault found = fault();
    return found == null ? null : new FileFault(cursor.name(), found);
  }

  /** Says that the current batch belongs to another offset than it states. */
  void placeAt(long offset) {
    placedAt = offset;
  }

  boolean isMisplaced() {
    return placedAt != NOWHERE;
  }

  /** Returns true if the current batch starts at an offset, or belongs there. */
  boolean isAt(long offset) {
    return !cursor.isEnded() && (placedAt == offset || cursor.baseOffset() == offset);
  }

  /** Says that the trouble before the current batch is part of a difference. */
  void reportedTrouble() {
    troubleReported = true;
  }

  boolean isTroubleReported() {
    return troubleReported;
  }

  /** Returns true at the first call. */
  boolean bound() {
    boolean isFirst = !bounded;
    bounded = true;
    return isFirst;
  }
}
