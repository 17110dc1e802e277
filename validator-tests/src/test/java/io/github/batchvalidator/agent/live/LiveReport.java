// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.live;

import io.github.batchvalidator.broker.Medians;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The starts of all rounds, and their medians, as Markdown. */
final class LiveReport {
  private record Row(String disk, String broker) {}

  private final Map<Row, List<LiveStart>> starts = new LinkedHashMap<>();
  private final StringBuilder rounds = new StringBuilder();

  void add(String disk, int round, boolean withAgent, LiveStart start) {
    Row row = new Row(disk, withAgent ? "agent" : "stock");
    starts.computeIfAbsent(row, key -> new ArrayList<>()).add(start);
    rounds.append(
        line(
            "%s, %s, round %d".formatted(disk, row.broker, round),
            start.loaded(),
            start.ready(),
            start.cpu()));
  }

  String text(String head) {
    StringBuilder text = new StringBuilder(head).append("\n\n").append(tableHead());
    starts.forEach(
        (row, each) ->
            text.append(
                line(
                    row.disk + ", " + row.broker,
                    Medians.of(each, LiveStart::loaded),
                    Medians.of(each, LiveStart::ready),
                    Medians.of(each, LiveStart::cpu))));
    text.append("\nSingle starts, in their order:\n\n").append(tableHead()).append(rounds);
    return text.toString();
  }

  private static String tableHead() {
    return "| start | logs loaded, s | broker ready, s | CPU until ready, s |\n|---|--:|--:|--:|\n";
  }

  private static String line(String start, double loaded, double ready, double cpu) {
    return String.format(Locale.ROOT, "| %s | %.1f | %.1f | %.1f |%n", start, loaded, ready, cpu);
  }
}
