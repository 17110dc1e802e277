// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocumentsTest {
  private static final Path ROOT = Path.of("..");
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
      assertTrue(committed.contains("<!-- table "), document + " has tables");
      assertEquals(documents.updated(committed), committed, "run ./bench tables: " + document);
    }
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
  void missingFileIsAnError() {
    Documents documents = new Documents(root);
    assertThrows(
        java.io.IOException.class,
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
