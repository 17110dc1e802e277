// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.docs;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ReadmeTest {
  private static final Path ROOT = Path.of("..");
  private static final Path README = ROOT.resolve("README.md");
  private static final int MOST_LINES = 150;
  private static final int MOST_WORDS_PER_CELL = 40;
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]*)(?:#([^)]*))?\\)");
  private static final Pattern ANCHOR =
      Pattern.compile("^#+ (.+)$|<a id=\"([^\"]+)\"", Pattern.MULTILINE);

  @Test
  void staysShort() throws Exception {
    assertTrue(Files.readAllLines(README).size() <= MOST_LINES);
  }

  @Test
  void linksLeadSomewhere() throws Exception {
    int links = 0;
    for (Path document : documents()) {
      Matcher link = LINK.matcher(Files.readString(document));
      while (link.find()) {
        String file = link.group(1);
        Path target = file.isEmpty() ? document : document.resolveSibling(file);
        assertTrue(Files.exists(target), document + " to " + file);
        String anchor = link.group(2);
        assertTrue(
            anchor == null || anchors(target).contains(anchor),
            document + " to " + file + "#" + anchor);
        links++;
      }
    }
    assertTrue(links > 100, "links: " + links);
  }

  @Test
  void cellsOfTheListOfDifferencesStayShort() throws Exception {
    for (String line : Files.readAllLines(ROOT.resolve("docs/compatibility.md"))) {
      if (line.startsWith("|")) {
        for (String cell : line.split("\\|", -1)) {
          assertTrue(cell.split(" ", -1).length <= MOST_WORDS_PER_CELL, cell);
        }
      }
    }
  }

  private static List<Path> documents() throws IOException {
    List<Path> documents = new ArrayList<>();
    for (String folder : List.of("", "validator-tests", "validator-bench/results")) {
      try (Stream<Path> files = Files.list(ROOT.resolve(folder))) {
        files.filter(ReadmeTest::isPage).forEach(documents::add);
      }
    }
    try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
      files.filter(ReadmeTest::isPage).forEach(documents::add);
    }
    return documents;
  }

  private static boolean isPage(Path file) {
    return file.toString().endsWith(".md");
  }

  /** Returns the anchors of a page: those of its headings, as GitHub names them, and its own. */
  private static Set<String> anchors(Path page) throws IOException {
    Set<String> anchors = new HashSet<>();
    Matcher anchor = ANCHOR.matcher(Files.readString(page));
    while (anchor.find()) {
      String heading = anchor.group(1);
      anchors.add(
          heading == null
              ? anchor.group(2)
              : heading.toLowerCase(Locale.ROOT).replaceAll("[^\\w\\- ]", "").replace(' ', '-'));
    }
    return anchors;
  }
}
