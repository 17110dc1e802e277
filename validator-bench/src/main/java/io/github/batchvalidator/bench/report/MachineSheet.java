// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.Manifest;

/** On what a run was measured: a Markdown table beside its file. No path, no host name. */
public final class MachineSheet {
  private final Map<String, String> entries;

  private MachineSheet(Map<String, String> entries) {
    this.entries = entries;
  }

  /**
   * Describes this machine and the runs whose rows are given.
   *
   * @param rows what JMH wrote, each cell once
   * @param notes what only the caller knows, by name; they come last
   * @throws IOException if this program's own manifest cannot be read
   */
  public static MachineSheet of(List<JsonNode> rows, Map<String, String> notes) throws IOException {
    Map<String, String> entries = Machine.describe();
    Set<String> machines = new LinkedHashSet<>();
    Set<String> flags = new LinkedHashSet<>();
    Set<String> lengths = new LinkedHashSet<>();
    for (JsonNode row : rows) {
      machines.add(row.path("vmName").asText() + " " + row.path("vmVersion").asText());
      flags.add("`" + flags(row) + "`");
      if (row.has("jmhVersion")) { // else it is of a live broker
        lengths.add(length(row));
      }
    }
    entries.put("JDK", String.join("; ", machines));
    entries.put("flags", String.join("; ", flags));
    if (!lengths.isEmpty()) {
      entries.put("JMH", String.join("; ", lengths));
    }
    entries.put("libraries", libraries());
    entries.putAll(notes);
    return new MachineSheet(entries);
  }

  /** The build writes them into the manifest of the jar that is measured. */
  private static String libraries() throws IOException {
    try (InputStream manifest = MachineSheet.class.getResourceAsStream("/META-INF/MANIFEST.MF")) {
      String value =
          manifest == null
              ? null
              : new Manifest(manifest).getMainAttributes().getValue("Measured-Libraries");
      return value == null ? Machine.UNKNOWN : value;
    }
  }

  private static String flags(JsonNode row) {
    List<String> flags = new ArrayList<>();
    row.path("jvmArgs").forEach(flag -> flags.add(Publication.withoutFolders(flag.asText())));
    return String.join(" ", flags);
  }

  private static String length(JsonNode row) {
    return "%s, mode %s, %s forks, warm-up %s x %s, measured %s x %s"
        .formatted(
            row.path("jmhVersion").asText(),
            row.path("mode").asText(),
            row.path("forks").asText(),
            row.path("warmupIterations").asText(),
            row.path("warmupTime").asText(),
            row.path("measurementIterations").asText(),
            row.path("measurementTime").asText());
  }

  /**
   * Reads what {@link #markdown} wrote.
   *
   * @param file the sheet
   * @throws IOException if it cannot be read
   */
  public static MachineSheet read(Path file) throws IOException {
    Map<String, String> entries = new LinkedHashMap<>();
    for (String line : Files.readAllLines(file)) {
      String[] cells = line.split("\\|", -1);
      if (cells.length == 4 && !cells[1].isBlank() && !cells[1].startsWith("-")) {
        entries.put(cells[1].strip(), cells[2].strip());
      }
    }
    return new MachineSheet(entries);
  }

  /** Returns the entries as a table of two columns. */
  public Table table() {
    List<List<String>> rows = new ArrayList<>();
    entries.forEach((name, value) -> rows.add(List.of(name, value)));
    return new Table(List.of("", ""), rows);
  }

  /**
   * Returns the sheet as it is written to its file.
   *
   * @param name of the run
   */
  public String markdown(String name) {
    return "# " + name + "\n\n" + table().markdown();
  }
}
