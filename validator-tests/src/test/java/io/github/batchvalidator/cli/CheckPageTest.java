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
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The pages of {@code ./check} list the fields of the JSON schema by type, and the reasons. */
class CheckPageTest {
  private static final Path DOCS = Path.of("..", "docs");
  private static final Pattern NAME = Pattern.compile("`(\\w+)`");

  @Test
  void namesTheFieldsOfEachType() throws IOException {
    Map<String, Set<String>> fields = new TreeMap<>();
    JsonNode types = JsonSchemaTest.schema();
    for (Map.Entry<String, JsonNode> type : types.properties()) {
      Set<String> names = new TreeSet<>();
      type.getValue().get("properties").fieldNames().forEachRemaining(names::add);
      names.remove("type");
      fields.put(type.getKey(), names);
    }
    assertEquals(fields, documented());
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

  private static Map<String, Set<String>> documented() throws IOException {
    Map<String, Set<String>> fields = new TreeMap<>();
    boolean inTable = false;
    for (String line : Files.readAllLines(DOCS.resolve("check-json.md"))) {
      inTable |= line.startsWith("| type |");
      if (!inTable || !line.startsWith("| `")) {
        continue;
      }
      String[] cells = line.split("\\|", 4);
      for (String type : names(cells[1])) {
        fields.computeIfAbsent(type, key -> new TreeSet<>()).addAll(names(cells[2]));
      }
    }
    return fields;
  }

  private static List<String> names(String cell) {
    return NAME.matcher(cell).results().map(found -> found.group(1)).toList();
  }
}
