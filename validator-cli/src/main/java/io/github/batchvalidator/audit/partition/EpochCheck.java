// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.partition;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.report.PartitionReason;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.source.StoredFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A check of the leader epochs of batches against the checkpoint of the partition.
 *
 * <p>The checkpoint is a text: its version 0, the number of entries, and in each further line an
 * epoch and the offset that it starts at.
 */
final class EpochCheck implements PartitionCheck {
  /** The maximum number of entries. A partition has fewer leaders in its life. */
  private static final int MAX_ENTRIES = 1_000_000;

  private static final int FIRST_ENTRY_LINE = 3;

  private final PartitionFaults faults;
  private final @Nullable StoredFile file;
  private final TreeMap<Long, Integer> epochs = new TreeMap<>();
  private int line;
  private int reportedEpoch = StoredBatch.NONE;

  /**
   * Creates a check and reads the checkpoint.
   *
   * @param file the checkpoint, or null if there is none
   * @param faults receives the faults
   * @param errors receives the name of a checkpoint that cannot be read, and the cause
   */
  EpochCheck(@Nullable StoredFile file, PartitionFaults faults, BiConsumer<String, String> errors) {
    this.file = file;
    this.faults = faults;
    if (file != null) {
      try (BufferedReader in =
          new BufferedReader(new InputStreamReader(file.open(), StandardCharsets.UTF_8))) {
        read(in);
      } catch (IOException e) {
        errors.accept(file.name(), Messages.of(e));
      }
    }
  }

  private void read(BufferedReader in) throws IOException {
    String version = next(in);
    if (!"0".equals(version)) {
      unreadable(version == null ? "the file is empty" : "the version is not 0");
      return;
    }
    String declared = next(in);
    int epoch = StoredBatch.NONE;
    long start = StoredBatch.NONE;
    for (String text = next(in); text != null; text = next(in)) {
      String[] fields = text.trim().split("\\s+", -1);
      long[] entry = parse(fields);
      if (entry == null || line - FIRST_ENTRY_LINE >= MAX_ENTRIES) {
        unreadable(entry == null ? "not an epoch and an offset" : "too many entries");
        return;
      }
      if (entry[0] <= epoch || entry[1] <= start) {
        report(
            PartitionReason.EPOCH_CHECKPOINT_OUT_OF_ORDER, line, entry[0], entry[1], epoch, start);
      } else {
        epoch = (int) entry[0];
        start = entry[1];
        epochs.put(start, epoch);
      }
    }
    if (declared == null
        || !declared.trim().equals(Integer.toString(line - FIRST_ENTRY_LINE + 1))) {
      unreadable("the number of entries is not the one in line 2");
    }
  }

  private @Nullable String next(BufferedReader in) throws IOException {
    String text = in.readLine();
    line += text == null ? 0 : 1;
    return text;
  }

  private static long @Nullable [] parse(String... fields) {
    if (fields.length != 2) {
      return null;
    }
    try {
      return new long[] {Integer.parseInt(fields[0]), Long.parseLong(fields[1])};
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private void unreadable(String why) {
    report(PartitionReason.EPOCH_CHECKPOINT_UNREADABLE, Math.max(1, line), why);
    epochs.clear();
  }

  private void report(PartitionReason reason, Object... operands) {
    if (file != null) {
      faults.add(file.name(), Fault.of(reason, 0, Fault.UNKNOWN, operands));
    }
  }

  /** Compares the epoch of a batch. Reports an epoch once. */
  @Override
  public void batch(StoredBatch batch) {
    if (batch.leaderEpoch() < 0 || epochs.isEmpty()) {
      return;
    }
    Map.Entry<Long, Integer> entry = epochs.floorEntry(batch.baseOffset());
    int expected = entry == null ? StoredBatch.NONE : entry.getValue();
    if (batch.leaderEpoch() != expected && batch.leaderEpoch() != reportedEpoch) {
      reportedEpoch = batch.leaderEpoch();
      report(
          PartitionReason.EPOCH_CHECKPOINT_MISMATCH,
          batch.baseOffset(),
          batch.leaderEpoch(),
          expected);
    }
  }
}
