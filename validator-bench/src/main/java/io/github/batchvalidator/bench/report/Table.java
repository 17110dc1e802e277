// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A table of text.
 *
 * @param head the titles; a column without a title is text, the others are figures
 * @param rows the cells, as many per row as there are titles
 */
record Table(List<String> head, List<List<String>> rows) {
  /** Returns the table as Markdown; each row ends with a newline. */
  String markdown() {
    String alignment =
        head.stream()
            .map(title -> title.isEmpty() ? "|---" : "|--:")
            .collect(Collectors.joining("", "", "|\n"));
    return line(head) + alignment + rows.stream().map(Table::line).collect(Collectors.joining());
  }

  private static String line(List<String> cells) {
    return cells.stream()
        .map(cell -> cell.isEmpty() ? "| " : "| " + cell + " ")
        .collect(Collectors.joining("", "", "|\n"));
  }
}
