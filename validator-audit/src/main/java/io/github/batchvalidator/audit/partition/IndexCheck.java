// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.partition;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.PartitionReason;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.source.Companion;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.source.StoredFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A check of one kind of index. Reads the entries of the index while the batches of its segment
 * pass by, so its memory does not depend on the size of the index.
 *
 * <p>An entry that is not between the entries around it is reported and left out. Otherwise a
 * single wrong entry would make all entries after it look wrong.
 */
abstract class IndexCheck implements PartitionCheck {
  private static final int MAX_REREADS = 8;
  private static final int MAX_LOOKS = 25;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final Companion kind;
  private final int entryBytes;
  private final PartitionFaults faults;
  private final LogTail tail;
  private @Nullable IndexReader reader;
  private @Nullable StoredFile file;
  private @Nullable Segment log;
  private int rereads;

  /** True while the entries after the last batch are reported. */
  private boolean isEnding;

  /** True if the current entry was not compared yet. */
  private boolean pending;

  /** True if the index could not be read, or not to its end. */
  private boolean unread;

  private long previousKey;
  private long base;

  IndexCheck(Companion kind, int entryBytes, PartitionFaults faults, LogTail tail) {
    this.tail = tail;
    this.kind = kind;
    this.entryBytes = entryBytes;
    this.faults = faults;
  }

  @Override
  public void start(Segment segment) {
    close();
    log = segment;
    rereads = 0;
    unread = false;
    previousKey = Long.MIN_VALUE;
    base = segment.baseOffset();
    StoredFile index = segment.companion(kind);
    file = index;
    if (index == null) {
      return;
    }
    try {
      long size = index.size();
      if (!open(index, 0)) {
        return;
      }
      if (size % entryBytes != 0) {
        long entries = size / entryBytes;
        report(PartitionReason.INDEX_SIZE_INVALID, entries, Fault.UNKNOWN, size, entryBytes);
      }
      begin();
      advance();
    } catch (IOException e) {
      failed(e);
    }
  }

  /**
   * Opens the index, and then looks whether the segment is still there. If a broker has replaced
   * the segment, the index may belong to another log, and is not read. Source: a broker renames a
   * log before its indexes ({@code LogSegment.changeFileSuffixes}).
   *
   * @param first the number of the first entry to read
   * @return false if the segment was replaced
   */
  private boolean open(StoredFile index, long first) throws IOException {
    file = index;
    reader = new IndexReader(index, entryBytes, first);
    if (isReplaced()) {
      close();
      file = null;
      return false;
    }
    return true;
  }

  /** Returns true if a broker has replaced or deleted the segment. */
  final boolean isReplaced() {
    Segment segment = log;
    return segment != null && segment.lookAgain() == Segment.Look.REPLACED;
  }

  /** Prepares for the entries of a segment. */
  abstract void begin();

  /** Returns the offset that the offsets in an index are relative to. */
  final long base() {
    return base;
  }

  /** Returns the number of an entry that must exceed that of the entry before it. */
  abstract long key(ByteBuffer entry);

  /** Takes the next entry. */
  abstract void take(ByteBuffer entry, long number);

  /** Returns true if there is an entry that was not {@linkplain #done compared}. */
  final boolean hasEntry() {
    return pending;
  }

  /** Returns true if entries are unknown, because the index could not be read. */
  final boolean isUnread() {
    return unread;
  }

  /** Ends the comparison of the current entry, and reads the next one. */
  final void done() {
    try {
      advance();
    } catch (IOException e) {
      failed(e);
    }
  }

  private void advance() throws IOException {
    pending = false;
    IndexReader open = reader;
    while (open != null && !pending && open.next()) {
      long key = key(open.entry());
      long after = open.hasNext() ? key(open.nextEntry()) : Long.MAX_VALUE;
      boolean isOutlier = after < key && after > previousKey;
      if (open.isZero() && !mayBeFirst(open)) {
        long number = open.number();
        if (isFollowed(open)) {
          open = unlessRewritten(open, number);
        }
      } else if (key <= previousKey || isOutlier) {
        open = unlessRewritten(open, open.number());
      } else {
        previousKey = key;
        take(open.entry(), open.number());
        pending = true;
      }
    }
  }

  /** Returns true if zeros may be timestamp 0 of the first offset, which another entry follows. */
  private boolean mayBeFirst(IndexReader open) {
    return kind == Companion.TIME_INDEX && open.number() == 0 && open.hasNext();
  }

