// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import io.github.batchvalidator.internal.format.BatchLayout;
import io.github.batchvalidator.internal.format.BigEndian;
import io.github.batchvalidator.internal.scan.BatchIterator;
import io.github.batchvalidator.rule.Reason;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a segment into slices of whole batches by reading no more than length fields, and decides
 * how to go on where those cannot be believed.
 *
 * <p>A length is believed if the batch fits the file and something like a batch, or the end,
 * follows it. If nothing like it follows, the checksum tells which of the two is damaged. From a
 * damaged one the walk goes on at the next intact batch ({@link BatchSearch}). If there is none,
 * the file either ends inside of a batch, or nothing can be told about the rest.
 *
 * <p>Confined to one thread at a time.
 */
final class SegmentWalk {
  private static final int WINDOW_BYTES = 1 << 12;

  /** The prefix and, of magic 2, everything up to the last offset delta. */
  private static final int LOOKED_AT_BYTES = BatchLayout.LAST_OFFSET_DELTA_OFFSET + Integer.BYTES;

  private final Segment segment;
  private final long sliceBytes;
  private final SegmentWindow window = new SegmentWindow(WINDOW_BYTES, WINDOW_BYTES);
  private final BatchIterator batches = new BatchIterator();
  private @Nullable BatchSearch search;
  private long at;
  private long previousOffset;

  /**
   * Starts at the first batch.
   *
   * @param sliceBytes a slice ends with the batch that reaches this size
   */
  SegmentWalk(Segment segment, long sliceBytes) {
    this.segment = segment;
    this.sliceBytes = sliceBytes;
    previousOffset = segment.baseOffset() - 1;
  }

  Segment segment() {
    return segment;
  }

  /** Returns the next slice, which may be empty; not to be called after the last one. */
  Slice next(long index) throws IOException {
    long from = at;
    try {
      while (at < segment.size() && at - from < sliceBytes) {
        long to = at;
        Fault fault = step();
        if (fault != null) {
          return new Slice(index, segment, from, to, fault, at == segment.size());
        }
      }
    } catch (IOException e) {
      if (at == from) {
        throw e;
      }
      // The next call meets it again: what lies before it can be checked.
    }
    return new Slice(index, segment, from, at, null, at == segment.size());
  }

  /** Moves behind one batch, or else to where the walk can go on, and says why. */
  private @Nullable Fault step() throws IOException {
    long start = at;
    long left = segment.size() - start;
    long bytes = declaredBytes(start);
    Reason failure = batches.failure();
    long operand = batches.failureFirst();
    boolean fits = bytes > 0 && bytes <= left;
    // Looked up before what follows is read, or the window would have to come back here.
    long lastOffset = fits ? lastOffset(start, bytes) : Fault.UNKNOWN;
    if (fits && (isFollowed(start + bytes) || isIntact(start, bytes))) {
      return isTorn(start, bytes) ? tail(start, bytes, false) : advance(start + bytes, lastOffset);
    }
    if (!fits) {
      boolean zero = search().isZero(start, segment.size());
      if (zero || left < BatchLayout.PREFIX_BYTES) {
        return tail(start, bytes, zero);
      }
    }
    long resume = findBehind(start);
    if (fits && resume == BatchSearch.NOT_FOUND) {
      return advance(start + bytes, lastOffset);
    }
    String why = "no batch follows where its length says";
    if (!fits && failure != null) {
      why = failure.describe(operand, left);
    }
    if (resume != BatchSearch.NOT_FOUND) {
      return corrupt(start, resume, why);
    }
    return bytes > 0 && isSearchable(start) ? tail(start, bytes, false) : stopped(start, why);
  }

  /** The last offset of the batch before is not verified: too large a one would hide the rest. */
  private long findBehind(long start) throws IOException {
    long least = segment.baseOffset() - 1;
    long resume = search().find(start + 1, previousOffset);
    return resume == BatchSearch.NOT_FOUND && previousOffset > least
        ? search().find(start + 1, least)
        : resume;
  }

  /** Returns true if the search, which knows magic 2 alone, would have found what follows. */
  private boolean isSearchable(long start) throws IOException {
    load(start, BatchLayout.PREFIX_BYTES);
    return search().isComplete()
        && BatchLayout.magicAt(window.buffer(), window.indexOf(start)) == BatchLayout.MAGIC_V2;
  }

  private @Nullable Fault advance(long behind, long lastOffset) {
    previousOffset = lastOffset;
    at = behind;
    return null;
  }

