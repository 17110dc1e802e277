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
  V3_9("3.9", "3.9.2", "3.9"),
  V4_0("4.0", "4.0.1", "4.1"),
  V4_1("4.1", "4.1.1", "4.1"),
  V4_2("4.2", "4.2.0", "4.2"),
  V4_2_NEWEST("4.2-newest", "4.2.2", "4.2"),
  V4_3("4.3", "4.3.1", "4.3"),
  V4_4("4.4", "4.4.0", "4.4");

  private static final Path BROKERS = Path.of(System.getProperty("brokers.directory", "brokers"));
  private static final Path DROP_INS =
      Path.of(System.getProperty("dropin.directory", "../validator-dropin"));

  private final String module;
  private final String version;
  private final String dropIn;

  KafkaLine(String module, String version, String dropIn) {
    this.module = module;
    this.version = version;
    this.dropIn = dropIn;
  }

  /**
   * Returns the line of a version.
   *
   * @throws IllegalArgumentException if no module fetches its jars
   */
  public static KafkaLine of(String version) {
    return Stream.of(values())
        .filter(each -> each.version.equals(version))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(version));
  }

  public String version() {
    return version;
  }

  /** Returns the line whose drop-in jar serves it, such as 4.1 for 4.0. */
  public String dropInLine() {
    return dropIn;
  }

  /** True for 3.9 only, whose constructor asks for the version that brokers speak. */
  boolean asksForBrokerVersion() {
    return this == V3_9;
  }

  /** True for those with a constructor that takes the largest record of a compressed batch. */
  public boolean hasRecordLimit() {
    return this == V4_2_NEWEST || compareTo(V4_4) >= 0;
  }

  /** Returns the jars of Kafka that validate appends, and those that they need. */
  public List<Path> stock() {
    return fetched("line");
  }

  /** Returns the jars of Kafka's own tests, and those that run them. */
  public List<Path> tests() {
    return fetched("tests");
  }

  /** Returns the jars that only Kafka's own tests of its log need, beside {@link #tests}. */
  public List<Path> logTests() {
    return fetched("log-tests");
  }

  private List<Path> fetched(String what) {
    return jars(BROKERS.resolve("kafka-" + module + "/target/" + what + "/" + version));
  }

  /** Returns the same with the drop-in jar before them. */
  List<Path> ours() {
    List<Path> path = new ArrayList<>();
    path.add(dropIn());
    path.addAll(stock());
    return path;
  }

  /** Returns the drop-in jar. */
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
