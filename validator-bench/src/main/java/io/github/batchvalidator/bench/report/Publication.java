// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.openjdk.jmh.util.ListStatistics;

/**
 * Turns JMH's rows into files to publish. The rounds of a cell become one row with all their
 * iterations. Paths of the machine, and fields that nothing reads, are left out.
 */
public final class Publication {
  static final String RAW = "rawData";

  private static final String PRIMARY = "primaryMetric";
  private static final String SECONDARY = "secondaryMetrics";
  private static final String PERCENTILES = "scorePercentiles";
  private static final List<String> RANKS = List.of("0.0", "50.0", "100.0");

  private Publication() {}

  /**
   * Returns the rows of several files, one row per cell, in the order of the files.
   *
   * @throws IllegalArgumentException if a cell occurs twice and one of its rows has no single
   *     values, as in sample mode
   */
  public static List<JsonNode> pool(List<JsonNode> files) {
    Map<List<String>, List<JsonNode>> cells = new LinkedHashMap<>();
    for (JsonNode file : files) {
      for (JsonNode row : file) {
        List<String> cell =
            List.of(
                row.path("benchmark").asText(),
                row.path("mode").asText(),
                row.path("threads").asText(),
                row.path("params").toString());
        cells.computeIfAbsent(cell, any -> new ArrayList<>()).add(row);
      }
    }
    return cells.values().stream().map(Publication::pooled).toList();
  }

  private static JsonNode pooled(List<JsonNode> rounds) {
    ObjectNode row = rounds.get(0).deepCopy();
    ObjectNode secondary = row.withObject("/" + SECONDARY);
    new TreeSet<>(secondary.propertyStream().map(Map.Entry::getKey).toList())
        .stream().filter(Publication::isDerived).forEach(secondary::remove);
    if (rounds.size() > 1) {
      row.put("forks", rounds.stream().mapToInt(round -> round.path("forks").asInt()).sum());
      row.set(PRIMARY, pooledMetric(rounds.stream().map(round -> round.path(PRIMARY)).toList()));
      secondary
          .propertyStream()
          .forEach(e -> e.setValue(pooledMetric(secondary(rounds, e.getKey()))));
    }
    return row;
  }

  private static List<JsonNode> secondary(List<JsonNode> rounds, String name) {
    return rounds.stream().map(round -> round.path(SECONDARY).path(name)).toList();
  }

  /** Returns whether a figure follows from the time, the bytes per call and the batch. */
  private static boolean isDerived(String name) {
    return name.equals("plainBytes") || (name.startsWith("gc.") && !name.equals(Row.ALLOCATION));
  }

  private static ObjectNode pooledMetric(List<JsonNode> rounds) {
    List<List<Double>> forks = new ArrayList<>();
    for (JsonNode round : rounds) {
      if (!round.path(RAW).isArray()) {
        throw new IllegalArgumentException("a round without single values cannot be pooled");
      }
      for (JsonNode fork : round.path(RAW)) {
        forks.add(fork.valueStream().map(JsonNode::asDouble).toList());
      }
    }
    return metric(rounds.get(0).path("scoreUnit").asText(), forks);
  }

  /**
   * Returns a metric in JMH's form.
   *
   * @param unit for readers
   * @param forks the values of each fork, at least one in all
   */
  public static ObjectNode metric(String unit, List<List<Double>> forks) {
    var all =
        new ListStatistics(
            forks.stream().flatMap(List::stream).mapToDouble(Double::doubleValue).toArray());
    ObjectNode metric = JsonNodeFactory.instance.objectNode();
    metric.put("score", all.getMean());
    metric.put("scoreError", all.getMeanErrorAt(Metric.CONFIDENCE));
    metric.put("scoreUnit", unit);
    ObjectNode percentiles = metric.putObject(PERCENTILES);
    RANKS.forEach(rank -> percentiles.put(rank, all.getPercentile(Double.parseDouble(rank))));
    ArrayNode raw = metric.putArray(RAW);
    forks.forEach(fork -> fork.forEach(raw.addArray()::add));
    return metric;
  }

  /**
   * Writes a file of results and, beside it, a sheet in Markdown with the machine and all figures.
   *
   * @param file ends with {@code .json}
   * @param rows in JMH's form, one per cell
   * @param notes facts about the run for the sheet, by name, among them the commit
   * @throws IOException if a file cannot be written
   */
  public static void write(Path file, List<JsonNode> rows, Map<String, String> notes)
      throws IOException {
    writeRows(file, rows);
    writeSheet(file, rows, notes, Tables.of(Row.read(file)));
  }

  /**
   * Writes the same with figures that the caller has as text.
   *
   * @param file ends with {@code .json}
   * @param rows in JMH's form, one per cell
   * @param notes facts about the run for the sheet, by name, among them the commit
   * @param figures in Markdown, after an empty line
   * @throws IOException if a file cannot be written
   */
  public static void write(
      Path file, List<JsonNode> rows, Map<String, String> notes, String figures)
      throws IOException {
    writeRows(file, rows);
    writeSheet(file, rows, notes, figures);
  }

  private static void writeRows(Path file, List<JsonNode> rows) throws IOException {
    Files.writeString(
        file,
        rows.stream()
            .map(row -> slim(row).toString())
            .collect(Collectors.joining(",\n", "[\n", "\n]\n")));
  }

  private static void writeSheet(
      Path file, List<JsonNode> rows, Map<String, String> notes, String figures)
      throws IOException {
    String name = String.valueOf(file.getFileName()).replaceFirst("\\.json$", "");
    Files.writeString(
        file.resolveSibling(name + ".md"),
        "# " + name + "\n\n" + Machine.table(rows, notes) + figures);
  }

  private static ObjectNode slim(JsonNode row) {
    ObjectNode slim = row.deepCopy();
    slim.retain("benchmark", "mode", "threads", "forks", "params", PRIMARY, SECONDARY);
    retain(slim.path(PRIMARY), "score", "scoreError", "scoreUnit", PERCENTILES, RAW);
    slim.path(SECONDARY).forEach(metric -> retain(metric, "score", "scoreUnit", PERCENTILES));
    return slim;
  }

  private static void retain(JsonNode metric, String... fields) {
    ((ObjectNode) metric).retain(fields);
    metric.withObject("/" + PERCENTILES).retain(RANKS);
  }
}
