// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.source;

import io.github.batchvalidator.audit.report.PartitionReason;
import io.github.batchvalidator.audit.report.StoredBatch;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A checkpoint of leader epochs.
 *
 * <p>It is a text: its version 0, the number of entries, and in each further line an epoch and the
 * offset that it starts at.
 */
public final class LeaderEpochs {
  /** The maximum number of entries. A partition has fewer leaders in its life. */
  private static final int MAX_ENTRIES = 100_000;

  private static final int FIRST_ENTRY_LINE = 3;

  private final TreeMap<Long, Integer> epochs = new TreeMap<>();
  private final Problems problems;
  private int line;

  /** A receiver of the faults of a checkpoint. */
  @FunctionalInterface
  public interface Problems {
    /** Takes a fault. */
    void found(PartitionReason reason, Object... operands);
  }

  private LeaderEpochs(Problems problems) {
    this.problems = problems;
  }

  /**
   * Reads a checkpoint, and returns each epoch by its first offset. The result is empty if the
   * checkpoint is unreadable or out of order.
   *
   * @param problems receives what is wrong with the checkpoint
   */
  public static NavigableMap<Long, Integer> read(StoredFile file, Problems problems)
      throws IOException {
    LeaderEpochs read = new LeaderEpochs(problems);
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(file.open(), StandardCharsets.UTF_8))) {
      read.read(in);
    }
    return Collections.unmodifiableNavigableMap(read.epochs);
  }

  /** Returns the epoch of an offset, or {@link StoredBatch#NONE} before the first epoch. */
  public static int epochAt(NavigableMap<Long, Integer> epochs, long offset) {
    Map.Entry<Long, Integer> entry = epochs.floorEntry(offset);
    return entry == null ? StoredBatch.NONE : entry.getValue();
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
        problems.found(
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
    problems.found(PartitionReason.EPOCH_CHECKPOINT_UNREADABLE, Math.max(1, line), why);
    epochs.clear();
  }
}
