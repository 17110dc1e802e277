// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.walk;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.SegmentReason;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.format.BatchLayout;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A walk over a segment that splits it into slices of whole batches.
 *
 * <p>The walk reads only batch headers as long as it trusts the length fields. It trusts a length
 * if the batch fits the file, and a likely header of another or the end of the file follows. If
 * anything else follows, the checksum decides, which covers all bytes of a batch but not its length
 * field:
 *
 * <ol>
 *   <li>If it fits the declared length, the length is right, whatever follows.
 *   <li>If it fits the bytes up to the next intact batch or the end of the file, only the length is
 *       wrong.
 *   <li>Otherwise the batch itself is damaged, and what follows decides where it ends.
 * </ol>
 *
 * <p>After damage, the walk continues at the next intact batch ({@link BatchSearch}). If there is
 * none, the file ends inside a batch, or the rest cannot be checked.
 *
 * <p>Confined to one thread at a time.
 */
public final class SegmentWalk {
  /**
   * The number of batches at which a slice ends. A slice with more would have to wait for its turn
   * in {@link SliceMerge} while it is read.
   */
  private static final int MAX_BATCHES = SliceResult.MAX_ENTRIES - 1;

  /** How often to look at a file that was written to, whose last batch may be complete soon. */
  private static final int MAX_LOOKS = 50;

  private static final int MAX_LOOKS_IF_FRESH = 10;

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final Segment segment;
  private final long sliceBytes;
  private final PrefixReader prefixes;
  private @Nullable BatchSearch search;
  private long at;
  private long previousOffset;

  /**
   * Creates a walk that starts at the first batch.
   *
   * @param sliceBytes the target size of a slice, in bytes; the batch that reaches it ends the
   *     slice, unless it has too many batches before
   */
  public SegmentWalk(Segment segment, long sliceBytes) {
    this.segment = segment;
    this.sliceBytes = sliceBytes;
    prefixes = new PrefixReader(segment);
    previousOffset = segment.baseOffset() - 1;
  }

  public Segment segment() {
    return segment;
  }

  /** Returns the next slice, which may be empty. Must not be called after the last slice. */
  public Slice next(long index) throws IOException {
    long from = at;
    int count = 0;
    try {
      while (at < segment.size() && at - from < sliceBytes && count < MAX_BATCHES) {
        long to = at;
        Fault fault = step();
        count++;
        if (fault != null) {
          return new Slice(index, segment, from, to, fault, at == segment.size());
        }
      }
    } catch (IOException e) {
      if (at == from) {
        throw e;
      }
      // The batches before the error can be checked. The next call runs into the error again.
    }
    return new Slice(index, segment, from, at, null, at == segment.size());
  }

  /**
   * Moves past one batch and returns null. After damage, moves to where the walk can continue and
   * returns the fault.
   */
  private @Nullable Fault step() throws IOException {
    long start = at;
    long left = segment.size() - start;
    long bytes = prefixes.declaredBytes(start);
    boolean isOdd = start == 0 && !prefixes.start().isPlausible();
    if (bytes <= 0 || bytes > left) {
      return stepWithoutEnd(start, bytes, isOdd, prefixes.whyInvalid(left));
    }
    long end = start + bytes;
    // Read before the window moves forward, which saves moving it back.
    long lastOffset = prefixes.lastOffset(start, bytes);
    byte magic = prefixes.magic(start);
    if ((!isOdd && prefixes.isEndOrHeader(magic, end)) || isIntact(start, bytes)) {
      return advance(end, lastOffset);
    }
    boolean isFollowed = !isOdd && isFollowed(end);
    if (isFollowed && search().isZero(end, segment.size())) {
      return isOnlyLengthWrong(start, BatchSearch.NOT_FOUND)
          ? wrongLength(start, BatchSearch.NOT_FOUND)
          : torn(start, bytes);
    }
    long resume = findAfter(start);
    if (isOnlyLengthWrong(start, resume)) {
      return wrongLength(start, resume);
    }
    if (isOdd && resume == BatchSearch.NOT_FOUND && search().isComplete()) {
      return notRecognized();
    }
    if (isFollowed || isLengthLikely(end, resume)) {
      return advance(end, lastOffset);
    }
    String why = "no batch starts where the length field points";
    return resume == BatchSearch.NOT_FOUND ? rest(start, bytes, why) : corrupt(start, resume, why);
  }

