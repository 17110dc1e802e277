// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import io.github.batchvalidator.dropin.Lines;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Class paths of brokers in the order that {@code bin/kafka-run-class.sh} gives them: what is in
 * {@code CLASSPATH} already, then the release's jars by name.
 */
final class BrokerJars {
  private BrokerJars() {}

  /** Returns the lines whose brokers the build has put here. */
  static List<String> lines() {
    return List.of(System.getProperty("broker.lines").split(",", -1));
  }

  /** Returns the class path of a stock broker. */
  static List<Path> stock(String line) {
    Path libs = Path.of(System.getProperty("brokers.directory"), "kafka-" + line, "target", "libs");
    try (Stream<Path> files = Files.list(libs)) {
      return files.sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the class path of a broker with the drop-in of its line. */
  static List<Path> ours(String line) {
    List<Path> path = new ArrayList<>(List.of(Lines.jar(line)));
    path.addAll(stock(line));
    return path;
  }
}
