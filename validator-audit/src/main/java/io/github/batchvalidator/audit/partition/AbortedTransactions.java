// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.partition;

import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.source.Companion;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.source.StoredFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The entries of the transaction index of a segment. */
final class AbortedTransactions {
  private static final long NONE = StoredBatch.NONE;

  /** An aborted transaction whose marker is at the last offset. */
  private record Entry(long producerId, long firstOffset, long lastOffset) {}

  private final List<Entry> entries = new ArrayList<>();

  private AbortedTransactions() {}

  /**
   * Returns the entries of a segment, or null if it has no transaction index or an unreadable one.
   *
   * <p>A segment without aborted transactions has no index, so a missing index is no evidence.
   */
  static @Nullable AbortedTransactions of(Segment segment) {
    StoredFile file = segment.companion(Companion.TXN_INDEX);
    if (file == null) {
      return null;
    }
    try (IndexReader reader = new IndexReader(file, TxnIndexCheck.ENTRY_BYTES)) {
      if (file.size() == 0 || file.size() % TxnIndexCheck.ENTRY_BYTES != 0) {
        return null;
      }
      AbortedTransactions read = new AbortedTransactions();
      while (reader.next()) {
        ByteBuffer entry = reader.entry();
        if (entry.getShort() != 0) {
          return null;
        }
        read.entries.add(new Entry(entry.getLong(), entry.getLong(), entry.getLong()));
      }
      return read;
    } catch (IOException unreadable) {
      return null; // TxnIndexCheck reports it
    }
  }

  /** Returns the offset of the marker of the transaction that has an offset, or -1. */
  long endOf(long producerId, long offset) {
    return entries.stream()
        .filter(each -> each.producerId() == producerId)
        .filter(each -> each.firstOffset() <= offset && offset < each.lastOffset())
        .mapToLong(Entry::lastOffset)
        .findFirst()
        .orElse(NONE);
  }

  /** Returns the first offset of the transaction that a marker ends, or -1. */
  long startOf(long producerId, StoredBatch marker) {
    return entries.stream()
        .filter(each -> each.producerId() == producerId)
        .filter(each -> each.lastOffset() == marker.baseOffset())
        .mapToLong(Entry::firstOffset)
        .findFirst()
        .orElse(NONE);
  }

  /** Returns true if a transaction has its marker at an offset. */
  boolean endsAt(long offset) {
    return entries.stream().anyMatch(each -> each.lastOffset() == offset);
  }
}
