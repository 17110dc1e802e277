// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.net.URLClassLoader;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A jar beside the wrong Kafka line says so as soon as its class is initialized. */
class WrongLineIT {
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
      String message = error.toString();
      assertTrue(message.contains("validator-dropin-kafka-" + line + " is on"), message);
      assertTrue(message.contains("of Kafka " + version), message);
      assertTrue(message.contains("use validator-dropin-kafka-" + Lines.lineOf(version)), message);
    }
  }

  /** A broker creates an instance of such a class before it serves. */
  @ParameterizedTest
  @MethodSource("wrongPairs")
  void aClassThatImplementsMetricsRecorderCannotBeUsed(String line, String version)
      throws Exception {
    try (URLClassLoader loader = Lines.withDropIn(line, version)) {
      Class<?>[] recorder = {Class.forName(SHADOWED + "$MetricsRecorder", false, loader)};
      LinkageError error =
          assertThrows(
              LinkageError.class,
              () -> Proxy.newProxyInstance(loader, recorder, (proxy, method, given) -> null));
      assertTrue(error.toString().contains("use validator-dropin-kafka-"), error::toString);
    }
  }

  @ParameterizedTest
  @MethodSource("io.github.batchvalidator.dropin.Lines#versions")
  void acceptsTheRightLine(String version) throws Exception {
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
  void acceptsAnyVersionOfAFork(String number, @TempDir Path directory) throws Exception {
    try (URLClassLoader loader = numbered(number, directory)) {
      assertEquals(SHADOWED, Class.forName(SHADOWED, true, loader).getName());
    }
  }

  /** A plugin may have brought clients of another line along, without renaming them. */
  @ParameterizedTest
  @MethodSource("io.github.batchvalidator.dropin.Lines#versions")
  void asksNobodyElsesClients(String version, @TempDir Path plugin) throws Exception {
    Path requests = Files.createDirectories(plugin.resolve("org/apache/kafka/common/requests"));
    Files.createFile(requests.resolve("LeaderAndIsrRequest.class"));
    Files.createFile(requests.resolve("UpdateMetadataRequest.class"));
    Path utils = Files.createDirectories(plugin.resolve("org/apache/kafka/common/utils/internals"));
    Files.createFile(utils.resolve("PrimitiveRef.class"));
    Path number = Files.createDirectories(plugin.resolve("kafka"));
    Files.writeString(number.resolve("kafka-version.properties"), "version=3.4.0\n");
    List<Path> path = new ArrayList<>(List.of(Lines.jar(Lines.lineOf(version))));
    path.addAll(Lines.kafka(version));
    path.add(plugin);
    for (int i = 0; i < 2; i++) {
      try (URLClassLoader loader = Lines.loader(path)) {
        assertEquals(SHADOWED, Class.forName(SHADOWED, true, loader).getName());
      }
      Collections.rotate(path, 1); // the plugin comes first
    }
  }

  /** Returns Kafka 4.4 with its drop-in, under another version number. */
  private static URLClassLoader numbered(String number, Path directory) throws Exception {
    String version =
        Lines.versions().stream().filter(v -> Lines.lineOf(v).equals("4.4")).findFirst().get();
    List<Path> path = new ArrayList<>(List.of(Lines.jar("4.4")));
    for (Path jar : Lines.kafka(version)) {
      String name = jar.getFileName().toString();
      path.add(name.startsWith("kafka-clients") ? renumbered(jar, number, directory) : jar);
    }
    return Lines.loader(path);
  }

  private static Path renumbered(Path clients, String number, Path directory) throws Exception {
    Path fork = Files.copy(clients, directory.resolve("kafka-clients.jar"));
    try (FileSystem jar = FileSystems.newFileSystem(fork)) {
      Files.writeString(
          jar.getPath("kafka", "kafka-version.properties"), "version=" + number + "\n");
    }
    return fork;
  }
}
