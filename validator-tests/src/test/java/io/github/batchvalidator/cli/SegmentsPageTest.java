// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.batchvalidator.audit.report.SegmentReason;
import io.github.batchvalidator.internal.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.RecordBytes;
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
import org.junit.jupiter.api.io.TempDir;

/** {@code docs/segments.md} names the fields that {@code --json} writes, each with its types. */
class SegmentsPageTest {
  private static final Path PAGE = Path.of("..", "docs", "segments.md");
  private static final Pattern NAME = Pattern.compile("`(\\w+)`");
  private static final List<String> TYPES = List.of("fault", "finding", "error", "file", "summary");

  @TempDir private Path directory;

  @Test
  void namesTheFieldsOfEachType() throws IOException {
    Map<String, Set<String>> documented = documented();
    Map<String, Set<String>> written = written();
    assertEquals(written.keySet(), documented.keySet());
    written.forEach(
        (type, names) -> assertEquals(Set.of(), without(names, of(type, documented)), type));
    Set<String> all = new TreeSet<>();
    written.values().forEach(all::addAll);
    documented.forEach((type, names) -> assertEquals(Set.of(), without(names, all), type));
  }

  @Test
  void namesTheReasonsOfSegments() throws IOException {
    String page = Files.readString(PAGE);
    for (SegmentReason reason : SegmentReason.values()) {
      assertTrue(page.contains("`" + reason + "`"), reason::name);
    }
  }

  private static Map<String, Set<String>> documented() throws IOException {
    Map<String, Set<String>> fields = new TreeMap<>();
    boolean inTable = false;
    for (String line : Files.readAllLines(PAGE)) {
      inTable |= line.startsWith("| field |");
      if (!inTable || !line.startsWith("| `")) {
        continue;
      }
      String[] cells = line.split("\\|", 4);
      for (String type : names(cells[2])) {
        fields.computeIfAbsent(type, key -> new TreeSet<>()).addAll(names(cells[1]));
      }
    }
    return fields;
  }

  /**
   * A fault, one that skips bytes, a finding about records and a file that is not there tell all
   * that there is.
   */
  private Map<String, Set<String>> written() {
    byte[] untrue = new RecordBytes().lengthError(1).toBytes();
    SegmentBytes segment = SegmentBytes.of(2, 3).addRaw(new byte[BatchLayout.PREFIX_BYTES]);
    segment.add(Batches.ofPlain(Codec.LZ4, 1, untrue));
    byte[] bytes = segment.toByteArray();
    bytes[segment.position(1) - 1] ^= 1;
    Path damaged = SegmentBytes.write(directory, "some.log", bytes);
    Run run = Run.json("--observe", damaged, directory.resolve("missing.log"));
    Map<String, Set<String>> fields = new TreeMap<>();
    for (String type : TYPES) {
      for (JsonNode object : run.objects(type)) {
        Set<String> names = fields.computeIfAbsent(type, key -> new TreeSet<>());
        object.fieldNames().forEachRemaining(names::add);
        names.remove("type");
      }
    }
    return fields;
  }

  private static Set<String> of(String type, Map<String, Set<String>> fields) {
    return fields.getOrDefault(type, Set.of());
  }

  private static Set<String> without(Set<String> some, Set<String> others) {
    Set<String> left = new TreeSet<>(some);
    left.removeAll(others);
    return left;
  }

  private static List<String> names(String cell) {
    return NAME.matcher(cell).results().map(found -> found.group(1)).toList();
  }
}
