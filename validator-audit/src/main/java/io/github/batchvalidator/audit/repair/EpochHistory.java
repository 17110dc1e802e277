// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.repair;

import io.github.batchvalidator.audit.source.EndClaim;
import io.github.batchvalidator.audit.source.LeaderEpochs;
import io.github.batchvalidator.audit.source.Partition;
import io.github.batchvalidator.audit.source.RemoteLog;
import io.github.batchvalidator.audit.source.StoredFile;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/**
 * The leader epochs that the files of a copy state. No checksum covers the epoch of a batch, so
 * they are witnesses.
 */
final class EpochHistory {
  static final int UNKNOWN = -1;

  private final String file;
  private final NavigableMap<Long, Integer> epochs;
  private boolean contradicted;

  private EpochHistory(String file, NavigableMap<Long, Integer> epochs) {
    this.file = file;
    this.epochs = epochs;
  }

  /** Returns what the files of a partition state. */
  static EpochHistory of(Partition partition) {
    RemoteLog remote = partition.remote();
    StoredFile checkpoint = partition.leaderEpochs();
    if (remote != null) {
      return new EpochHistory(partition.name(), remote.lineage());
    }
    if (checkpoint == null) {
      return new EpochHistory("", Collections.emptyNavigableMap());
    }
    NavigableMap<Long, Integer> read = Collections.emptyNavigableMap();
    try {
      read = LeaderEpochs.read(checkpoint, (reason, operands) -> {});
    } catch (IOException unreadable) {
      // An empty history says nothing.
    }
    return new EpochHistory(checkpoint.name(), read);
  }

  /**
   * Returns the clean history that starts first and does not contradict a batch, or null. A log may
   * start later than its history, as the local log of a tiered topic does.
   *
   * @param offset the first offset of the batch
   * @param epoch the epoch of the batch, or {@link #UNKNOWN}
   */
  static @Nullable EpochHistory longest(List<EpochHistory> histories, long offset, int epoch) {
    EpochHistory longest = null;
    for (EpochHistory each : histories) {
      int stated = each.at(offset);
      boolean fits = stated == epoch || stated == UNKNOWN || epoch == UNKNOWN;
      if (each.isClean() && fits && (longest == null || each.first() < longest.first())) {
        longest = each;
      }
    }
    return longest;
  }

  private long first() {
    return epochs.firstKey();
  }

  /** Says that the batches of the same copy contradict it. */
  void contradicted() {
    contradicted = true;
  }

  /** Returns true if it can be read, and agrees with the batches beside it. */
  boolean isClean() {
    return !contradicted && !epochs.isEmpty();
  }

  /** Returns the epoch at an offset, or {@link #UNKNOWN}. */
  int at(long offset) {
    return LeaderEpochs.epochAt(epochs, offset);
  }

  /** Returns each epoch that starts at or before an offset, by its first offset. */
  Map<Long, Integer> upTo(long offset) {
    return epochs.headMap(offset, true);
  }

  /** Returns the offset that an epoch starts at, or {@link #UNKNOWN}. */
  long startOf(int epoch) {
    if (isClean()) {
      for (Map.Entry<Long, Integer> each : epochs.entrySet()) {
        if (each.getValue() == epoch) {
          return each.getKey();
        }
      }
    }
    return UNKNOWN;
  }

  String file() {
    return file;
  }

  void addClaims(List<EndClaim> claims) {
    if (isClean()) {
      long last = epochs.lastKey();
      claims.add(new EndClaim(file + " has an epoch from offset " + last, last));
    }
  }
}
