// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import javax.xml.parsers.DocumentBuilderFactory;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Runs a compiled test class of Kafka in a JVM of its own and reads its report. */
public final class KafkaOwnTests {
  private final Path directory;
  private @Nullable Element report;

  /** Creates runs that write their reports to a directory. */
  public KafkaOwnTests(Path directory) {
    this.directory = directory;
  }

  /** Runs a test class. */
  public void run(List<Path> path, List<String> options, String test) throws Exception {
    String output =
        BrokerJvm.run(
            path,
            options,
            List.of(
                "org.junit.platform.console.ConsoleLauncher",
                "execute",
                "--disable-banner",
                "--details=none",
                "--reports-dir=" + directory,
                "--select-class=" + test));
    File file = directory.resolve("TEST-junit-jupiter.xml").toFile();
    assertTrue(file.exists(), output);
    report =
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file).getDocumentElement();
  }

  /** Returns a number of the report: {@code tests} or {@code skipped}. */
  public int count(String attribute) {
    return Integer.parseInt(Objects.requireNonNull(report).getAttribute(attribute));
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
