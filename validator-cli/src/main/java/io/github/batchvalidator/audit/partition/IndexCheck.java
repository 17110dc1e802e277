// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.partition;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.report.PartitionReason;
import io.github.batchvalidator.audit.source.Companion;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.source.StoredFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A check of one kind of index. Reads the entries of the index while the batches of its segment
 * pass by, so its memory does not depend on the size of the index.
 */
abstract class IndexCheck implements PartitionCheck {
  private final Companion kind;
  private final int entryBytes;
  private final PartitionFaults faults;
  private final BiConsumer<String, String> errors;
  private @Nullable IndexReader reader;
  private @Nullable StoredFile file;

  /** True if the current entry was not compared yet. */
  private boolean pending;

  /**
   * Creates a check.
   *
   * @param kind the kind of the index
   * @param entryBytes the size of an entry
   * @param faults receives the faults
   * @param errors receives the name of each index that cannot be read, and the cause
   */
  IndexCheck(
      Companion kind, int entryBytes, PartitionFaults faults, BiConsumer<String, String> errors) {
    this.kind = kind;
    this.entryBytes = entryBytes;
    this.faults = faults;
    this.errors = errors;
  }

  @Override
  public void start(Segment segment) {
    close();
    StoredFile index = segment.companion(kind);
    file = index;
    if (index == null) {
      return;
    }
    try {
      long size = index.size();
      reader = new IndexReader(index, entryBytes);
      if (size % entryBytes != 0) {
        long entries = size / entryBytes;
        report(PartitionReason.INDEX_SIZE_INVALID, entries, Fault.UNKNOWN, size, entryBytes);
      }
      begin(segment);
      advance();
    } catch (IOException e) {
      failed(e);
    }
  }

  /** Prepares for the entries of a segment. */
  abstract void begin(Segment segment);

  /**
   * Takes an entry, and returns false if it ends the index, as zeros do that a broker has written
   * in advance.
   */
  abstract boolean take(ByteBuffer entry, long number);

  /** Returns true if there is an entry that was not {@linkplain #done compared}. */
  final boolean hasEntry() {
    return pending;
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
    IndexReader open = reader;
    pending = open != null && open.next() && take(open.entry(), open.number());
  }

  /**
   * Reports a fault.
   *
   * @param number the number of the entry, from 0
   * @param offset the offset that is concerned
   */
  final void report(PartitionReason reason, long number, long offset, Object... operands) {
    StoredFile index = file;
    if (index != null) {
      faults.add(index.name(), Fault.of(reason, number * entryBytes, offset, operands));
    }
  }

  /** Reports a fault at the end, unless the partition turns out to be compacted. */
  final void reportUnlessCompacted(
      PartitionReason reason, long number, long offset, Object... operands) {
    StoredFile index = file;
    if (index != null) {
      Fault fault = Fault.of(reason, number * entryBytes, offset, operands);
      faults.addUnlessCompacted(index.name(), fault);
    }
  }

  /** Leaves the rest of the index unchecked, because its batches are not known. */
  @Override
  public void interrupted() {
    close();
  }

  @Override
  public void endSegment() {
    rest();
    close();
  }

  /** Reports the entries that are left after the last batch. */
  abstract void rest();

  private void failed(IOException why) {
    StoredFile index = file;
    if (index != null) {
      errors.accept(index.name(), Messages.of(why));
    }
    close();
  }

  private void close() {
    pending = false;
    IndexReader open = reader;
    reader = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        errors.accept(String.valueOf(file), Messages.of(e));
      }
    }
  }
}
