// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads the files that JMH writes with {@code -rf json}, in JMH's form or as published. */
final class Results {
  private Results() {}

  /**
   * Reads the rows of one file, in order.
   *
   * @throws IOException if the file cannot be read or is not a file of results
   */
  static List<Row> read(Path file) throws IOException {
    List<Row> rows = new ArrayList<>();
    tree(file).forEach(row -> rows.add(Row.of(row)));
    return rows;
  }

  static JsonNode tree(Path file) throws IOException {
    JsonNode tree = new ObjectMapper().readTree(file.toFile());
    if (!tree.isArray() || tree.isEmpty() || !tree.get(0).has("primaryMetric")) {
      throw new IOException(file + " contains no JMH results");
    }
    return tree;
  }
}
