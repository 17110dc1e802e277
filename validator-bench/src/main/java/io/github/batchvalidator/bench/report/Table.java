// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A table before it is written as Markdown or HTML. Text between backticks is code.
 *
 * @param head the titles, as many as there are cells in each row
 * @param rows the cells; the first column names the row, the others hold figures
 */
public record Table(List<String> head, List<List<String>> rows) {
  /** Returns the table as Markdown, a line end behind each row. */
  public String markdown() {
    String marks = "|---" + "|--:".repeat(head.size() - 1) + "|\n";
    return line(head) + marks + rows.stream().map(Table::line).collect(Collectors.joining());
  }

  private static String line(List<String> cells) {
    return cells.stream().collect(Collectors.joining(" | ", "| ", " |\n")).replace("|  |", "| |");
  }
}
