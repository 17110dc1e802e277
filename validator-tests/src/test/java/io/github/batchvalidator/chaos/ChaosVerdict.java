// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.chaos;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Compares what writers were answered with what consumers read afterwards.
 *
 * <p>An acknowledged record is stored once, unchanged, at its offset, after earlier records of its
 * writer. A rejected or aborted one is not stored. One of an unknown fate is stored at most once,
 * and a transaction of an unknown fate as a whole or not at all.
 */
final class ChaosVerdict {
  private final List<String> faults = new ArrayList<>();
  private final Map<TopicPartition, Map<RecordId, Stored>> stored = new HashMap<>();

  private ChaosVerdict() {}

  /**
   * Returns a sentence for each fault.
   *
   * @param sent by all writers, in the order of each writer
   * @param read by partition, committed records only, in the order of the partition
   */
  static List<String> faults(List<Sent> sent, Map<TopicPartition, List<Stored>> read) {
    ChaosVerdict verdict = new ChaosVerdict();
    read.forEach(verdict::index);
    verdict.checkFates(sent);
    verdict.checkOrder(sent);
    verdict.checkTransactions(sent);
    return verdict.faults;
  }

  private void index(TopicPartition partition, List<Stored> records) {
    Map<RecordId, Stored> byId = new HashMap<>();
    long last = -1;
    for (Stored each : records) {
      if (each.offset() <= last) {
        faults.add(partition + ": offset " + each.offset() + " after " + last);
      }
      last = each.offset();
      if (!each.intact()) {
        faults.add(partition + ": changed: " + each);
      }
      Stored first = byId.putIfAbsent(each.id(), each);
      if (first != null) {
        faults.add(partition + ": duplicated: " + first + " and " + each);
      }
    }
    stored.put(partition, byId);
  }

  private @Nullable Stored find(Sent sent) {
    return stored.getOrDefault(sent.partition(), Map.of()).get(sent.id());
  }

  private void checkFates(List<Sent> sent) {
    Map<TopicPartition, Integer> known = new HashMap<>();
    for (Sent each : sent) {
      Stored found = find(each);
      if (found != null) {
        known.merge(each.partition(), 1, Integer::sum);
      }
      switch (each.fate()) {
        case ACKNOWLEDGED -> checkAcknowledged(each, found);
        case REJECTED, ABORTED -> {
          if (found != null) {
            faults.add("stored: " + each + ", as " + found);
          }
        }
        case UNKNOWN -> {
          // stored or not
        }
      }
    }
    stored.forEach(
        (partition, records) -> {
          int strangers = records.size() - known.getOrDefault(partition, 0);
          if (strangers != 0) {
            faults.add(partition + ": " + strangers + " records that nobody sent there");
          }
        });
  }

  private void checkAcknowledged(Sent sent, @Nullable Stored found) {
    if (found == null) {
      faults.add("lost: " + sent);
    } else if (found.offset() != sent.offset()) {
      faults.add("at another offset: " + sent + ", as " + found);
    }
  }

  private void checkOrder(List<Sent> sent) {
    Map<TopicPartition, Map<Integer, Stored>> last = new HashMap<>();
    for (Sent each : sent) {
      Stored found = find(each);
      if (each.fate() == Fate.ACKNOWLEDGED && found != null) {
        Stored before =
            last.computeIfAbsent(each.partition(), key -> new HashMap<>())
                .put(each.id().writer(), found);
        if (before != null && before.offset() > found.offset()) {
          faults.add(each.partition() + ": out of order: " + before + " and " + found);
        }
      }
    }
  }

  /** The number of a writer's transaction. */
  private record Transaction(int writer, int number) {}

  private void checkTransactions(List<Sent> sent) {
    Map<Transaction, List<Sent>> open = new HashMap<>();
    for (Sent each : sent) {
      if (each.fate() == Fate.UNKNOWN && each.transaction() != Writer.NO_TRANSACTION) {
        open.computeIfAbsent(
                new Transaction(each.id().writer(), each.transaction()), key -> new ArrayList<>())
            .add(each);
      }
    }
    open.forEach(
        (transaction, records) -> {
          long found = records.stream().map(this::find).filter(Objects::nonNull).count();
          if (found != 0 && found != records.size()) {
            faults.add(
                transaction + ": " + found + " of " + records.size() + " records are committed");
          }
        });
  }
}
