// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.compare;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.SegmentReason;
import java.util.ArrayList;
import java.util.List;

/**
 * A comparison of the batches of all copies of a partition.
 *
 * <p>The cursors of the copies move through the offsets side by side. While all of them are at the
 * same bytes, that is all. Otherwise the comparison decides what each copy has at the lowest
 * offset, and moves those cursors that have something there. So it finds equal batches again after
 * a difference, wherever the segments of the copies start.
 *
 * <p>Memory depends on the number of copies and on the largest batch. Confined to one thread.
 */
final class LogComparison {
  private final List<Side> sides;
  private final Bounds bounds;
  private final boolean compacted;
  private final BatchInspector inspector;
  private final Findings findings;

  /** The offset that follows the offsets that are compared. */
  private long done;

  private long batches;
  private long bytes;

  /**
   * Creates a comparison.
   *
   * @param sides one for each copy, not started
   * @param compacted true if offsets may be missing
   * @param findings receives the differences
   */
  LogComparison(
      List<Side> sides,
      Bounds bounds,
      boolean compacted,
      BatchInspector inspector,
      Findings findings) {
    this.sides = sides;
    this.bounds = bounds;
    this.compacted = compacted;
    this.inspector = inspector;
    this.findings = findings;
  }

  /** Compares all batches. */
  void run() {
    done = bounds.from();
    for (Side side : sides) {
      side.cursor().seek(done);
    }
    while (true) {
      if (areSame()) {
        takeSame();
      } else if (areEnded()) {
        break;
      } else {
        resolve();
      }
    }
    end();
  }

  private boolean areSame() {
    CopyCursor first = sides.get(0).cursor();
    for (int i = 0; i < sides.size(); i++) {
      CopyCursor each = sides.get(i).cursor();
      if (each.isEnded()
          || each.trouble().isFound()
          || each.baseOffset() < done
          || each.baseOffset() != first.baseOffset()) {
        return false;
      }
      if (i > 0 && !each.hasBytesOf(first, 0)) {
        return false;
      }
    }
    return inspector.hasRightChecksum(first);
  }

  private void takeSame() {
    CopyCursor first = sides.get(0).cursor();
    batches++;
    bytes += first.bytes();
    done = first.lastOffset() + 1;
    for (int i = 0; i < sides.size(); i++) {
      sides.get(i).advance();
    }
  }

  private boolean areEnded() {
    return sides.stream().allMatch(side -> side.cursor().isEnded());
  }

  /** Decides what each copy has at the lowest offset, and moves past it. */
  private void resolve() {
    sides.forEach(this::boundByEnd);
    long offset = lowest();
    for (Side side : sides) {
      if (settle(side, offset)) {
        return;
      }
    }
    for (Side side : sides) {
      if (side.isAt(offset)) {
        reportTrouble(side, offset);
      }
    }
    sides.stream().filter(side -> hasUnread(side)).forEach(side -> reportTrouble(side, offset));
    Place place = new Place(sides, offset, compacted, inspector);
    place.read();
    batches++;
    bytes += place.bytes();
    done = Math.max(done, place.end());
    findings.add(place, done <= bounds.to());
  }

  /** Returns the lowest offset of a batch that is not compared. */
  private long lowest() {
    long lowest = CopyCursor.NO_OFFSET;
    for (Side side : sides) {
      lowest = Math.min(lowest, Math.max(done, side.cursor().baseOffset()));
    }
    return lowest;
  }

  /** Bounds the comparison by the end of a copy that has no high watermark. */
  private void boundByEnd(Side side) {
    CopyCursor cursor = side.cursor();
    Trouble trouble = cursor.trouble();
    boolean isDamaged = trouble.fault() != null && !trouble.isTornTail();
    boolean isKnown = !isDamaged && !trouble.hasError();
    if (cursor.isEnded() && side.files().highWatermark() < 0 && isKnown && side.bound()) {
      bounds.endOf(side.files(), endOf(side));
    }
  }

  private long endOf(Side side) {
    return side.files().bases().isEmpty() ? done : Math.max(done, side.files().bases().last());
  }

  /**
   * Decides whether the base offset of a batch is wrong, which no checksum covers. It is if the
   * batch is before the compared offsets, or does not end before the next one.
   *
   * @return true if the cursor has moved
   */
  private boolean settle(Side side, long offset) {
    CopyCursor cursor = side.cursor();
    if (cursor.isEnded() || side.isAt(offset)) {
      return false;
    }
    boolean isBefore = cursor.baseOffset() < done;
    long following = cursor.followingOffset();
    Fault fault = side.fault();
    if (fault != null) {
      if (isBefore || following <= cursor.baseOffset()) {
        side.skip(fault);
        return true;
      }
      return false;
    }
    boolean isLast = following == CopyCursor.NO_OFFSET && !compacted;
    if (!isBefore && !isLast && following > cursor.lastOffset()) {
      return false;
    }
    if (sides.stream().anyMatch(other -> isSameBut(side, other, offset))) {
      side.placeAt(offset);
      return false;
    }
    if (isLast && !isBefore) {
      return false;
    }
    if (compacted && isBefore && cursor.lastOffset() < done) {
      side.skip(); // a broker has merged the segments meanwhile
    } else {
      side.skip(outOfOrder(cursor));
    }
    return true;
  }

  /** Returns true if the other copy has the same batch at an offset. */
  private static boolean isSameBut(Side side, Side other, long offset) {
    return other != side
        && !other.cursor().isEnded()
        && other.cursor().baseOffset() == offset
        && side.cursor().hasBytesOf(other.cursor(), Long.BYTES);
  }

  private Fault outOfOrder(CopyCursor cursor) {
    return Fault.of(
        SegmentReason.SEGMENT_OFFSETS_OUT_OF_ORDER,
        cursor.position(),
        cursor.baseOffset(),
        cursor.baseOffset(),
        done - 1);
  }

  private static boolean hasUnread(Side side) {
    return side.cursor().trouble().hasError();
  }

  /** Reports damage before a batch that takes no offsets from the other copies. */
  private void reportTrouble(Side side, long offset) {
    if (!side.isTroubleReported()) {
      findings.trouble(side, done, offset, bounds);
      side.reportedTrouble();
    }
  }

  private void end() {
    sides.forEach(this::boundByEnd);
    boolean isBounded = bounds.to() != Bounds.UNBOUNDED; // not if all copies end in damage
    long to = isBounded ? Math.max(done, bounds.to()) : done;
    long end = done;
    boolean isKnown = true;
    for (Side side : sides) {
      reportTrouble(side, to);
      end = Math.max(end, endOf(side));
      Trouble trouble = side.cursor().trouble();
      isKnown &= !trouble.isGone() && !trouble.hasError();
    }
    if (bounds.isWatermark() && isKnown && end < bounds.to()) {
      findings.endMissing(end, bounds.to());
    }
  }

  /** Returns the number of places that were compared, each with a batch of at least one copy. */
  long batches() {
    return batches;
  }

  /** Returns the number of bytes that were compared, in the first copy that has them. */
  long bytes() {
    return bytes;
  }

  /** Returns the offset that follows the compared offsets. */
  long done() {
    return done;
  }

  /** Returns a side for each copy. */
  static List<Side> of(List<CopyFiles> copies, List<CopyCursor> cursors, BatchInspector inspector) {
    List<Side> sides = new ArrayList<>();
    for (int i = 0; i < copies.size(); i++) {
      sides.add(new Side(i, copies.get(i), cursors.get(i), inspector));
    }
    return sides;
  }
}
