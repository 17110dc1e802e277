// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.docs;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ReadmeTest {
  private static final Path ROOT = Path.of("..");
  private static final Path README = ROOT.resolve("README.md");
  private static final int MOST_LINES = 150;

  @Test
  void staysShort() throws Exception {
    assertTrue(Files.readAllLines(README).size() <= MOST_LINES);
  }

  @Test
  void linksLeadSomewhere() throws Exception {
    List<Path> documents = new ArrayList<>(List.of(README, ROOT.resolve("CONTRIBUTING.md")));
    documents.add(ROOT.resolve("SECURITY.md"));
    documents.add(ROOT.resolve("CHANGELOG.md"));
    try (Stream<Path> all = Files.walk(ROOT.resolve("docs"))) {
      all.filter(each -> each.toString().endsWith(".md")).forEach(documents::add);
    }
    int links = 0;
    for (Path document : documents) {
      Matcher link =
          Pattern.compile("\\]\\(([^)#:]+)(#[^)]*)?\\)").matcher(Files.readString(document));
      while (link.find()) {
        assertTrue(
            Files.exists(document.resolveSibling(link.group(1))),
            document + " to " + link.group(1));
        links++;
      }
    }
    assertTrue(links > 100, "links: " + links);
  }
}
