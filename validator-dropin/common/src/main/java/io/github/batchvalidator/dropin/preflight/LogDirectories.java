// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.preflight;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;

/** The log directories of a broker, from the file of its configuration. */
final class LogDirectories {
  private static final String BY_DEFAULT = "/tmp/kafka-logs";

  private LogDirectories() {}

  /** {@return the directories of {@code log.dirs}, or else of {@code log.dir}, as Kafka does} */
  static List<Path> read(Path server) throws IOException {
    Properties properties = new Properties();
    try (InputStream in = Files.newInputStream(server)) {
      properties.load(in);
    }
    String given =
        properties.getProperty("log.dirs", properties.getProperty("log.dir", BY_DEFAULT));
    return Stream.of(given.split(",", -1))
        .map(String::strip)
        .filter(each -> !each.isEmpty())
        .map(each -> Path.of(each).toAbsolutePath())
        .toList();
  }
}
