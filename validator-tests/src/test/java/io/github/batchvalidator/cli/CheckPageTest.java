// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.batchvalidator.audit.report.SegmentReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The pages of {@code ./check} list the types of JSON, the fields of faults, and the reasons. */
class CheckPageTest {
  private static final Path DOCS = Path.of("..", "docs");
  private static final Pattern NAME = Pattern.compile("`(\\w+)`");

  @Test
  void namesTheTypesAndTheFieldsOfFaults() throws IOException {
    JsonNode types = JsonSchemaTest.schema();
    Set<String> known = new TreeSet<>();
    types.fieldNames().forEachRemaining(known::add);
    List<String> lines = Files.readAllLines(DOCS.resolve("check-json.md"));
    Set<String> documented = new TreeSet<>();
    lines.stream()
        .filter(line -> line.startsWith("| `"))
        .forEach(line -> documented.addAll(names(line.split("\\|", 3)[1])));
    assertEquals(known, documented);

    Set<String> fields = new TreeSet<>();
    types.get("fault").get("properties").fieldNames().forEachRemaining(fields::add);
    fields.remove("type");
    String paragraph =
        lines.stream()
            .filter(line -> line.startsWith("A fault or finding has"))
            .findFirst()
            .orElseThrow();
    assertEquals(fields, new TreeSet<>(names(paragraph)));
  }

  /** The page leaves the meaning of fields to the schema. */
  @Test
  void theSchemaExplainsEachField() throws IOException {
    for (JsonNode type : JsonSchemaTest.schema()) {
      for (Map.Entry<String, JsonNode> field : type.get("properties").properties()) {
        boolean explained = field.getValue().has("description") || field.getValue().has("const");
        assertTrue(explained, field::toString);
      }
    }
  }

  @Test
  void namesTheReasonsOfSegments() throws IOException {
    String page = Files.readString(DOCS.resolve("check.md"));
    for (SegmentReason reason : SegmentReason.values()) {
      assertTrue(page.contains("`" + reason + "`"), reason::name);
    }
  }

  private static List<String> names(String text) {
    return NAME.matcher(text).results().map(found -> found.group(1)).toList();
  }
}
