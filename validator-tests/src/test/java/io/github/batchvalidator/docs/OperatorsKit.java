// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.docs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.batchvalidator.audit.scrub.ScrubMetrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The files of {@code deploy}: metrics, queries and texts. */
public final class OperatorsKit {
  private static final Path FOLDER = Path.of("..", "deploy").toAbsolutePath().normalize();
  private static final Pattern RULE =
      Pattern.compile("- pattern: '([^']+)'\n    name: (\\w+)\n(?:    .*\n)*");
  private static final Pattern LABEL = Pattern.compile("labels: \\{(\\w+): ");
  private static final Pattern HELP = Pattern.compile("\n    help: (.+)");
  private static final Pattern ALERT_QUERY =
      Pattern.compile("\n        expr: (?:>-\n)?((?:.+\n)(?:          .+\n)*)");
  private static final Pattern STORED =
      Pattern.compile("type=(Recovery|Cuts|Compaction|Tiered)[,>]|name=RemoteCopy|type=LogCleaner");
  private static final Pattern METRIC =
      Pattern.compile("\\b(?:batchvalidator|kafka_server|kafka_log)_\\w+");

  private OperatorsKit() {}

  /**
   * A rule of the exporter.
   *
   * @param pattern the pattern of the names of beans and attributes
   * @param help what the metric counts
   * @param labels the label, or nothing
   */
  record Rule(String pattern, String help, Set<String> labels) {}

  /** Returns the rules of the exporter. */
  public static Path exporterRules() {
    return FOLDER.resolve("jmx-exporter.yml");
  }

  /** Returns the rules by the name of their metric. */
  static Map<String, Rule> rules() throws IOException {
    Map<String, Rule> rules = new TreeMap<>();
    Matcher rule = RULE.matcher(Files.readString(exporterRules()));
    while (rule.find()) {
      Set<String> labels = new TreeSet<>();
      Matcher label = LABEL.matcher(rule.group());
      while (label.find()) {
        labels.add(label.group(1));
      }
      Matcher help = HELP.matcher(rule.group());
      rules.put(rule.group(2), new Rule(rule.group(1), help.find() ? help.group(1) : "", labels));
    }
    return rules;
  }

  /** Returns the queries of the alerts and of the dashboard. */
  public static List<String> queries() throws IOException {
    List<String> queries = new ArrayList<>();
    Matcher alert = ALERT_QUERY.matcher(alerts());
    while (alert.find()) {
      queries.add(alert.group(1).strip());
    }
    JsonNode dashboard = dashboard();
    dashboard.findValues("expr").forEach(query -> queries.add(query.asText()));
    dashboard.findValues("query").forEach(query -> queries.add(query.asText()));
    return queries;
  }

  static String alerts() throws IOException {
    return Files.readString(FOLDER.resolve("prometheus-alerts.yml"));
  }

  static JsonNode dashboard() throws IOException {
    return new ObjectMapper().readTree(FOLDER.resolve("grafana-dashboard.json").toFile());
  }

  /** Returns the names of the metrics of the queries. */
  public static Set<String> metrics() throws IOException {
    Set<String> metrics = new TreeSet<>();
    for (String query : queries()) {
      metrics.addAll(metrics(query));
    }
    return metrics;
  }

  /** Returns the names of the metrics that recovery, compaction and tiering move. */
  public static Set<String> storedMetrics() throws IOException {
    return metrics(true);
  }

  /** Returns the names of the metrics that appends move. */
  public static Set<String> appendMetrics() throws IOException {
    return metrics(false);
  }

  private static Set<String> metrics(boolean stored) throws IOException {
    Set<String> metrics = metrics();
    Map<String, Rule> rules = rules();
    metrics.removeAll(ScrubMetrics.NAMES.keySet());
    metrics.removeIf(
        name -> {
          Rule rule = rules.get(name);
          return rule != null && STORED.matcher(rule.pattern()).find() != stored;
        });
    return metrics;
  }

  /** Returns the names of the metrics of a query. */
  static Set<String> metrics(String query) {
    Set<String> metrics = new TreeSet<>();
    METRIC.matcher(query).results().forEach(metric -> metrics.add(metric.group()));
    return metrics;
  }

  /** Returns the text of each file by its path below the folder, without the page about them. */
  static Map<String, String> texts() throws IOException {
    Map<String, String> texts = new TreeMap<>();
    try (Stream<Path> files = Files.walk(FOLDER)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (file.endsWith("README.md")) {
          continue;
        }
        texts.put(FOLDER.relativize(file).toString(), Files.readString(file));
      }
    }
    return texts;
  }
}
