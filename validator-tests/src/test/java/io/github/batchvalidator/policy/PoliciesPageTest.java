// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.rule.Prefix;
import io.github.batchvalidator.rule.SchemaIds;
import io.github.batchvalidator.testing.DocumentTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example and the table of {@code docs/policies.md}. */
class PoliciesPageTest {
  private static final Path PAGE = Path.of("..", "docs", "policies.md");
  private static final String FENCE = "```";

  @Test
  void theExampleIsValid(@TempDir Path folder) throws Exception {
    String page = Files.readString(PAGE);
    int start = page.indexOf(FENCE + "properties\n") + FENCE.length() + "properties\n".length();
    Path file = folder.resolve("policy.properties");
    Files.writeString(file, page.substring(start, page.indexOf(FENCE, start)));
    PolicyFile example = PolicyFile.load(file);
    assertEquals("orders", example.sectionOf("orders-eu").name());
    assertEquals("events", example.sectionOf("events-1").name());
    assertTrue(example.sectionOf("other").observing());
  }

  @Test
  void theLimitsAreThoseOfTheCode() throws Exception {
    String page = Files.readString(PAGE);
    for (Map.Entry<String, Integer> limit :
        Map.of(
                "letters", TopicPattern.MAX_LENGTH,
                "sections", PolicyFile.MAX_SECTIONS,
                "patterns with wildcards", PolicyFile.MAX_PATTERNS,
                "names and patterns", PolicyFile.MAX_TOPICS,
                "schema ids, ranges and GUIDs", SchemaIds.MAX_ENTRIES,
                "first bytes", Prefix.MAX_PREFIXES)
            .entrySet()) {
      String words = String.format(Locale.ROOT, " %,d %s", limit.getValue(), limit.getKey());
      assertTrue(page.contains(words), words);
    }
    assertEquals(16 << 20, PolicyParser.MOST_BYTES);
    assertTrue(page.contains(" 16 MiB,"));
  }

  /** Keys of equal values share a row. Those of single limits are on the page of settings. */
  @Test
  void theTableIsThatOfTheCode() throws Exception {
    List<String> settings = DocumentTable.firstColumn("settings.md");
    Map<String, StringJoiner> keys = new LinkedHashMap<>();
    PolicyKeys.LEGAL.forEach(
        (key, legal) -> {
          if (key.startsWith("limits.")) {
            assertTrue(settings.contains("batchvalidator." + key), key);
          } else {
            keys.computeIfAbsent(legal, unused -> new StringJoiner("`, `", "| `", "` | ")).add(key);
          }
        });
    List<String> rows = new ArrayList<>();
    keys.forEach((legal, row) -> rows.add(row + legal + " |"));
    DocumentTable.assertRows(
        "policies.md", "| keys | legal values |", line -> line.startsWith("| `"), rows);
  }
}
