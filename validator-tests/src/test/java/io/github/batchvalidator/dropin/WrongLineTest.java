// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A jar beside the wrong Kafka line says so as soon as its class is initialized. */
class WrongLineTest {
  private static final String SHADOWED = "org.apache.kafka.storage.internals.log.LogValidator";

  static Stream<Arguments> wrongPairs() {
    return Lines.lines().stream()
        .flatMap(
            line ->
                Lines.versions().stream()
                    .filter(version -> !Lines.lineOf(version).equals(line))
                    .map(version -> Arguments.of(line, version)));
  }

  @ParameterizedTest
  @MethodSource("wrongPairs")
  void namesBothLinesAndTheJarToUse(String line, String version) throws Exception {
    try (URLClassLoader loader = Lines.withDropIn(line, version)) {
      LinkageError error =
          assertThrows(LinkageError.class, () -> Class.forName(SHADOWED, true, loader));
      assertEquals(LinkageError.class, error.getClass());
      String said = error.toString();
      assertTrue(said.contains("validator-dropin-kafka-" + line + " is on"), said);
      assertTrue(said.contains("of Kafka " + version), said);
      assertTrue(said.contains("use validator-dropin-kafka-" + Lines.lineOf(version)), said);
    }
  }

  @ParameterizedTest
  @MethodSource("io.github.batchvalidator.dropin.Lines#versions")
  void saysNothingBesideTheRightLine(String version) throws Exception {
    try (URLClassLoader loader = Lines.withDropIn(Lines.lineOf(version), version)) {
      assertEquals(SHADOWED, Class.forName(SHADOWED, true, loader).getName());
    }
  }

  @Test
  void refusesNumbersOfApacheThatItDoesNotKnow(@TempDir Path directory) throws Exception {
    try (URLClassLoader loader = numbered("4.9.0", directory)) {
      LinkageError error =
          assertThrows(LinkageError.class, () -> Class.forName(SHADOWED, true, loader));
      assertTrue(error.toString().contains("Kafka 4.9.0"), error.toString());
      assertTrue(error.toString().contains("no jar of this version"), error.toString());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"8.2.0-ccs", "2026.1", "4.4.0-acme"})
  void takesNumbersOfForksAsTheyCome(String number, @TempDir Path directory) throws Exception {
    try (URLClassLoader loader = numbered(number, directory)) {
      assertEquals(SHADOWED, Class.forName(SHADOWED, true, loader).getName());
    }
  }

  /** Returns Kafka 4.4 with its drop-in, under another version number. */
  private static URLClassLoader numbered(String number, Path directory) throws Exception {
    Path file = directory.resolve("kafka").resolve("kafka-version.properties");
    Files.createDirectories(file.getParent());
    Files.writeString(file, "version=" + number + "\n");
    String version =
        Lines.versions().stream().filter(v -> Lines.lineOf(v).equals("4.4")).findFirst().get();
    List<Path> path = new ArrayList<>(List.of(directory, Lines.jar("4.4")));
    path.addAll(Lines.kafka(version));
    return Lines.loader(path);
  }
}
