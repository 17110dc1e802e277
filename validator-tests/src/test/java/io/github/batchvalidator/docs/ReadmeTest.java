// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadmeTest {
  private static final Path ROOT = Path.of("..");
  private static final Path README = ROOT.resolve("README.md");
  private static final int MOST_WORDS = 900;
  private static final int MOST_WORDS_PER_CELL = 40;
  private static final Pattern FIGURES =
      Pattern.compile("as fast as by Kafka|bytes allocated|the drop-in takes|bytes of garbage for");
  private static final Pattern FIGURE =
      Pattern.compile("(?<![\\d.,])\\d+(?:\\.\\d{2}|,\\d{3})(?!\\d)");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]*)(?:#([^)]*))?\\)");
  private static final Pattern ANCHOR =
      Pattern.compile("^#+ (.+)$|<a id=\"([^\"]+)\"", Pattern.MULTILINE);

  @Test
  void pagesStayShort() throws Exception {
    for (Map.Entry<String, Integer> most :
        Map.of("README.md", 120, "docs/benchmarks.md", 150, "CHANGELOG.md", 20).entrySet()) {
      int lines = Files.readAllLines(ROOT.resolve(most.getKey())).size();
      assertTrue(lines <= most.getValue(), most.getKey() + ": " + lines);
    }
    int words = Files.readString(README).strip().split("\\s+", -1).length;
    assertTrue(words <= MOST_WORDS, "README.md: " + words + " words");
  }

  @Test
  void theSampleIsAnsweredAsDescribed() throws Exception {
    String readme = Files.readString(README);
    Run run = Run.of("--sample");
    String verdict = run.out().lines().findFirst().orElseThrow();
    assertTrue(readme.contains("then prints: " + verdict + "\n"), verdict);
    assertEquals(0, run.exitCode());
  }

  /** A figure of speed or allocation on a page for newcomers is one of the published tables. */
  @ParameterizedTest
  @ValueSource(strings = {"README.md", "docs/comparison.md"})
  void figuresAreThoseOfTheBenchmarks(String page) throws Exception {
    String published = Files.readString(ROOT.resolve("docs/benchmarks.md"));
    int figures = 0;
    for (String line : Files.readAllLines(ROOT.resolve(page))) {
      if (FIGURES.matcher(line).find()) {
        Matcher figure = FIGURE.matcher(line);
        while (figure.find()) {
          assertTrue(published.contains(figure.group()), page + ": " + figure.group());
          figures++;
        }
      }
    }
    assertTrue(figures > 1, page + ": " + figures);
  }

  private static Set<String> builtVersions() throws IOException {
    Set<String> built = new TreeSet<>();
    Pattern property = Pattern.compile("<kafka-[0-9a-z.-]+\\.version>([0-9.]+)<");
    property
        .matcher(Files.readString(ROOT.resolve("pom.xml")))
        .results()
        .forEach(version -> built.add(version.group(1)));
    return built;
  }

  @Test
  void thePlatformsAreThoseOfTheBuildAndItsWorkflow() throws Exception {
    String page = Files.readString(ROOT.resolve("docs/platforms.md"));
    String versions = String.join(", ", builtVersions());
    assertTrue(page.contains("| Kafka, drop-in jar | " + versions + " | the same |"), versions);
    Matcher matrix =
        Pattern.compile("jdk: \\[(.*)]")
            .matcher(Files.readString(ROOT.resolve(".github/workflows/ci.yml")));
    assertTrue(matrix.find());
    String jdks = matrix.group(1).replace("'", "");
    assertTrue(page.contains("| JDK | 17, 25 | " + jdks + " |"), jdks);
  }

  /** The versions of Kafka that the poms name, and no second table of them. */
  @Test
  void theVersionsAreThoseOfTheBuild() throws Exception {
    Set<String> built = builtVersions();
    Set<String> jars = new TreeSet<>();
    try (Stream<Path> lines = Files.list(ROOT.resolve("validator-dropin"))) {
      lines
          .map(line -> String.valueOf(line.getFileName()))
          .filter(line -> line.startsWith("kafka-"))
          .forEach(line -> jars.add("validator-dropin-" + line));
    }
    Set<String> tested = new TreeSet<>();
    Set<String> named = new TreeSet<>();
    for (Path document : documents()) {
      for (String row : Files.readAllLines(document)) {
        if (row.matches("\\| \\d\\.\\d+\\.x.*")) {
          assertEquals(README, document, "a second table of versions: " + row);
          String[] cells = row.split("\\|", -1);
          named.add(cells[2].strip().replace("`", ""));
          tested.addAll(List.of(cells[3].strip().split(", ", -1)));
        }
      }
    }
    assertEquals(built, tested);
    assertEquals(jars, named);
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

  @ParameterizedTest
  @ValueSource(strings = {"docs", "docs/decisions"})
  void eachPageIsInTheIndexOfItsFolder(String folder) throws Exception {
    String index = Files.readString(ROOT.resolve(folder).resolve("README.md"));
    try (Stream<Path> files = Files.list(ROOT.resolve(folder))) {
      for (Path page : files.filter(ReadmeTest::isPage).toList()) {
        String name = String.valueOf(page.getFileName());
        assertTrue(name.equals("README.md") || index.contains("](" + name + ")"), name);
      }
    }
  }

  @Test
  void cellsStayShort() throws Exception {
    for (Path page : documents()) {
      for (String line : Files.readAllLines(page)) {
        if (line.startsWith("|")) {
          for (String cell : line.split("\\||<br>", -1)) {
            assertTrue(cell.split(" ", -1).length <= MOST_WORDS_PER_CELL, page + cell);
          }
        }
      }
    }
  }

  private static List<Path> documents() throws IOException {
    List<Path> documents = new ArrayList<>();
    for (String folder : List.of("", "deploy", "validator-tests", "validator-bench/results")) {
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
