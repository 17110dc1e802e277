// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Kafka's own compiled {@code LogValidatorTest}, run against the drop-in jars. Each version runs in
 * a separate JVM, as a broker does, with the jar first on the class path.
 */
class KafkaOwnIT {
  private static final String SHADOWED = "org.apache.kafka.storage.internals.log.LogValidator";
  private static final String TEST = SHADOWED + "Test";

  /** In 3.9 the test was written in Scala, and had fewer parameters. */
  private static final String SCALA_TEST = "kafka.log.LogValidatorTest";

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({
    "3.9.2, " + SCALA_TEST + ", 65",
    "4.0.1, " + TEST + ", 194",
    "4.1.1, " + TEST + ", 194",
    "4.2.0, " + TEST + ", 194",
    "4.3.1, " + TEST + ", 194"
  })
  void everyCasePasses(String version, String test, int cases) throws Exception {
    check(version, test, cases, Lines.kafkaTests(version));
  }

  /** There are no compiled tests of 4.4: those of 4.3 with its names for what has moved. */
  @Test
  void everyCaseOf43PassesWith44() throws Exception {
    List<Path> tests = MovedNames.apply(Lines.kafkaTests("4.3.1"), Lines.kafka("4.4.0"), directory);
    check("4.4.0", TEST, 194, tests);
  }

  private void check(String version, String test, int cases, List<Path> tests) throws Exception {
    Path jar = Lines.jar(Lines.lineOf(version));
    List<Path> path = new ArrayList<>(List.of(jar));
    path.addAll(Lines.kafka(version));
    path.addAll(tests);
    String output = run(path, test);
    if (!failures(report(output)).isEmpty()) {
      // Some cases allow a second between two readings of the clock, which a busy machine may take.
      output = run(path, test);
    }

    Element report = report(output);
    assertEquals("", failures(report));
    assertEquals(cases, Integer.parseInt(report.getAttribute("tests")), output);
    assertEquals("0", report.getAttribute("skipped"), output);
    assertEquals(List.of(jar.toRealPath().toUri().getPath()), sources());
  }

  private String run(List<Path> path, String test) throws IOException, InterruptedException {
    return BrokerJvm.run(
        path,
        List.of("-Xmx512m", "-Xlog:class+load:file=" + directory.resolve("loaded.txt")),
        List.of(
            "org.junit.platform.console.ConsoleLauncher",
            "execute",
            "--disable-banner",
            "--details=none",
            "--reports-dir=" + directory,
            "--select-class=" + test));
  }

  private Element report(String output) throws Exception {
    File report = directory.resolve("TEST-junit-jupiter.xml").toFile();
    assertTrue(report.exists(), output);
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(report)
        .getDocumentElement();
  }

  private static String failures(Element report) {
    StringBuilder failures = new StringBuilder();
    for (String kind : List.of("failure", "error")) {
      NodeList nodes = report.getElementsByTagName(kind);
      for (int i = 0; i < nodes.getLength(); i++) {
        Element failure = (Element) nodes.item(i);
        Element testCase = (Element) failure.getParentNode();
        failures.append(testCase.getAttribute("name")).append(": ");
        failures.append(failure.getAttribute("message")).append('\n');
      }
    }
    return failures.toString();
  }

  /** Returns where the JVM took the class under test and its nested classes from. */
  private List<String> sources() throws IOException {
    return Files.readAllLines(directory.resolve("loaded.txt")).stream()
        .filter(line -> line.matches(".* " + SHADOWED.replace(".", "\\.") + "(\\$\\S+)? source:.*"))
        .map(line -> line.replaceAll(".* source: (file:)?", ""))
        .distinct()
        .toList();
  }
}
