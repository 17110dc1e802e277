// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.partition;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.source.Partition;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * The faults of a partition, and its files that cannot be read.
 *
 * <p>Compaction removes records, so some faults count only if the partition was not compacted. They
 * are kept until the end, because the first batch that shows a compaction may follow.
 */
final class PartitionFaults {
  /** The maximum number of kept faults. Further ones are only counted. */
  private static final int MAX_KEPT = 10_000;

  private record Kept(String file, Fault fault) {}

  private final BiConsumer<String, Fault> sink;
  private final BiConsumer<String, String> errors;
  private final List<Kept> kept = new ArrayList<>();
  private boolean compacted;
  private long dropped;

  /**
   * Creates an empty collection.
   *
   * @param compacted true if the partition is known to be compacted
   * @param sink receives the faults, each with the name of its file
   * @param errors receives the name of each file that cannot be read, and the cause
   */
  PartitionFaults(
      boolean compacted, BiConsumer<String, Fault> sink, BiConsumer<String, String> errors) {
    this.compacted = compacted;
    this.sink = sink;
    this.errors = errors;
  }

  /** Reports a fault. */
  void add(String file, Fault fault) {
    sink.accept(file, fault);
  }

  /** Reports a file that cannot be read, unless a broker has deleted it. */
  void unread(String file, IOException why) {
    if (!(why instanceof NoSuchFileException)) {
      errors.accept(file, Messages.of(why));
    }
  }

  /** Reports a fault at the end, unless the partition turns out to be compacted. */
  void addUnlessCompacted(String file, Fault fault) {
    if (compacted) {
      return;
    }
    if (kept.size() < MAX_KEPT) {
      kept.add(new Kept(file, fault));
    } else {
      dropped++;
    }
  }

  /** Says that a batch shows a compaction. */
  void compacted() {
    compacted = true;
    forget();
  }

  private void forget() {
    kept.clear();
    dropped = 0;
  }

  boolean isCompacted() {
    return compacted;
  }

  /** Returns true if there are faults that the end of the partition decides. */
  boolean isKeeping() {
    return !kept.isEmpty();
  }

  /**
   * Reports the kept faults, and returns how many more there were.
   *
   * @param partition may have been compacted while it was read
   */
  long end(Partition partition) {
    if (!kept.isEmpty()) {
      decide(partition);
    }
    kept.forEach(each -> sink.accept(each.file(), each.fault()));
    kept.clear();
    return dropped;
  }

  private void decide(Partition partition) {
    try {
      if (partition.showsCompaction()) {
        compacted();
      }
    } catch (IOException e) { // whether the kept faults count stays unknown
      unread(partition.name(), e);
      forget();
    }
  }
}
