// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The tables of the documents, each between two comments. The first one says of which published
 * file it is made and how: {@code <!-- table FILE.json rows=codec unit=us -->}, where {@link Pivot}
 * and {@link PairTable} tell the names; {@code <!-- table FILE.md -->} is the machine sheet of a
 * run. The second is {@code <!-- /table -->}.
 */
public final class Documents {
  /** The documents that hold tables, from the root of the repository. */
  public static final List<Path> ALL =
      List.of(
          Path.of("README.md"),
          Path.of("docs", "benchmarks.md"),
          Path.of("docs", "benchmarks-cells.md"),
          Path.of("docs", "benchmarks-broker.md"));

  private static final Path RESULTS = Path.of("validator-bench", "results");
  private static final Pattern TABLE =
      Pattern.compile("(<!-- table (\\S+)((?: \\S+)*?) -->\n).*?(<!-- /table -->)", Pattern.DOTALL);
  private static final Pattern WORD = Pattern.compile("([^\\s=]+)=(\\S+)");

  private final Path root;
  private final Map<String, List<Row>> files = new LinkedHashMap<>();

  /**
   * Reads from a repository.
   *
   * @param root its folder
   */
  public Documents(Path root) {
    this.root = root;
  }

  /**
   * Writes all tables anew.
   *
   * @throws IOException if a document or a file that it names cannot be read or written
   */
  public void update() throws IOException {
    for (Path document : ALL) {
      Files.writeString(root.resolve(document), updated(Files.readString(root.resolve(document))));
    }
  }

  /**
   * Returns a document with all its tables made anew.
   *
   * @param document its text
   * @throws IOException if a file that it names cannot be read
   * @throws IllegalArgumentException if what it asks for is not in that file
   */
  public String updated(String document) throws IOException {
    try {
      return TABLE.matcher(document).replaceAll(this::replacement);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private String replacement(MatchResult marks) {
    try {
      String table = table(marks.group(2), marks.group(3));
      return Matcher.quoteReplacement(marks.group(1) + "\n" + table + "\n" + marks.group(4));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String table(String file, String words) throws IOException {
    Path path = root.resolve(RESULTS).resolve(file);
    if (file.endsWith(".md")) {
      return MachineSheet.read(path).table().markdown();
    }
    List<Row> rows = files.get(file);
    if (rows == null) {
      rows = Results.read(path);
      files.put(file, rows);
    }
    Map<String, String> asked = new LinkedHashMap<>();
    WORD.matcher(words).results().forEach(word -> asked.put(word.group(1), word.group(2)));
    Table table = asked.containsKey("pairs") ? PairTable.of(rows, asked) : Pivot.of(rows, asked);
    return table.markdown();
  }
}
