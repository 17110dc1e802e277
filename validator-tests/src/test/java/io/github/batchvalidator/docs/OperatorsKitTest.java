// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.agent.compaction.CompactionMXBean;
import io.github.batchvalidator.agent.keep.CutMXBean;
import io.github.batchvalidator.agent.recovery.RecoveryMXBean;
import io.github.batchvalidator.audit.scrub.ScrubMetrics;
import io.github.batchvalidator.dropin.management.DropInMXBean;
import io.github.batchvalidator.testing.DocumentTable;
import io.github.batchvalidator.tiered.TieredMXBean;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The operator's kit names settings, metrics, jars and versions that exist. */
class OperatorsKitTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern SETTING =
      Pattern.compile("(?:-D|- name: )(batchvalidator\\.[\\w.]+)");
  private static final Pattern JAR = Pattern.compile("validator-dropin-([\\w.-]+?)\\.jar");
  private static final Pattern EXPORTER =
      Pattern.compile("jmx_prometheus_javaagent[:-](\\d+\\.\\d+\\.\\d+)");
  private static final Pattern IMAGE =
      Pattern.compile("kafka(?:-batchvalidator)?[:-](4\\.[\\d.]+\\d)");
  private static final Pattern GROUPED = Pattern.compile("by \\(([^)]+)\\) \\((?:rate\\()?(\\w+)");
  private static final Pattern SELECTED = Pattern.compile("(\\w+)\\{([^}]*)}");
  private static final Pattern ATTRIBUTE =
      Pattern.compile("^io\\.github\\.batchvalidator<type=(\\w+).*><>(\\w+)");
  private static final Pattern LIST = Pattern.compile("(\\w+):\n(?: +#.*\n)* +(?:# +)?- ");
  private static final Pattern LINK = Pattern.compile("docs/([\\w-]+\\.md)#([\\w-]+)");

  private static final Map<String, Class<?>> BEANS =
      Map.of(
          "DropIn",
          DropInMXBean.class,
          "Recovery",
          RecoveryMXBean.class,
          "Cuts",
          CutMXBean.class,
          "Compaction",
          CompactionMXBean.class,
          "Tiered",
          TieredMXBean.class);

  /** Labels of Prometheus itself, and the one that tells a topic's count from that of all. */
  private static final Set<String> COMMON_LABELS = Set.of("instance", "job", "topic");

  private static Set<String> found(Pattern pattern) throws IOException {
    Set<String> found = new TreeSet<>();
    for (String text : OperatorsKit.texts().values()) {
      pattern.matcher(text).results().forEach(match -> found.add(match.group(1)));
    }
    assertTrue(!found.isEmpty(), pattern::toString);
    return found;
  }

  private static String property(String name) throws IOException {
    return Pattern.compile("<" + name + ">([^<]+)<")
        .matcher(Files.readString(ROOT.resolve("pom.xml")))
        .results()
        .findFirst()
        .orElseThrow()
        .group(1);
  }

  @Test
  void settingsAreThoseOfTheDropIn() throws IOException {
    List<String> known = DocumentTable.firstColumn("settings.md");
    for (String setting : found(SETTING)) {
      assertTrue(known.contains(setting), setting);
    }
  }

  @Test
  void jarsAreThoseOfTheBuild() throws IOException {
    for (String jar : found(JAR)) {
      assertTrue(Files.exists(ROOT.resolve("validator-dropin").resolve(jar + "/pom.xml")), jar);
    }
    Set<String> lines = found(Pattern.compile("validator-dropin-kafka-([\\d.]+)\\.jar"));
    String kafka = property("kafka-4.3.version");
    assertEquals(Set.of(kafka), found(IMAGE));
    assertEquals(Set.of(kafka.substring(0, kafka.lastIndexOf('.'))), lines);
  }

  @Test
  void theExporterIsTheTestedOne() throws IOException {
    String version = property("jmx-exporter.version");
    assertEquals(Set.of(version), found(EXPORTER));
    String page = Files.readString(ROOT.resolve("docs/monitoring.md"));
    EXPORTER.matcher(page).results().forEach(named -> assertEquals(version, named.group(1)));
    assertTrue(page.contains("the exporter " + version));
  }

  /** Tools in the container would inherit them, and claim the exporter's port. */
  @Test
  void theImageGivesTheOptionsToTheBrokerOnly() throws IOException {
    String image = Objects.requireNonNull(OperatorsKit.texts().get("docker/Dockerfile"));
    assertTrue(!image.contains("ENV KAFKA_OPTS"), image);
    assertTrue(image.contains("CMD [\"sh\", \"-c\", \"export KAFKA_OPTS="), image);
  }

  @Test
  void recipesStartInShadowMode() throws IOException {
    for (String recipe :
        List.of(
            "docker/Dockerfile",
            "strimzi/Dockerfile",
            "strimzi/kafka.yaml",
            "systemd/batchvalidator.conf")) {
      String text = Objects.requireNonNull(OperatorsKit.texts().get(recipe), recipe);
      assertTrue(text.contains("batchvalidator.shadow"), recipe);
      assertTrue(!text.contains("batchvalidator.observe="), recipe);
    }
  }

  /** A pool may ignore the fields of the Kafka resource, but not the image. */
  @Test
  void theImageOfStrimziAloneStartsInShadowMode() throws IOException {
    String shadow = "-Dbatchvalidator.shadow=true";
    String image = Objects.requireNonNull(OperatorsKit.texts().get("strimzi/Dockerfile"));
    assertTrue(image.contains("\nENV KAFKA_OPTS=" + shadow + "\n"), image);
    String patch = Objects.requireNonNull(OperatorsKit.texts().get("strimzi/kafka.yaml"));
    assertTrue(patch.contains(" value: " + shadow + " -javaagent:"), patch);
  }

  @Test
  void thePatchOfStrimziSaysWhatItReplacesAndWhoIgnoresIt() throws IOException {
    String patch = Objects.requireNonNull(OperatorsKit.texts().get("strimzi/kafka.yaml"));
    String comment = patch.substring(0, patch.indexOf("apiVersion:"));
    assertTrue(comment.contains("KafkaNodePool"), comment);
    assertTrue(comment.contains("A merge patch replaces lists"), comment);
    List<String> lists = LIST.matcher(patch).results().map(list -> list.group(1)).toList();
    assertEquals(List.of("javaSystemProperties", "volumes", "volumeMounts", "env"), lists);
    for (String list : lists) {
      assertTrue(comment.contains(list), list);
    }
  }

  private static Set<String> attributes(Class<?> bean) {
    return Arrays.stream(bean.getMethods())
        .map(method -> method.getName())
        .filter(name -> name.startsWith("get"))
        .map(name -> name.substring(3))
        .collect(Collectors.toSet());
  }

  @Test
  void rulesReadAttributesOfTheirBeans() throws IOException {
    int read = 0;
    for (Map.Entry<String, OperatorsKit.Rule> rule : OperatorsKit.rules().entrySet()) {
      var attribute = ATTRIBUTE.matcher(rule.getValue().pattern());
      if (attribute.find()) {
        String name = attribute.group(2);
        Class<?> bean = Objects.requireNonNull(BEANS.get(attribute.group(1)), rule::toString);
        assertTrue(attributes(bean).contains(name), rule::toString);
        read++;
      }
      assertTrue(rule.getValue().help().matches(".+ .+\\."), rule::toString);
    }
    assertTrue(read > 20, "rules: " + read);
  }

  @Test
  void queriesUseAllMetricsAndNoOther() throws IOException {
    Set<String> metrics = OperatorsKit.metrics();
    assertTrue(metrics.removeAll(ScrubMetrics.NAMES.keySet()), "those of the scrub are used");
    assertEquals(OperatorsKit.rules().keySet(), metrics);
  }

  @Test
  void thePageOfTheScrubHasItsMetrics() throws IOException {
    List<String> documented = DocumentTable.firstColumn("scrub.md", "## Metrics");
    assertEquals(ScrubMetrics.NAMES.keySet(), new TreeSet<>(documented));
    for (Map.Entry<String, List<String>> metric : ScrubMetrics.NAMES.entrySet()) {
      String labels = DocumentTable.row("scrub.md", metric.getKey()).get(1).replace("`", "");
      assertEquals(String.join(", ", metric.getValue()), labels, metric::getKey);
    }
  }

  @Test
  void queriesUseLabelsOfTheirMetrics() throws IOException {
    Set<String> grouped = new HashSet<>();
    for (String query : OperatorsKit.queries()) {
      GROUPED
          .matcher(query)
          .results()
          .forEach(
              group -> grouped.addAll(labels(group.group(2), group.group(1).split(", *", -1))));
      SELECTED
          .matcher(query)
          .results()
          .forEach(
              selected ->
                  labels(
                      selected.group(1),
                      selected.group(2).replaceAll("=~?\"[^\"]*\"", "").split(",", -1)));
    }
    assertTrue(grouped.containsAll(Set.of("reason", "codec", "cause", "kind")), grouped::toString);
  }

  private static Set<String> labels(String metric, String... labels) {
    Set<String> own = new TreeSet<>(List.of(labels));
    own.removeAll(COMMON_LABELS);
    List<String> ofScrub = ScrubMetrics.NAMES.get(metric);
    if (ofScrub != null) {
      assertTrue(ofScrub.containsAll(own), metric + ": " + own);
      return own;
    }
    try {
      OperatorsKit.Rule rule = OperatorsKit.rules().get(metric);
      assertTrue(rule != null && rule.labels().containsAll(own), metric + ": " + own);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return own;
  }

  @Test
  void alertsLeadToPages() throws IOException {
    Set<String> alerts = found(Pattern.compile("- alert: (\\w+)"));
    int links = 0;
    for (var link : LINK.matcher(OperatorsKit.alerts()).results().toList()) {
      assertTrue(
          Files.readAllLines(ROOT.resolve("docs").resolve(link.group(1))).stream()
              .anyMatch(line -> line.matches("(?i)#+ " + link.group(2).replace('-', '.'))),
          link::group);
      links++;
    }
    assertEquals(alerts.size(), links);
    Set<String> named = new TreeSet<>();
    Pattern.compile("`(BatchValidator\\w+)`")
        .matcher(Files.readString(ROOT.resolve("docs/monitoring.md")))
        .results()
        .forEach(name -> named.add(name.group(1)));
    assertEquals(3, named.size(), named::toString);
    assertTrue(alerts.containsAll(named), named::toString);
  }

  @Test
  void thePageNamesEachRecipe() throws IOException {
    String page = Files.readString(ROOT.resolve("deploy/README.md"));
    for (String file : OperatorsKit.texts().keySet()) {
      assertTrue(page.contains("`" + file + "`"), file);
    }
  }
}
