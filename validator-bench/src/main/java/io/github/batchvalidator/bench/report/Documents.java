// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The tables, figures and charts of the documents, made from the published results.
 *
 * <p>A table is between the comments {@code <!-- table FILE.json rows=codec unit=us -->} and {@code
 * <!-- /table -->}. {@link Pivot} and {@link PairTable} explain the words. {@code <!-- table
 * FILE.md -->} stands for the machine sheet of a run. A figure in a sentence is between {@code <!--
 * figure FILE.json codec=lz4 columns= ratios=A/B -->} and {@code <!-- /figure -->}: the cell of a
 * table with one line and one column. A chart is the image after the comment {@code <!-- chart
 * FILE.json rows=codec ratios=A/B -->}; its alternative text is the title.
 */
final class Documents {
  /** The documents that contain tables or charts. */
  static final List<Path> ALL =
      List.of(
          Path.of("README.md"),
          Path.of("docs", "benchmarks.md"),
          Path.of("docs", "benchmarks-broker.md"),
          Path.of("validator-bench", "results", "README.md"));

  static final Path RESULTS = Path.of("validator-bench", "results");

  private static final Pattern TABLE =
      Pattern.compile("(<!-- table (\\S+)((?: \\S+)*?) -->\n).*?(<!-- /table -->)", Pattern.DOTALL);
  private static final Pattern CELL =
      Pattern.compile("(<!-- figure (\\S+)((?: \\S+)*?) -->)[^<]*(<!-- /figure -->)");
  private static final Pattern CHART =
      Pattern.compile("<!-- chart (\\S+)((?: \\S+)*?) -->\\s*!\\[([^\\]]+)]\\(([^)\\s]+)\\)");

  private final Path root;
  private final Map<String, List<Row>> files = new LinkedHashMap<>();

  /** Reads from a repository, whose folder is given. */
  Documents(Path root) {
    this.root = root;
  }

  /**
   * A chart of a document.
   *
   * @param file the image
   * @param isOfRatios whether the table contains ratios
   */
  record Figure(Path file, String title, Table table, boolean isOfRatios) {
    String svg() throws IOException {
      return Chart.svg(title, table, isOfRatios);
    }
  }

  /**
   * Updates all tables, figures and charts.
   *
   * @throws IOException if a document, or a file that it names, cannot be read or written
   */
  void update() throws IOException {
    for (Path document : ALL) {
      Files.writeString(root.resolve(document), updated(Files.readString(root.resolve(document))));
      for (Figure figure : figures(document)) {
        Files.writeString(figure.file(), figure.svg());
      }
    }
  }

  /**
   * Returns the text of a document with all its tables and figures updated.
   *
   * @throws IOException if a file that it names cannot be read
   * @throws IllegalArgumentException if that file does not contain what a table asks for
   */
  String updated(String document) throws IOException {
    try {
      String tables = TABLE.matcher(document).replaceAll(this::replacement);
      return CELL.matcher(tables).replaceAll(this::cell);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private String replacement(MatchResult marks) {
    try {
      String table = table(marks.group(2), Words.parse(marks.group(3)));
      return Matcher.quoteReplacement(marks.group(1) + "\n" + table + "\n" + marks.group(4));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String cell(MatchResult marks) {
    try {
      Table table = Pivot.of(rows(marks.group(2)), Words.parse(marks.group(3)));
      if (table.rows().size() != 1 || table.head().size() != 2) {
        throw new IllegalArgumentException("not a single figure: " + marks.group(1));
      }
      return Matcher.quoteReplacement(marks.group(1) + table.rows().get(0).get(1) + marks.group(4));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String table(String file, Words words) throws IOException {
    if (file.endsWith(".md")) {
      return Files.readAllLines(root.resolve(RESULTS).resolve(file)).stream()
          .filter(line -> line.startsWith("|"))
          .collect(Collectors.joining("\n", "", "\n"));
    }
    List<Row> rows = rows(file);
    return (words.has("pairs") ? PairTable.of(rows, words) : Pivot.of(rows, words)).markdown();
  }

  /**
   * Returns the charts of a document.
   *
   * @throws IOException if the document, or a file that it names, cannot be read
   */
  List<Figure> figures(Path document) throws IOException {
    Path path = root.resolve(document);
    List<MatchResult> marks = CHART.matcher(Files.readString(path)).results().toList();
    List<Figure> figures = new ArrayList<>();
    for (MatchResult mark : marks) {
      Words words = Words.parse(mark.group(2));
      Table table = Pivot.of(rows(mark.group(1)), words);
      Path file = path.resolveSibling(mark.group(4)).normalize();
      figures.add(new Figure(file, mark.group(3), table, words.has("ratios")));
    }
    return figures;
  }

  private List<Row> rows(String file) throws IOException {
    List<Row> rows = files.get(file);
    if (rows == null) {
      rows = Row.read(root.resolve(RESULTS).resolve(file));
      files.put(file, rows);
    }
    return rows;
  }
}
