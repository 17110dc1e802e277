// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

class DocumentsTest {
  private static final Path ROOT = Path.of("..");
  private static final long MOST_RESULT_BYTES = 4 << 20;
  private static final String MARK = "<!-- table run.json rows=codec unit=us -->\n";

  @TempDir private Path root;

  @BeforeEach
  void publish() throws Exception {
    Path results = Files.createDirectories(root.resolve("validator-bench/results"));
    new JmhFile()
        .add("In.place", "codec=lz4 contender=CORE", 12_300)
        .write(results.resolve("run.json"));
  }

  /** Whoever types a figure, or publishes a file and forgets the documents, is told here. */
  @Test
  void committedTablesAreThoseOfTheCommittedResults() throws Exception {
    Documents documents = new Documents(ROOT);
    for (Path document : Documents.ALL) {
      String committed = Files.readString(ROOT.resolve(document));
      assertTrue(committed.matches("(?s).*<!-- (table|figure) .*"), document + " has figures");
      assertEquals(documents.updated(committed), committed, "run ./bench tables: " + document);
    }
  }

  /** Compares the tables in the images, not the images, whose layout depends on the fonts. */
  @Test
  void committedChartsAreThoseOfTheCommittedResults() throws Exception {
    Documents documents = new Documents(ROOT);
    Set<Path> drawn = new HashSet<>();
    for (Path document : Documents.ALL) {
      for (Documents.Figure figure : documents.figures(document)) {
        Document svg = SvgFile.parse(Files.readString(figure.file()));
        String message = "run ./bench tables: " + figure.file();
        assertEquals(List.of(figure.title()), SvgFile.texts(svg, "title"), message);
        assertEquals(
            List.of("\n" + figure.table().markdown()), SvgFile.texts(svg, "desc"), message);
        drawn.add(figure.file());
      }
    }
    assertEquals(Set.copyOf(files(ROOT.resolve("docs/charts"))), drawn);
  }

  @Test
  void everyResultHasAReaderAndASheetAndAllAreSmall() throws Exception {
    StringBuilder readers = new StringBuilder();
    for (String folder : new String[] {"", "docs", "validator-bench/results"}) {
      for (Path each : files(ROOT.resolve(folder))) {
        readers.append(isReader(each) ? Files.readString(each) : "");
      }
    }
    Path results = ROOT.resolve(Documents.RESULTS);
    long bytes = 0;
    for (Path file : files(results)) {
      String name = String.valueOf(file.getFileName());
      assertTrue(name.matches(".*\\.(json|md|csv|txt)"), name);
      assertTrue(readers.toString().contains(name), "nothing names " + name);
      assertTrue(
          !name.endsWith(".json") || Files.exists(results.resolve(name.replace("json", "md"))),
          "no sheet beside " + name);
      bytes += Files.size(file);
    }
    assertTrue(bytes <= MOST_RESULT_BYTES, bytes + " bytes");
  }

  /** A sheet names files of its own run, so only the first page of the results counts. */
  private static boolean isReader(Path file) {
    return file.toString().endsWith(".md")
        && (!file.startsWith(ROOT.resolve(Documents.RESULTS)) || file.endsWith("README.md"));
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  @Test
  void commandDrawsTheCharts() throws Exception {
    Files.createDirectories(root.resolve("docs/charts"));
    for (Path document : Documents.ALL) {
      Files.writeString(root.resolve(document), "");
    }
    new JmhFile()
        .add("In.place", "codec=lz4 contender=CORE", 1_000)
        .add("In.place", "codec=lz4 contender=KAFKA", 3_000)
        .write(root.resolve("validator-bench/results/run.json"));
    Files.writeString(
        root.resolve("docs/benchmarks.md"),
        "<!-- chart run.json rows=codec columns= ratios=KAFKA/CORE -->\n![Speed](charts/run.svg)\n");
    assertEquals(0, ReportCommand.run(System.out, System.err, "tables", root.toString()));
    String svg = Files.readString(root.resolve("docs/charts/run.svg"));
    assertTrue(SvgFile.texts(SvgFile.parse(svg), "text").containsAll(List.of("Speed", "3.00")));
  }

  @Test
  void replacesWhatStandsBetweenTheMarksOnly() throws Exception {
    String updated =
        new Documents(root)
            .updated(
                "before\n"
                    + MARK
                    + "\n| | 99.9 |\n\n<!-- /table -->\nbetween $1\n"
                    + MARK
                    + "<!-- /table -->\n");
    String table = MARK + "\n| | `CORE` |\n|---|--:|\n| lz4 | 12.3 |\n\n<!-- /table -->\n";
    assertEquals("before\n" + table + "between $1\n" + table, updated);
  }

  @Test
  void replacesFiguresInSentences() throws Exception {
    String mark = "<!-- figure run.json rows=codec unit=us -->";
    String end = "<!-- /figure -->";
    assertEquals(
        "takes " + mark + "12.3" + end + " and " + mark + "12.3" + end + " us",
        new Documents(root).updated("takes " + mark + "9" + end + " and " + mark + end + " us"));
    String two = "<!-- figure run.json rows=codec unit=us bytes=CORE -->1" + end;
    Documents documents = new Documents(root);
    assertThrows(IllegalArgumentException.class, () -> documents.updated(two));
  }

  @Test
  void missingFileIsAnError() {
    Documents documents = new Documents(root);
    assertThrows(
        IOException.class,
        () -> documents.updated("<!-- table none.json rows=codec -->\n<!-- /table -->"));
  }

  @Test
  void commandWritesTheDocuments() throws Exception {
    Files.createDirectories(root.resolve("docs"));
    for (Path document : Documents.ALL) {
      Files.writeString(root.resolve(document), MARK + "<!-- /table -->\n");
    }
    assertEquals(0, ReportCommand.run(System.out, System.err, "tables", root.toString()));
    for (Path document : Documents.ALL) {
      assertTrue(Files.readString(root.resolve(document)).contains("| lz4 | 12.3 |"));
    }
  }
}
