// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * JMH's rows without what tells of the machine's folders and without the single measurements, one
 * row per line. What is left is what the tables, the report and the comparison read, under JMH's
 * own names; {@link Metric#ITERATIONS} and {@code n} are added.
 */
public final class Publication {
  /** An absolute path, up to the last of its names. */
  private static final Pattern FOLDERS =
      Pattern.compile("(?<![\\w.])(?:[A-Za-z]:)?[/\\\\](?:[^/\\\\:;,=]+[/\\\\])*");

  private static final List<String> PERCENTILES = List.of("0.0", "50.0", "90.0", "99.0", "100.0");
  private static final List<String> FEW = List.of("0.0", "50.0", "100.0");

  private Publication() {}

  /**
   * Returns the text of the file to publish.
   *
   * @param rows of JMH, in the order in which they are to stand, each cell once: {@link Rounds}
   */
  static String of(List<JsonNode> rows) {
    return text(rows.stream().map(Publication::slim).toList());
  }

  /** Returns the text of a file of rows that are fit to be published already. */
  static String text(List<? extends JsonNode> rows) {
    return rows.stream().map(JsonNode::toString).collect(Collectors.joining(",\n", "[\n", "\n]\n"));
  }

  private static ObjectNode slim(JsonNode row) {
    ObjectNode slim = row.deepCopy();
    slim.put("jvm", "java");
    ArrayNode flags = slim.putArray("jvmArgs");
    row.path("jvmArgs").forEach(flag -> flags.add(withoutFolders(flag.asText())));
    slim.set("primaryMetric", primary(row.path("primaryMetric")));
    ObjectNode secondary = slim.putObject("secondaryMetrics");
    row.path("secondaryMetrics")
        .properties()
        .forEach(e -> secondary.set(e.getKey(), pick(e.getValue(), FEW)));
    return slim;
  }

  static String withoutFolders(String flag) {
    return FOLDERS.matcher(flag).replaceAll("");
  }

  private static ObjectNode primary(JsonNode metric) {
    ObjectNode slim = pick(metric, PERCENTILES);
    slim.set("scoreConfidence", metric.path("scoreConfidence"));
    if (metric.has(Metric.ITERATIONS)) {
      slim.set("n", metric.path("n"));
      slim.set(Metric.ITERATIONS, metric.path(Metric.ITERATIONS));
    } else {
      addIterations(slim, metric);
    }
    return slim;
  }

  private static ObjectNode pick(JsonNode metric, List<String> wanted) {
    ObjectNode slim = JsonNodeFactory.instance.objectNode();
    for (String each : List.of("score", "scoreError", "scoreUnit")) {
      slim.set(each, metric.path(each));
    }
    ObjectNode percentiles = slim.putObject("scorePercentiles");
    for (String each : wanted) {
      percentiles.set(each, metric.path("scorePercentiles").path(each));
    }
    return slim;
  }

  /** In sample mode an iteration is a histogram of single calls, else a mean. */
  private static void addIterations(ObjectNode slim, JsonNode metric) {
    boolean isSampled = metric.has("rawDataHistogram");
    ArrayNode forks = JsonNodeFactory.instance.arrayNode();
    long n = 0;
    for (JsonNode fork : metric.path(isSampled ? "rawDataHistogram" : Metric.RAW)) {
      ArrayNode values = forks.addArray();
      for (JsonNode iteration : fork) {
        n += isSampled ? count(iteration) : 1;
        values.add(isSampled ? median(iteration) : iteration.doubleValue());
      }
    }
    if (n > 0) {
      slim.put("n", n);
      slim.set(Metric.ITERATIONS, forks);
    }
  }

  private static long count(JsonNode histogram) {
    long n = 0;
    for (JsonNode bin : histogram) {
      n += bin.get(1).longValue();
    }
    return n;
  }

  private static double median(JsonNode histogram) {
    JsonNode[] bins = new JsonNode[histogram.size()];
    Arrays.setAll(bins, histogram::get);
    Arrays.sort(bins, Comparator.comparingDouble(bin -> bin.get(0).doubleValue()));
    long left = (count(histogram) + 1) / 2;
    for (JsonNode bin : bins) {
      left -= bin.get(1).longValue();
      if (left <= 0) {
        return bin.get(0).doubleValue();
      }
    }
    return Double.NaN;
  }
}
