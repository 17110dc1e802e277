// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A table before it is written as Markdown or HTML. Text between backticks is code.
 *
 * @param head the titles, as many as there are cells in each row; a column without one holds text,
 *     the others figures
 * @param rows the cells
 */
public record Table(List<String> head, List<List<String>> rows) {
  /** Returns the table as Markdown, a line end behind each row. */
  public String markdown() {
    String marks =
        head.stream()
            .map(title -> title.isEmpty() ? "|---" : "|--:")
            .collect(Collectors.joining("", "", "|\n"));
    return line(head) + marks + rows.stream().map(Table::line).collect(Collectors.joining());
  }

  private static String line(List<String> cells) {
    return cells.stream()
        .map(cell -> cell.isEmpty() ? "| " : "| " + cell + " ")
        .collect(Collectors.joining("", "", "|\n"));
  }
}
