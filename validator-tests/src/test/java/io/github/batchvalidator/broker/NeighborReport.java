// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** A page with a short table, of which {@code docs/hostile-input.md} has rows, and a long one. */
final class NeighborReport {
  private static final String LONG_HEAD =
      """

      ## All figures

      | class of input | broker | records | failed | p50, ms | p99, ms | longest, ms | hostile requests/s | log, bytes per hostile request | answers | troubles |
      |---|---|--:|--:|--:|--:|--:|--:|--:|---|---|
      """;

  private final Map<String, Map<String, NeighborFigures>> rows = new LinkedHashMap<>();

  void add(String family, String contender, NeighborFigures figures) {
    rows.computeIfAbsent(family, it -> new LinkedHashMap<>()).put(contender, figures);
  }

  /** Returns the page below its title. */
  String text(String head) {
    return head + "\n" + shortTable() + LONG_HEAD + longRows();
  }

  private String shortTable() {
    Collection<String> contenders = rows.values().iterator().next().keySet();
    StringBuilder table = new StringBuilder();
    table.append("| class of input | ").append(String.join(" | ", contenders)).append(" |\n");
    table.append("|---|").append("--:|".repeat(contenders.size())).append('\n');
    rows.forEach(
        (family, cells) ->
            table.append(
                cells.values().stream()
                    .map(NeighborFigures::toCell)
                    .collect(Collectors.joining(" | ", "| " + family + " | ", " |\n"))));
    return table.toString();
  }

  private String longRows() {
    StringBuilder lines = new StringBuilder();
    rows.forEach(
        (family, cells) ->
            cells.forEach(
                (contender, figures) ->
                    lines.append(
                        String.join(" | ", "| " + family, contender, figures.toCells() + " |\n"))));
    return lines.toString();
  }
}