  /** Moves past a batch whose prefix is invalid or declares more bytes than there are. */
  private @Nullable Fault stepWithoutEnd(long start, long bytes, boolean isOdd, String why)
      throws IOException {
    if (!isOdd) {
      boolean isZero = search().isZero(start, segment.size());
      if (isZero || segment.size() - start < BatchLayout.PREFIX_BYTES) {
        if (isBeingWritten(start)) {
          return cut(start);
        }
        return isZero ? tail(start, Fault.UNKNOWN, "only zeros follow") : incomplete(start, bytes);
      }
    }
    long resume = findAfter(start);
    if (isOnlyLengthWrong(start, resume)) {
      return wrongLength(start, resume);
    }
    if (resume != BatchSearch.NOT_FOUND) {
      return corrupt(start, resume, why);
    }
    if (isOdd && search().isComplete()) {
      return notRecognized();
    }
    return bytes > 0 && isBeingWritten(start) ? cut(start) : rest(start, bytes, why);
  }

  /**
   * Returns true if the checksum of a batch of magic 2 fits the bytes up to the next intact batch,
   * or to the end of the file. A search that has reached its limit has not found the next batch.
   */
  private boolean isOnlyLengthWrong(long start, long resume) throws IOException {
    long end = resume == BatchSearch.NOT_FOUND ? segment.size() : resume;
    return search().isComplete()
        && prefixes.magic(start) == BatchLayout.MAGIC_V2
        && isIntact(start, end - start);
  }

  /**
   * Returns true if a damaged batch is more likely to end where its length field points than where
   * the next intact batch starts.
   */
  private boolean isLengthLikely(long end, long resume) throws IOException {
    if (resume == BatchSearch.NOT_FOUND) { // a few bytes at the end are the rest of the batch
      return end == segment.size() || segment.size() - end >= BatchLayout.PREFIX_BYTES;
    }
    boolean isRoom = resume - end >= BatchLayout.HEADER_BYTES;
    return resume == end || (isRoom && prefixes.declaredBytes(end) > 0); // another damaged batch
  }

  /**
   * Returns true if the incomplete batch at the end of the file is complete by now, because a
   * broker was writing it. Waits a moment for that if the file is new or has changed.
   */
  private boolean isBeingWritten(long start) throws IOException {
    long end = segment.size();
    int looks = 0;
    boolean isComplete = false;
    while (!isComplete && looks < looksFor()) {
      segment.grow();
      prefixes.clear();
      long bytes = prefixes.declaredBytes(start);
      isComplete =
          bytes > 0
              && start + bytes <= segment.size()
              && isIntact(start, bytes, new BatchSearch(segment));
      segment.cutTo(end);
      looks++;
      LockSupport.parkNanos(isComplete ? 0 : PAUSE_NANOS);
    }
    prefixes.clear();
    return isComplete;
  }

  private int looksFor() {
    if (segment.lookAgain() == Segment.Look.WRITTEN) {
      return MAX_LOOKS;
    }
    return segment.isFresh() ? MAX_LOOKS_IF_FRESH : 0;
  }

  /** Ends the walk before a batch that was not complete when the segment was opened. */
  private @Nullable Fault cut(long start) {
    segment.cutTo(start);
    return null;
  }

  /**
   * Finds the next intact batch with a base offset above the last offset so far. If there is none,
   * finds the next intact batch with any valid base offset.
   *
   * <p>The last offset is not verified. If it is too large, the first search finds nothing.
   */
  private long findAfter(long start) throws IOException {
    long least = segment.baseOffset() - 1;
    long resume = search().find(start + 1, previousOffset);
    return resume == BatchSearch.NOT_FOUND && previousOffset > least
        ? search().find(start + 1, least)
        : resume;
  }

  /**
   * Returns the fault of a damaged batch that no intact batch follows. The file ends inside the
   * batch if the search would have found a following one: it must be complete, and it finds magic 2
   * only.
   */
  private Fault rest(long start, long bytes, String why) throws IOException {
    return bytes > 0 && search().isComplete() && prefixes.magic(start) == BatchLayout.MAGIC_V2
        ? incomplete(start, bytes)
        : stopped(start, why);
  }

