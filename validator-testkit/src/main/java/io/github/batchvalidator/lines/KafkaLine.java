// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A release of Kafka that a drop-in jar is made for, with the codec libraries that it ships. */
public enum KafkaLine {
  V3_9("3.9.2", "3.9"),
  V4_0("4.0.1", "4.1"),
  V4_1("4.1.1", "4.1"),
  V4_2("4.2.0", "4.2"),
  V4_2_NEWEST("4.2.2", "4.2"),
  V4_3("4.3.1", "4.3"),
  V4_4("4.4.0", "4.4");

  private static final Path LINES =
      Path.of(System.getProperty("kafka.lines", "target/kafka-lines"));
  private static final Path DROP_INS =
      Path.of(System.getProperty("dropin.directory", "../validator-dropin"));

  private final String version;
  private final String dropIn;

  KafkaLine(String version, String dropIn) {
    this.version = version;
    this.dropIn = dropIn;
  }

  public String version() {
    return version;
  }

  /** True for 3.9 only, whose constructor asks for the version that brokers speak. */
  boolean asksForBrokerVersion() {
    return this == V3_9;
  }

  /** True for those with a constructor that takes the largest record of a compressed batch. */
  public boolean hasRecordLimit() {
    return this == V4_2_NEWEST || this == V4_4;
  }

  /** Returns the class path of a stock broker. */
  List<Path> stock() {
    return jars(LINES.resolve(version));
  }

  /** Returns the class path of a broker whose first jar is ours. */
  List<Path> ours() {
    List<Path> path = new ArrayList<>();
    path.add(dropIn());
    path.addAll(stock());
    return path;
  }

  /** Returns the jar that is put in front of the class path. */
  Path dropIn() {
    List<Path> jars =
        jars(DROP_INS.resolve("kafka-" + dropIn).resolve("target")).stream()
            .filter(jar -> jar.getFileName().toString().startsWith("validator-dropin-kafka-"))
            .filter(
                jar -> !jar.getFileName().toString().matches(".*-(sources|javadoc|tests)\\.jar"))
            .toList();
    if (jars.size() != 1) {
      throw new IllegalStateException("one drop-in jar for Kafka " + dropIn + ", not " + jars);
    }
    return jars.get(0);
  }

  private static List<Path> jars(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
