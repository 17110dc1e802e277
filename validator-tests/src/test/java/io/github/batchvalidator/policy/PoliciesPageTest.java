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
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
                "sections, the default section included", PolicyFile.MAX_SECTIONS,
                "patterns with wildcards", PolicyFile.MAX_PATTERNS,
                "names and patterns", PolicyFile.MAX_TOPICS,
                "characters of a value", PolicyParser.MOST_VALUE_CHARS,
                "schema ids, ranges and GUIDs; equal lists count once", SchemaIds.MAX_ENTRIES,
                "first bytes that a rule lists", Prefix.MAX_PREFIXES,
                "bytes of each of them", Prefix.MAX_BYTES)
            .entrySet()) {
      String row = String.format(Locale.ROOT, "| %s | %,d |", limit.getKey(), limit.getValue());
      assertTrue(page.contains(row), row);
    }
    assertEquals(16 << 20, PolicyParser.MOST_BYTES);
    assertTrue(page.contains("| size of the file | 16 MiB |"));
    assertEquals(64 << 20, SchemaIdSets.MOST_BYTES);
    assertEquals(1_000, SchemaIdSets.MOST_FILES);
    assertTrue(page.contains("| files of schema ids, and their size together | 1,000; 64 MiB |"));
  }

  @Test
  void theTableIsThatOfTheCode() throws Exception {
    List<String> rows = new ArrayList<>();
    PolicyKeys.LEGAL.forEach((key, legal) -> rows.add("| `" + key + "` | " + legal + " |"));
    DocumentTable.assertRows(
        "policies.md", "| key | legal values |", line -> line.startsWith("| `"), rows);
  }
}
