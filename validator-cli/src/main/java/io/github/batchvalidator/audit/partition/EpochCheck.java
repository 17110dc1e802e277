// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.partition;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.report.PartitionReason;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.source.Segment;
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
 * A check of the leader epochs of batches: they do not decrease, and the checkpoint of the
 * partition has them.
 *
 * <p>The checkpoint is a text: its version 0, the number of entries, and in each further line an
 * epoch and the offset that it starts at.
 */
final class EpochCheck implements PartitionCheck {
  /** The maximum number of entries. A partition has fewer leaders in its life. */
  private static final int MAX_ENTRIES = 100_000;

  private static final int FIRST_ENTRY_LINE = 3;

  private final PartitionFaults faults;
  private final @Nullable StoredFile file;
  private final TreeMap<Long, Integer> epochs = new TreeMap<>();
  private int line;
  private String segment = "";

  /** The leader epoch of the last batch that fits, or below 0. */
  private int previous = StoredBatch.NONE;

  private int reportedEpoch = StoredBatch.NONE;

  private boolean isAfterGap;

  /** A batch after a gap. Its base offset is wrong if the next batch has a lower one. */
  private @Nullable StoredBatch waiting;

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
    boolean isOrdered = true;
    for (String text = next(in); text != null; text = next(in)) {
      String[] fields = text.trim().split("\\s+", -1);
      long[] entry = parse(fields);
      if (entry == null || line - FIRST_ENTRY_LINE >= MAX_ENTRIES) {
        unreadable(entry == null ? "not an epoch and an offset" : "too many entries");
        return;
      }
      if (isOrdered && (entry[0] <= epoch || entry[1] <= start)) {
        isOrdered = false;
        report(
            PartitionReason.EPOCH_CHECKPOINT_OUT_OF_ORDER, line, entry[0], entry[1], epoch, start);
      }
      epoch = (int) entry[0];
      start = entry[1];
      epochs.put(start, epoch);
    }
    if (!isOrdered) {
      epochs.clear();
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

  @Override
  public void start(Segment next) {
    segment = next.name();
  }

  @Override
  public void interrupted(long from, long to) {
    isAfterGap = true;
  }

  @Override
  public void batch(StoredBatch batch) {
    StoredBatch before = waiting;
    waiting = null;
    if (before != null && batch.baseOffset() > before.baseOffset()) {
      check(before);
    }
    if (isAfterGap) {
      isAfterGap = false;
      waiting = batch;
    } else {
      check(batch);
    }
  }

  @Override
  public void repeated(StoredBatch batch) {
    waiting = null;
  }

  @Override
  public void endSegment() {
    StoredBatch last = waiting;
    waiting = null;
    if (last != null) {
      check(last);
    }
  }

  private void check(StoredBatch batch) {
    int epoch = batch.leaderEpoch();
    if (epoch < 0) {
      return;
    }
    if (epoch < previous) {
      faults.add(
          segment,
          Fault.of(PartitionReason.PARTITION_LEADER_EPOCH_DECREASED, batch, epoch, previous));
      previous = epoch;
    } else if (epochs.isEmpty() || isInCheckpoint(batch)) {
      previous = epoch;
    }
  }

  /** Returns true if the checkpoint has the epoch of a batch. Reports each epoch once. */
  private boolean isInCheckpoint(StoredBatch batch) {
    Map.Entry<Long, Integer> entry = epochs.floorEntry(batch.baseOffset());
    boolean isBeforeStart = entry == null; // deleted offsets may be in the first segment
    int expected = isBeforeStart ? epochs.firstEntry().getValue() : entry.getValue();
    int epoch = batch.leaderEpoch();
    if (epoch == expected || (isBeforeStart && epoch < expected)) {
      return true;
    }
    if (file != null && epoch != reportedEpoch) {
      reportedEpoch = epoch;
      Object[] operands = {batch.baseOffset(), epoch, expected};
      faults.add(
          file.name(),
          Fault.of(PartitionReason.EPOCH_CHECKPOINT_MISMATCH, 0, batch.baseOffset(), operands));
    }
    return false;
  }
}
