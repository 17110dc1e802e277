// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.partition;

import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.source.Companion;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.source.StoredFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The last offsets that the offset index of a segment has for batches.
 *
 * <p>The index is opened when a batch is first looked up, and is read once: in a compacted segment,
 * most batches may be looked up. An index that cannot be read has no offsets. {@link
 * OffsetIndexCheck} reports it.
 *
 * <p>Confined to one thread at a time.
 */
final class IndexedOffsets implements Closeable {
  private static final long NONE = -1;

  private final Segment segment;
  private @Nullable IndexReader reader;

  /** The last entry that was passed before its position was looked up: it may be sound. */
  private long skipped;

  /** True once the index was asked for. It is opened at most once. */
  private boolean isOpened;

  IndexedOffsets(Segment segment) {
    this.segment = segment;
  }

  /**
   * Returns the last offset that the index has for a batch, or -1.
   *
   * @param batch a batch after position 0, and after the batches that were looked up before
   */
  long lastOffset(StoredBatch batch) {
    try {
      IndexReader entries = open();
      if (entries == null) {
        return NONE;
      }
      long position = batch.position();
      boolean isMore = true;
      // Before the first entry, the reader has an entry of zeros.
      while (isMore && isPassed(entries, position)) {
        if (position(entries.entry()) > position) {
          skipped = entries.entry().getLong();
        }
        isMore = entries.next();
      }
      long entry = position(entries.entry()) == position ? entries.entry().getLong() : skipped;
      return (int) entry == position ? segment.baseOffset() + (int) (entry >> Integer.SIZE) : NONE;
    } catch (IOException unreadable) {
      close();
      return NONE;
    }
  }

  private @Nullable IndexReader open() throws IOException {
    if (!isOpened) {
      isOpened = true;
      StoredFile index = segment.companion(Companion.OFFSET_INDEX);
      reader = index == null ? null : new IndexReader(index, OffsetIndexCheck.ENTRY_BYTES);
    }
    return reader;
  }

  /** Returns true if an entry is before a position, or after it and a smaller one follows. */
  private static boolean isPassed(IndexReader entries, long position) {
    int at = position(entries.entry());
    int after = entries.hasNext() ? position(entries.nextEntry()) : Integer.MAX_VALUE;
    return at < position || (at > position && after < at);
  }

  private static int position(ByteBuffer entry) {
    return entry.getInt(Integer.BYTES);
  }

  /** Closes the index. It has no offsets from then on. */
  @Override
  public void close() {
    isOpened = true;
    IndexReader open = reader;
    reader = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException unreadable) {
        // OffsetIndexCheck reports it.
      }
    }
  }
}