  /** Reads zeros that a broker has written in advance, and returns true if other bytes follow. */
  private static boolean isFollowed(IndexReader open) throws IOException {
    while (open.next()) {
      if (!open.isZero()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Reports an entry that is out of order, unless a broker is writing the index and the entry has
   * changed since. The log says nothing about that, because a broker completes the indexes of a
   * segment after the last batch.
   *
   * @return the reader of the entries that follow, or of those from the changed entry on
   */
  private @Nullable IndexReader unlessRewritten(IndexReader open, long number) throws IOException {
    StoredFile index = file;
    if (index != null && rereads < MAX_REREADS) {
      rereads++;
      if (isRewritten(index, open, number)) {
        close();
        open(index, number);
        return reader;
      }
    }
    report(PartitionReason.INDEX_OUT_OF_ORDER, number, Fault.UNKNOWN, number);
    return open;
  }

  /**
   * Returns true if the entry with a number, or the one that was read last, has changed. Waits a
   * moment for the change if the broker may be writing one of them.
   */
  private boolean isRewritten(StoredFile index, IndexReader open, long number) throws IOException {
    boolean isChanged = isChanged(index, open, number);
    boolean isTorn = mayBeTorn(open.entry()) || (open.hasNext() && mayBeTorn(open.nextEntry()));
    for (int look = 0; !isChanged && isTorn && look < MAX_LOOKS; look++) {
      LockSupport.parkNanos(PAUSE_NANOS);
      isChanged = isChanged(index, open, number);
    }
    return isChanged;
  }

  private boolean isChanged(StoredFile index, IndexReader open, long number) throws IOException {
    try (IndexReader fresh = new IndexReader(index, entryBytes, number)) {
      boolean isZero = number < open.number();
      return fresh.next()
          && (isZero
              ? !fresh.isZero()
              : !fresh.entry().equals(open.entry()) || !fresh.nextEntry().equals(open.nextEntry()));
    }
  }

  /** Returns true if the current entry was read while a broker was writing it. */
  private boolean isRewritten(StoredFile index, long number) {
    IndexReader open = reader;
    if (open == null || open.number() != number || rereads >= MAX_REREADS) {
      return false;
    }
    rereads++;
    try {
      boolean isChanged = isChanged(index, open);
      for (int look = 0; !isChanged && mayBeTorn(open.entry()) && look < MAX_LOOKS; look++) {
        LockSupport.parkNanos(PAUSE_NANOS);
        isChanged = isChanged(index, open);
      }
      return isChanged;
    } catch (IOException e) {
      return false;
    }
  }

  private boolean isChanged(StoredFile index, IndexReader open) throws IOException {
    try (IndexReader fresh = new IndexReader(index, entryBytes, open.number())) {
      return fresh.next() && !fresh.entry().equals(open.entry());
    }
  }

  /** Returns true if only the first field of an entry may have been written so far. */
  private boolean mayBeTorn(ByteBuffer entry) {
    Segment segment = log;
    return entry.getInt(entryBytes - Integer.BYTES) == 0 && segment != null && segment.isFresh();
  }

  /**
   * Looks for entries that a broker has added since the index was read to its end. Waits a moment
   * for them if the segment was just written to.
   *
   * @return true if there is another entry
   */
  final boolean isContinued() {
    Segment segment = log;
    try {
      for (int look = 0; segment != null && !pending && look < MAX_LOOKS; look++) {
        Segment.Look again = segment.lookAgain();
        boolean isOld = again == Segment.Look.SAME && !segment.isFresh();
        if (isOld || again == Segment.Look.REPLACED) {
          return false;
        }
        reopen(segment);
        LockSupport.parkNanos(pending ? 0 : PAUSE_NANOS);
      }
    } catch (IOException e) {
      failed(e);
    }
    return pending;
  }

  private void reopen(Segment segment) throws IOException {
    IndexReader open = reader;
    long next = open == null ? 0 : open.number() + 1;
    StoredFile index = segment.companion(kind);
    if (index != null) {
      close();
      if (open(index, next)) {
        advance();
      }
    }
  }

  /**
   * Reports a fault.
   *
   * @param number the number of the entry, from 0
   * @param offset the offset that is concerned
   */
  final void report(PartitionReason reason, long number, long offset, Object... operands) {
    StoredFile index = file;
    if (index != null && !isNewerThanLog() && !isRewritten(index, number)) {
      faults.add(index.name(), Fault.of(reason, number * entryBytes, offset, operands));
    }
  }

  /** Reports an entry that is after the last batch. */
  final void reportRest(PartitionReason reason, long number, long offset, Object... operands) {
    StoredFile index = file;
    if (index != null && !isNewerThanLog()) {
      Fault fault = Fault.of(reason, number * entryBytes, offset, operands);
      tail.entry(index.name(), fault, offset);
    }
  }

  /** Reports a fault at the end, unless the partition turns out to be compacted. */
  final void reportUnlessCompacted(
      PartitionReason reason, long number, long offset, Object... operands) {
    StoredFile index = file;
    if (index != null && !isNewerThanLog() && !isRewritten(index, number)) {
      Fault fault = Fault.of(reason, number * entryBytes, offset, operands);
      faults.addUnlessCompacted(index.name(), fault);
    }
  }

  /**
   * Compares a batch with the index, but not if the name of the segment is wrong, because offsets
   * in an index are relative to the name.
   */
  @Override
  public final void batch(StoredBatch batch) {
    if (batch.position() == 0 && batch.baseOffset() < base) {
      close();
    }
    compare(batch);
  }

  /** Compares the entries of the next batch. */
  abstract void compare(StoredBatch batch);

  @Override
  public void repeated(StoredBatch batch) {
    batch(batch);
  }

  /**
   * Returns true if the entries that are left may belong to batches that were appended after the
   * log was read.
   */
  private boolean isNewerThanLog() {
    Segment segment = log;
    return isEnding && segment != null && segment.lookAgain() != Segment.Look.SAME;
  }

  @Override
  public void endSegment() {
    isEnding = true;
    rest();
    isEnding = false;
    close();
    log = null;
  }

  /** Reports the entries that are left after the last batch. */
  abstract void rest();

  private void failed(IOException why) {
    unread = true;
    StoredFile index = file;
    if (index != null) {
      faults.unread(index.name(), why);
    }
    close();
  }

  private void close() {
    pending = false;
    IndexReader open = reader;
    StoredFile index = file;
    reader = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        faults.unread(index == null ? "" : index.name(), e);
      }
    }
  }
}