  private long lastOffset(long start, long bytes) throws IOException {
    load(start, LOOKED_AT_BYTES);
    int index = window.indexOf(start);
    long offset = BatchLayout.baseOffsetAt(window.buffer(), index);
    long delta = 0;
    if (BatchLayout.magicAt(window.buffer(), index) == BatchLayout.MAGIC_V2
        && bytes >= BatchLayout.HEADER_BYTES) {
      delta = BigEndian.getInt(window.buffer(), index + BatchLayout.LAST_OFFSET_DELTA_OFFSET);
    }
    return Math.max(offset, offset + delta);
  }

  /**
   * Returns how many bytes the batch at a position takes if its prefix can be believed, else 0;
   * then, and if that is more than there are, the iterator's failure tells why.
   */
  private long declaredBytes(long position) throws IOException {
    load(position, BatchLayout.PREFIX_BYTES);
    int index = window.indexOf(position);
    batches.wrap(window.buffer(), index, window.limit());
    if (batches.next()) {
      return batches.sizeInBytes();
    }
    boolean whole = batches.left() >= BatchLayout.PREFIX_BYTES;
    return whole && batches.failure() == Reason.FRAMING_INCOMPLETE ? batches.failureFirst() : 0;
  }

  /** Returns true if what lies behind a batch does not speak against its length. */
  private boolean isFollowed(long position) throws IOException {
    long left = segment.size() - position;
    return left < BatchLayout.PREFIX_BYTES
        || declaredBytes(position) > 0
        || search().isZero(position, position + BatchLayout.PREFIX_BYTES);
  }

  /**
   * Returns true if a damaged batch is the last one before nothing but zeros: of what was to be
   * written not all was, and a broker that starts cuts it off.
   */
  private boolean isTorn(long start, long bytes) throws IOException {
    long behind = start + bytes;
    return behind < segment.size()
        && declaredBytes(behind) == 0
        && search().isZero(behind, Math.min(behind + BatchLayout.PREFIX_BYTES, segment.size()))
        && !isIntact(start, bytes)
        && search().isZero(behind, segment.size());
  }

  private boolean isIntact(long start, long bytes) throws IOException {
    load(start, BatchLayout.PREFIX_BYTES);
    byte magic = BatchLayout.magicAt(window.buffer(), window.indexOf(start));
    boolean hasHeader = magic != BatchLayout.MAGIC_V2 || bytes >= BatchLayout.HEADER_BYTES;
    return hasHeader && search().isIntact(start, bytes, magic);
  }

  private void load(long position, int bytes) throws IOException {
    int need = (int) Math.min(bytes, segment.size() - position);
    window.load(segment, position, need, segment.size());
  }

  private BatchSearch search() {
    BatchSearch current = search;
    if (current == null) {
      current = new BatchSearch(segment);
      search = current;
    }
    return current;
  }

  private Fault tail(long start, long bytes, boolean zero) throws IOException {
    long left = segment.size() - start;
    String what = "the file ends inside a batch";
    if (zero) {
      what = "nothing but zeros follow";
    } else if (bytes > 0 && bytes < left) {
      what = "nothing but zeros follow a damaged batch of " + bytes + " bytes";
    } else if (bytes > 0) {
      what += " of " + bytes + " bytes";
    }
    long offset = zero ? Fault.UNKNOWN : offsetAt(start);
    SegmentReason reason = SegmentReason.SEGMENT_TRUNCATED_TAIL;
    return skip(Fault.skipping(reason, what, start, offset, Fault.UNKNOWN, left), segment.size());
  }

  private Fault corrupt(long start, long resume, String why) throws IOException {
    SegmentReason reason = SegmentReason.SEGMENT_FRAMING_CORRUPT;
    return skip(
        Fault.skipping(reason, why, start, offsetAt(start), resume, resume - start), resume);
  }

  private Fault stopped(long start, String why) throws IOException {
    long left = segment.size() - start;
    SegmentReason reason = SegmentReason.SEGMENT_SCAN_STOPPED;
    return skip(
        Fault.skipping(reason, why, start, offsetAt(start), Fault.UNKNOWN, left), segment.size());
  }

  /** Moves the walk as its last step, so that a failed read leaves the walk where it was. */
  private Fault skip(Fault fault, long to) throws IOException {
    segment.checkNotShorter();
    at = to;
    return fault;
  }

  private long offsetAt(long start) throws IOException {
    if (segment.size() - start < Long.BYTES) {
      return Fault.UNKNOWN;
    }
    load(start, Long.BYTES);
    return BatchLayout.baseOffsetAt(window.buffer(), window.indexOf(start));
  }
}
