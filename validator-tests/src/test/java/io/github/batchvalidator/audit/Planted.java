// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import java.nio.file.Path;
import java.util.List;

/**
 * One kind of damage.
 *
 * @param reason the reason of the only fault: of a batch, a segment or a partition
 * @param what describes the damage
 * @param planting damages the files
 */
record Planted(Enum<?> reason, String what, Planting planting) {
  /** Damages the files of a partition. */
  @FunctionalInterface
  interface Planting {
    /** Damages the files, and returns where the fault is: {@code FILE@POSITION}. */
    String plant(StoredLog log) throws Exception;
  }

  /** Writes a log that has the damage from the start. */
  @FunctionalInterface
  interface Writing {
    /** Writes batches. The last batch of its first segment has the fault unless it says more. */
    void write(KafkaLog log) throws Exception;
  }

  /** Returns a damage that a broker wrote because it was asked to: the last batch has the fault. */
  static Planted written(Enum<?> reason, String what, Writing writing) {
    return new Planted(
        reason,
        what,
        sample -> {
          Path directory = sample.directory().resolveSibling("written-0");
          try (KafkaLog log = KafkaLog.open(directory)) {
            writing.write(log);
            log.plain(1);
          }
          StoredLog log = new StoredLog(directory);
          List<StoredLog.Batch> batches = log.batches(0);
          return log.at(0, ".log", batches.get(batches.size() - 2).position());
        });
  }

  @Override
  public String toString() {
    return reason.name() + ": " + what;
  }
}
