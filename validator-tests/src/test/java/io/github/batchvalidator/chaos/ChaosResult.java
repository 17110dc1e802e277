// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The figures and faults of a run.
 *
 * @param seconds from the first record to the last
 * @param kills of brokers
 * @param policies how often the policy file was rewritten
 * @param records by fate
 * @param transactions by fate
 * @param rejections of hostile batches
 * @param batches compared on all replicas
 * @param bytes of these batches on one replica
 * @param faults a sentence each
 */
record ChaosResult(
    Plan plan,
    long seconds,
    int kills,
    int policies,
    Map<Fate, Integer> records,
    TransactionCounts transactions,
    int rejections,
    long batches,
    long bytes,
    List<String> faults) {
  private static final int SHOWN_FAULTS = 20;
  private static final double MIB = 1 << 20;
  private static final String HEAD =
      """
      | Kafka | scenario | seed | ours | kills | s | acknowledged | rejected | unknown | committed | aborted | unknown | hostile | policy files | batches | MiB | faults |
      |---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
      """;

  static Map<Fate, Integer> byFate(List<Sent> sent) {
    Map<Fate, Integer> counts = new EnumMap<>(Fate.class);
    for (Sent each : sent) {
      counts.merge(each.fate(), 1, Integer::sum);
    }
    return counts;
  }

  int records(Fate fate) {
    return records.getOrDefault(fate, 0);
  }

  /** Returns the first faults, one a line. */
  String firstFaults() {
    return String.join("\n", faults.subList(0, Math.min(SHOWN_FAULTS, faults.size())));
  }

  /** Adds a row to a table, which is created with its head if the file is missing. */
  void append(Path file) throws IOException {
    String head = Files.exists(file) ? "" : HEAD;
    Files.writeString(file, head + toRow(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  String toRow() {
    return String.format(
        Locale.ROOT,
        "| %s | %s | %d | %s | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d | %.1f | %d |%n",
        plan.line(),
        plan.label(),
        plan.seed(),
        plan.upgrades() ? "0-3" : plan.ours(),
        kills,
        seconds,
        records(Fate.ACKNOWLEDGED),
        records(Fate.REJECTED),
        records(Fate.UNKNOWN),
        transactions.of(Fate.ACKNOWLEDGED),
        transactions.of(Fate.ABORTED),
        transactions.of(Fate.UNKNOWN),
        rejections,
        policies,
        batches,
        bytes / MIB,
        faults.size());
  }
}
