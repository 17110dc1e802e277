// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads the files that JMH writes with {@code -rf json}, as they are or as published. */
public final class Results {
  private Results() {}

  /**
   * Reads one file.
   *
   * @param file an array of JMH's rows
   * @return the rows in the order of the file
   * @throws IOException if it cannot be read or is not what JMH writes
   */
  public static List<Row> read(Path file) throws IOException {
    List<Row> rows = new ArrayList<>();
    tree(file).forEach(row -> rows.add(Row.of(row)));
    return rows;
  }

  static JsonNode tree(Path file) throws IOException {
    JsonNode tree = new ObjectMapper().readTree(file.toFile());
    if (!tree.isArray() || tree.isEmpty() || !tree.get(0).has("primaryMetric")) {
      throw new IOException(file + " holds no results of JMH");
    }
    return tree;
  }
}
