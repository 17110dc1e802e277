// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  private void check(String version, String test, int cases, List<Path> ofKafka) throws Exception {
    Path jar = Lines.jar(Lines.lineOf(version));
    List<Path> path = new ArrayList<>(List.of(jar));
    path.addAll(Lines.kafka(version));
    path.addAll(ofKafka);
    KafkaOwnTests tests = new KafkaOwnTests(directory);
    List<String> options =
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-Xmx512m",
            "-Xlog:class+load:file=" + directory.resolve("loaded.txt"));
    tests.run(path, options, List.of(test));
    if (!tests.failures().isEmpty()) {
      // Some cases allow a second between two readings of the clock, which a busy machine may take.
      tests.run(path, options, List.of(test));
    }

    assertEquals("", tests.failures());
    assertEquals(cases, tests.count("tests"));
    assertEquals(0, tests.count("skipped"));
    assertEquals(List.of(jar.toRealPath().toUri().getPath()), sources());
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
