// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.compare;

import io.github.batchvalidator.audit.walk.SegmentWindow;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;

/** A maker of the digest of a copy. Confined to one thread. */
final class DigestMaker {
  private final Scope scope;
  private final BatchInspector inspector;
  private final SegmentWindow window;
  private final LongConsumer progress;
  private final BiConsumer<String, String> errors;
  private long faults;

  /**
   * The offsets of a digest.
   *
   * @param rangeSize the number of offsets in a range
   * @param first the lowest offset, which may be before the log
   * @param end the offset after the highest one, which may be after the log
   */
  record Scope(long rangeSize, long first, long end) {
    static Scope all(long rangeSize) {
      return new Scope(rangeSize, 0, Long.MAX_VALUE);
    }
  }

  /**
   * Creates a maker.
   *
   * @param progress receives the number of bytes done
   * @param errors receives the name of each file that cannot be read, and the cause
   */
  DigestMaker(
      Scope scope,
      BatchInspector inspector,
      SegmentWindow window,
      LongConsumer progress,
      BiConsumer<String, String> errors) {
    this.scope = scope;
    this.inspector = inspector;
    this.window = window;
    this.progress = progress;
    this.errors = errors;
  }

  /** Returns the digest of a copy. */
  Digest make(CopyFiles copy) {
    copy.unread().forEach(why -> errors.accept(copy.name(), why));
    boolean wasCompacted = copy.isCompacted();
    long start = Math.max(copy.logStart(), scope.first());
    long watermark = copy.highWatermark();
    long limit = Math.min(watermark < 0 ? Long.MAX_VALUE : watermark, scope.end());
    RangeHash hash = new RangeHash(scope.rangeSize());
    hash.start(start); // damage may be all there is
    long end = start;
    boolean isEndOfLog;
    try (CopyCursor cursor = new CopyCursor(copy, window, progress)) {
      cursor.seek(start);
      while (!cursor.isEnded() && (cursor.baseOffset() < limit || isMisplaced(cursor, end))) {
        if (cursor.trouble().isGone()) { // retention has deleted what was before
          hash.clear();
          start = cursor.baseOffset();
          end = start;
        }
        end = add(cursor, hash, end);
        cursor.advance();
      }
      trouble(cursor, hash, end < limit);
      if (cursor.trouble().isGone()) { // up to the limit or beyond it
        limit = end;
      }
      isEndOfLog = watermark < 0 && cursor.isEnded();
    }
    if (end < limit) {
      hash.gap(end);
    }
    return new Digest(
        copy.partition(),
        copy.name(),
        copy.topicId(),
        scope.rangeSize(),
        start,
        watermark < 0 ? -1 : Math.min(watermark, scope.end()),
        isEndOfLog ? Math.min(end, limit) : limit,
        wasCompacted || copy.isCompacted(),
        copy.epochs(),
        hash.end());
  }

  /** Adds a batch, and returns the offset that follows the batches so far. */
  private long add(CopyCursor batch, RangeHash hash, long expected) {
    boolean isNext = batch.baseOffset() == expected;
    boolean isMisplaced = !isNext && isMisplaced(batch, expected);
    if (!isNext && !isMisplaced) {
      hash.gap(expected);
    }
    if (!isMisplaced) {
      hash.start(batch.baseOffset());
    }
    trouble(batch, hash, true);
    hash.add(batch);
    if (isMisplaced || !inspector.hasRightChecksum(batch)) {
      faults++;
      hash.damaged();
      return expected;
    }
    if (!isNext || BatchFields.showsCompaction(batch)) {
      hash.gap(batch.baseOffset());
    }
    return batch.lastOffset() + 1;
  }

  /** Returns true if the base offset of a batch contradicts the batches around it. */
  private static boolean isMisplaced(CopyCursor batch, long expected) {
    return batch.baseOffset() < expected || batch.followingOffset() <= batch.baseOffset();
  }

  /**
   * Takes what was found before a batch, or after the last one.
   *
   * @param isInside false if it is after the offsets of the digest, where a broker may truncate. It
   *     counts as a fault, but damages no range
   */
  private void trouble(CopyCursor cursor, RangeHash hash, boolean isInside) {
    Trouble trouble = cursor.trouble();
    boolean isTorn = cursor.isEnded() && trouble.isTornTail();
    boolean isFault = trouble.fault() != null && !isTorn;
    if (isFault) {
      faults++;
    }
    if (trouble.hasError()) {
      errors.accept(trouble.errorFile(), trouble.error());
    }
    if (isInside && (isFault || trouble.hasError())) {
      hash.damaged();
    }
  }

  /** Returns the number of damaged batches and parts so far. */
  long faults() {
    return faults;
  }
}
