// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Runs compiled test classes of Kafka in a JVM of their own and reads their report. */
public final class KafkaOwnTests {
  private final Path directory;
  private @Nullable Element report;

  /** Creates runs that write their reports to a directory. */
  public KafkaOwnTests(Path directory) {
    this.directory = directory;
  }

  /** Runs test classes, with further options of the launcher. */
  public void run(
      List<Path> path, List<String> options, Collection<String> tests, String... selection)
      throws Exception {
    List<String> arguments = new ArrayList<>();
    arguments.add("org.junit.platform.console.ConsoleLauncher");
    arguments.add("execute");
    arguments.add("--disable-banner");
    arguments.add("--details=none");
    arguments.add("--reports-dir=" + directory);
    tests.forEach(each -> arguments.add("--select-class=" + each));
    arguments.addAll(List.of(selection));
    String output = BrokerJvm.run(path, options, arguments);
    File file = directory.resolve("TEST-junit-jupiter.xml").toFile();
    assertTrue(file.exists(), output);
    report =
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file).getDocumentElement();
  }

  /** Returns a number of the report: {@code tests} or {@code skipped}. */
  public int count(String attribute) {
    return Integer.parseInt(Objects.requireNonNull(report).getAttribute(attribute));
  }

  /** Returns the number of cases of each class. */
  public Map<String, Integer> cases() {
    Map<String, Integer> cases = new TreeMap<>();
    NodeList nodes = Objects.requireNonNull(report).getElementsByTagName("testcase");
    for (int i = 0; i < nodes.getLength(); i++) {
      cases.merge(((Element) nodes.item(i)).getAttribute("classname"), 1, Integer::sum);
    }
    return cases;
  }

  /** Returns the failed cases, one per line. */
  public String failures() {
    StringBuilder failures = new StringBuilder();
    for (String kind : List.of("failure", "error")) {
      NodeList nodes = Objects.requireNonNull(report).getElementsByTagName(kind);
      for (int i = 0; i < nodes.getLength(); i++) {
        Element failure = (Element) nodes.item(i);
        Element testCase = (Element) failure.getParentNode();
        failures.append(testCase.getAttribute("name")).append(": ");
        failures.append(failure.getAttribute("message")).append('\n');
      }
    }
    return failures.toString();
  }
}
