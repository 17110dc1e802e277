// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/** A Markdown page that compares the stock class with the drop-in jar. */
final class BusyReport {
  private static final double KIB_PER_MIB = 1 << 10;
  private static final double BYTES_PER_MIB = 1 << 20;

  private static final String TOTALS =
      """
      | | accepted | refused | largest direct memory, MiB | largest resident memory, MiB |
      |---|--:|--:|--:|--:|
      """;

  private static final String ROWS =
      """
      | threads | explicit collections | workload | refused: stock | ours | workers | needed, MiB | direct, MiB: stock | ours | resident, MiB: stock | ours | appends/s: stock | ours | longest append, ms: stock | ours | MB/s: stock | ours |
      |---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
      """;

  private final String head;
  private final List<BusyFigures> stock = new ArrayList<>();
  private final List<BusyFigures> ours = new ArrayList<>();
  private final StringBuilder rows = new StringBuilder();

  /**
   * Creates a page without rows.
   *
   * @param head describes the run
   */
  BusyReport(String head) {
    this.head = head;
  }

  /** Adds the row of a workload. */
  void add(BusyJvm jvm, String workload, BusyFigures stockSaw, BusyFigures oursSaw) {
    stock.add(stockSaw);
    ours.add(oursSaw);
    rows.append(
        String.format(
            Locale.ROOT,
            "| %d %s | %s | %s | %,d | %,d | %d | %.1f | %.1f | %.1f | %,.0f | %,.0f | %,.0f |"
                + " %,.0f | %,d | %,d | %,.0f | %,.0f |%n",
            jvm.threads(),
            jvm.virtual() ? "virtual" : "platform",
            jvm.explicitGc().name().toLowerCase(Locale.ROOT),
            workload,
            stockSaw.refusals(),
            oursSaw.refusals(),
            oursSaw.workers(),
            oursSaw.neededDirectBytes() / BYTES_PER_MIB,
            stockSaw.peakDirectBytes() / BYTES_PER_MIB,
            oursSaw.peakDirectBytes() / BYTES_PER_MIB,
            stockSaw.peakKib() / KIB_PER_MIB,
            oursSaw.peakKib() / KIB_PER_MIB,
            stockSaw.appendsPerSecond(),
            oursSaw.appendsPerSecond(),
            stockSaw.longestMillis(),
            oursSaw.longestMillis(),
            stockSaw.megabytesPerSecond(),
            oursSaw.megabytesPerSecond()));
  }

  String toText() {
    StringBuilder text = new StringBuilder("# Concurrent appends\n\n").append(head);
    text.append('\n').append(TOTALS);
    text.append(total("stock", stock)).append(total("ours", ours));
    text.append('\n').append(ROWS).append(rows);
    return text.append(reasons("stock", stock)).append(reasons("ours", ours)).toString();
  }

  private static String total(String who, List<BusyFigures> all) {
    return String.format(
        Locale.ROOT,
        "| %s | %,d | %,d | %,.1f | %,.0f |%n",
        who,
        all.stream().mapToLong(BusyFigures::appends).sum(),
        all.stream().mapToLong(BusyFigures::refusals).sum(),
        most(all, BusyFigures::peakDirectBytes) / BYTES_PER_MIB,
        most(all, BusyFigures::peakKib) / KIB_PER_MIB);
  }

  private static double most(List<BusyFigures> all, ToLongFunction<BusyFigures> part) {
    return all.stream().mapToLong(part).max().orElse(0);
  }

  private static String reasons(String who, List<BusyFigures> all) {
    Map<String, Long> reasons = new TreeMap<>();
    all.forEach(each -> each.refused().forEach((why, n) -> reasons.merge(why, n, Long::sum)));
    StringBuilder text = new StringBuilder();
    reasons.forEach((why, n) -> text.append("\n- %s refused %,d: `%s`".formatted(who, n, why)));
    return text.isEmpty() ? "" : text.append('\n').toString();
  }
}
