// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.RecordBytes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All objects that {@code --json} prints fit the schema that {@code --json-schema} prints. */
class JsonSchemaTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @TempDir private Path directory;
  @TempDir private Path others;
  private JsonNode types;

  /** The fields that were seen in objects of each type. */
  private final Map<String, Set<String>> seen = new TreeMap<>();

  @BeforeEach
  void readSchema() throws IOException {
    types = schema();
  }

  /** Returns the definitions of the types. */
  static JsonNode schema() throws IOException {
    Run run = Run.of("--json-schema");
    assertEquals(0, run.exitCode());
    return MAPPER.readTree(run.out()).get("$defs");
  }

  @Test
  void allObjectsFit() throws IOException {
    check(Run.json("--sample"));
    check(Run.json("--sample", "--records"));
    check(Run.json("--sample", "--records", "--payload"));
    Path damaged = damaged();
    check(Run.json("--list", directory));
    check(Run.json("salvage", "--into", others.resolve("salvaged"), damaged));
    check(Run.json("scrub", "--once", damaged.resolveSibling("")));
    Path repaired = others.resolve("repaired");
    check(
        Run.json(
            "repair", "--from", damaged.resolveSibling(""), "--into", repaired, "--lose-records"));
    check(Run.json("--observe", damaged, directory.resolve("missing.log")));
    Path copy = directory.resolve("copy").resolve("orders-0");
    SegmentBytes.write(copy, "00000000000000000000.log", SegmentBytes.of(2, 3).toByteArray());
    check(Run.json("compare", damaged.resolveSibling(""), copy));
    types.fieldNames().forEachRemaining(type -> assertEquals(fields(type), seen.get(type), type));
  }

  @Test
  void objectsOfDamagedSegmentsFit() throws IOException {
    SegmentBytes segment = SegmentBytes.of(3, 2);
    byte[] bytes = segment.toByteArray();
    for (int at = 0; at < segment.position(2); at++) {
      byte[] damaged = bytes.clone();
      damaged[at] ^= (byte) 0xA5;
      check(Run.json("--records", SegmentBytes.write(directory, "some.log", damaged)));
    }
  }

  /** A partition with faults, skipped bytes, and a finding about records. */
  private Path damaged() {
    byte[] untrue = new RecordBytes().lengthError(1).toBytes();
    SegmentBytes segment = SegmentBytes.of(2, 3).addRaw(new byte[BatchLayout.PREFIX_BYTES]);
    segment.add(Batches.ofPlain(Codec.LZ4, 1, untrue));
    byte[] bytes = segment.toByteArray();
    bytes[segment.position(1) - 1] ^= 1;
    return SegmentBytes.write(directory.resolve("orders-0"), "00000000000000000000.log", bytes);
  }

  private Set<String> fields(String type) {
    Set<String> names = new TreeSet<>();
    types.get(type).get("properties").fieldNames().forEachRemaining(names::add);
    if (type.equals("fault")) { // they concern batches that level STRICT refuses
      names.remove("failedRecords");
      names.remove("recordIndex");
    }
    if (type.equals("finding")) { // findings skip nothing
      names.remove("resumeAt");
      names.remove("skippedBytes");
    }
    return names;
  }

  private void check(Run run) throws IOException {
    for (String line : run.out().lines().toList()) {
      JsonNode object = MAPPER.readTree(line);
      String type = object.get("type").asText();
      JsonNode schema = types.get(type);
      assertNotNull(schema, line);
      schema.get("required").forEach(name -> assertTrue(object.has(name.asText()), line));
      Set<String> fields = seen.computeIfAbsent(type, key -> new TreeSet<>());
      for (Map.Entry<String, JsonNode> field : object.properties()) {
        JsonNode property = schema.get("properties").get(field.getKey());
        assertNotNull(property, field.getKey() + " of " + line);
        assertTrue(fits(property, field.getValue()), field.getKey() + " of " + line);
        fields.add(field.getKey());
      }
    }
  }

  /** Understands the keywords that the schema uses, and fails for others. */
  private static boolean fits(JsonNode schema, JsonNode value) {
    boolean fits = true;
    for (Map.Entry<String, JsonNode> keyword : schema.properties()) {
      JsonNode expected = keyword.getValue();
      fits &=
          switch (keyword.getKey()) {
            case "description" -> true;
            case "const" -> expected.equals(value);
            case "enum" -> contains(expected, value);
            case "type" -> expected.isTextual() ? isA(expected, value) : isAnyOf(expected, value);
            case "items" -> allFit(expected, value);
            case "properties" -> propertiesFit(expected, value);
            case "required" -> value.properties().size() == expected.size();
            case "additionalProperties" -> allFit(expected, value);
            default -> throw new AssertionError(keyword.getKey());
          };
    }
    return fits;
  }

  private static boolean allFit(JsonNode schema, JsonNode values) {
    for (JsonNode value : values) {
      if (!fits(schema, value)) {
        return false;
      }
    }
    return true;
  }

  private static boolean propertiesFit(JsonNode schemas, JsonNode object) {
    for (Map.Entry<String, JsonNode> property : object.properties()) {
      JsonNode schema = schemas.get(property.getKey());
      if (schema == null || !fits(schema, property.getValue())) {
        return false;
      }
    }
    return true;
  }

  private static boolean contains(JsonNode values, JsonNode value) {
    for (JsonNode each : values) {
      if (each.equals(value)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isAnyOf(JsonNode types, JsonNode value) {
    for (JsonNode type : types) {
      if (isA(type, value)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isA(JsonNode type, JsonNode value) {
    return switch (type.asText()) {
      case "string" -> value.isTextual();
      case "integer" -> value.isIntegralNumber();
      case "number" -> value.isNumber();
      case "boolean" -> value.isBoolean();
      case "null" -> value.isNull();
      case "array" -> value.isArray();
      case "object" -> value.isObject();
      default -> throw new AssertionError(type);
    };
  }
}