  private @Nullable Fault advance(long end, long lastOffset) {
    previousOffset = lastOffset;
    at = end;
    return null;
  }

  /**
   * Returns true if the bytes at the end position of a batch do not contradict its length: nothing,
   * a batch that fits the file, or zeros.
   */
  private boolean isFollowed(long position) throws IOException {
    long left = segment.size() - position;
    if (left < BatchLayout.PREFIX_BYTES) {
      return left == 0 || search().isZero(position, segment.size());
    }
    long bytes = prefixes.declaredBytes(position);
    return bytes > 0
        ? bytes <= left
        : search().isZero(position, position + BatchLayout.PREFIX_BYTES);
  }

  private boolean isIntact(long start, long bytes) throws IOException {
    return isIntact(start, bytes, search());
  }

  private boolean isIntact(long start, long bytes, BatchSearch with) throws IOException {
    byte magic = prefixes.magic(start);
    return bytes >= StoredChecksum.of(magic).leastBytes() && with.isIntact(start, bytes, magic);
  }

  private BatchSearch search() {
    BatchSearch current = search;
    if (current == null) {
      current = new BatchSearch(segment);
      search = current;
    }
    return current;
  }

  private Fault torn(long start, long bytes) throws IOException {
    return tail(start, offsetAt(start), "only zeros follow a damaged batch of " + bytes + " bytes");
  }

  /**
   * Returns the fault of a last batch.
   *
   * @param bytes the size that the batch declares, or 0 if it is not known
   */
  private Fault incomplete(long start, long bytes) throws IOException {
    long after = segment.size() - start - bytes;
    String what = "the file ends inside a batch";
    if (bytes > 0) {
      what += " of " + bytes + " bytes";
    }
    if (bytes > 0 && after > 0) {
      what = "the file ends " + after + " bytes after a damaged batch of " + bytes + " bytes";
    }
    return tail(start, offsetAt(start), what);
  }

  private Fault tail(long start, long offset, String what) throws IOException {
    SegmentReason reason = SegmentReason.SEGMENT_TRUNCATED_TAIL;
    long left = segment.size() - start;
    return skip(Fault.skipping(reason, what, start, offset, Fault.UNKNOWN, left), segment.size());
  }

  private Fault corrupt(long start, long resume, String why) throws IOException {
    SegmentReason reason = SegmentReason.SEGMENT_FRAMING_CORRUPT;
    Fault fault = Fault.skipping(reason, why, start, offsetAt(start), resume, resume - start);
    return skip(fault.followedBy(prefixes.baseOffset(resume)), resume);
  }

  private Fault stopped(long start, String why) throws IOException {
    long left = segment.size() - start;
    SegmentReason reason = SegmentReason.SEGMENT_SCAN_STOPPED;
    return skip(
        Fault.skipping(reason, why, start, offsetAt(start), Fault.UNKNOWN, left), segment.size());
  }

  private Fault wrongLength(long start, long resume) throws IOException {
    long end = resume == BatchSearch.NOT_FOUND ? segment.size() : resume;
    String why =
        "the length field says "
            + prefixes.length(start)
            + ", the checksum fits the length "
            + (end - start - BatchLayout.LOG_OVERHEAD);
    return end == resume ? corrupt(start, resume, why) : stopped(start, why);
  }

  private Fault notRecognized() throws IOException {
    SegmentReason reason = SegmentReason.SEGMENT_NOT_RECOGNIZED;
    String why = prefixes.start().describe();
    long unknown = Fault.UNKNOWN;
    return skip(Fault.skipping(reason, why, 0, unknown, unknown, segment.size()), segment.size());
  }

  /** Moves the walk and returns the fault. A failed check leaves the walk where it was. */
  private Fault skip(Fault fault, long to) throws IOException {
    segment.checkNotShorter();
    at = to;
    return fault;
  }

  private long offsetAt(long start) throws IOException {
    return segment.size() - start < Long.BYTES ? Fault.UNKNOWN : prefixes.baseOffset(start);
  }
}
