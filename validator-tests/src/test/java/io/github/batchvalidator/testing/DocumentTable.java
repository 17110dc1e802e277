// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertIterableEquals;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The table of a document in {@code docs} whose first column holds ids, written as code. */
public final class DocumentTable {
  private static final Path DOCS = Path.of("..", "docs");
  private static final Pattern ANCHOR = Pattern.compile("^<a id=\"[a-z_0-9]+\"></a>");

  private DocumentTable() {}

  /** Returns the ids, in the order of the document. */
  public static List<String> firstColumn(String document) throws IOException {
    return rows(document).stream().map(row -> row.get(0)).toList();
  }

  /** Returns the ids of the rows between a heading and the next heading. */
  public static List<String> firstColumn(String document, String heading) throws IOException {
    List<String> lines = Files.readAllLines(DOCS.resolve(document));
    int from = lines.indexOf(heading) + 1;
    if (from == 0) {
      throw new IllegalArgumentException("no heading " + heading);
    }
    return lines.stream()
        .skip(from)
        .takeWhile(line -> !line.startsWith("#"))
        .filter(DocumentTable::isRow)
        .map(line -> cells(line).get(0))
        .toList();
  }

  /** Returns the cells of the row of an id, itself first and without its marks. */
  public static List<String> row(String document, String id) throws IOException {
    return rows(document).stream()
        .filter(row -> row.get(0).equals(id))
        .findFirst()
        .orElseThrow(() -> new AssertionError("docs/" + document + " has no row for " + id));
  }

  /**
   * Asserts the rows of a table that are made from the code. {@code -Ddocs.update=true} writes
   * them.
   *
   * @param heading a line before the rows
   * @param isMade recognizes the rows, which follow one another
   * @param rows the rows as they have to be
   */
  public static void assertRows(
      String document, String heading, Predicate<String> isMade, List<String> rows)
      throws IOException {
    List<String> lines = Files.readAllLines(DOCS.resolve(document));
    int from = lines.indexOf(heading);
    while (!isMade.test(lines.get(from))) {
      from++;
    }
    int to = from;
    while (isMade.test(lines.get(to))) {
      to++;
    }
    if (Boolean.getBoolean("docs.update")) {
      List<String> updated = new ArrayList<>(lines.subList(0, from));
      updated.addAll(rows);
      updated.addAll(lines.subList(to, lines.size()));
      Files.write(DOCS.resolve(document), updated);
      return;
    }
    assertIterableEquals(
        rows, lines.subList(from, to), () -> "docs/" + document + ": run with -Ddocs.update=true");
  }

  /** Asserts that each constant has exactly one test named after it in the classes. */
  public static void assertPinned(List<String> constants, Class<?>... tests) {
    List<String> names =
        Arrays.stream(tests)
            .flatMap(test -> Arrays.stream(test.getDeclaredMethods()))
            .map(Method::getName)
            .toList();
    for (String constant : constants) {
      assertEquals(1, Collections.frequency(names, camelCase(constant)), constant);
    }
  }

  private static boolean isRow(String line) {
    return line.startsWith("| `") || line.startsWith("| <a id=");
  }

  private static List<List<String>> rows(String document) throws IOException {
    return Files.readAllLines(DOCS.resolve(document)).stream()
        .filter(DocumentTable::isRow)
        .map(DocumentTable::cells)
        .toList();
  }

  private static List<String> cells(String line) {
    List<String> cells =
        Arrays.stream(line.substring(1, line.lastIndexOf('|')).split("\\|", -1))
            .map(String::strip)
            .collect(Collectors.toList());
    cells.set(0, ANCHOR.matcher(cells.get(0)).replaceFirst("").replace("`", ""));
    return cells;
  }

  /** Returns the name that a method has after a constant: {@code ABC_DEF} is {@code abcDef}. */
  public static String camelCase(String constant) {
    StringBuilder name = new StringBuilder();
    for (String word : constant.split("_", -1)) {
      String lower = word.toLowerCase(Locale.ROOT);
      boolean first = name.isEmpty();
      name.append(first ? lower : lower.substring(0, 1).toUpperCase(Locale.ROOT))
          .append(first ? "" : lower.substring(1));
    }
    return name.toString();
  }
}
