// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import io.github.batchvalidator.lines.KafkaLine;
import io.github.batchvalidator.testkit.broker.BrokerJars;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The drop-in jars and the jars of the Kafka versions in the build directory.
 *
 * <p>The phase {@code package} makes these jars, so every test that uses this class is an {@code
 * *IT}.
 */
public final class Lines {
  private static final Path BUILD = Path.of(System.getProperty("build.directory"));

  private Lines() {}

  /** Returns the Kafka versions that drop-in jars serve. */
  public static List<String> versions() {
    return Stream.of(KafkaLine.values()).map(KafkaLine::version).toList();
  }

  /** Returns the lines that jars are made for. */
  public static List<String> lines() {
    return versions().stream().map(Lines::lineOf).distinct().toList();
  }

  /** Returns the line whose jar serves a version: that of 4.1 serves 4.0 too. */
  public static String lineOf(String version) {
    return KafkaLine.of(version).dropInLine();
  }

  /** Returns the lines whose brokers tests start. */
  public static List<String> brokers() {
    return lines("broker.lines");
  }

  /** Returns those that tests of half a minute and more start: fewer, unless all are asked for. */
  public static List<String> brokersOfLongTests() {
    return lines("broker.long.lines");
  }

  private static List<String> lines(String property) {
    return List.of(System.getProperty(property).split(",", -1));
  }

  /** Returns the drop-in jar of a line. */
  public static Path jar(String line) {
    return jars().dropIn(line);
  }

  /**
   * Returns where the build puts the jars of brokers and of their drop-ins, for brokers that live
   * for seconds: most of what the second compiler of their JVM does would be wasted.
   */
  public static BrokerJars jars() {
    return jars(List.of("-XX:TieredStopAtLevel=1"));
  }

  /** Returns the same for brokers that are measured, with the options of a release. */
  public static BrokerJars measuredJars() {
    return jars(List.of());
  }

  private static BrokerJars jars(List<String> options) {
    return new BrokerJars(
        Path.of(System.getProperty("brokers.directory")),
        Path.of(System.getProperty("dropin.directory")),
        System.getProperty("dropin.version"),
        options);
  }

  /** Returns the jars of Kafka, and of what it needs, of a version. */
  public static List<Path> kafka(String version) {
    return KafkaLine.of(version).stock();
  }

  /** Returns the jars of Kafka's own tests of a version, and of what runs them. */
  public static List<Path> kafkaTests(String version) {
    return KafkaLine.of(version).tests();
  }

  /** Returns the same for the tests of the log, with the libraries that they need. */
  public static List<Path> kafkaLogTests(String version) throws IOException {
    List<Path> path = new ArrayList<>(kafkaTests(version));
    path.addAll(KafkaLine.of(version).logTests());
    try (Stream<Path> libraries = Files.list(BUILD.resolve("kafka-log-tests"))) {
      libraries.sorted().forEach(path::add);
    }
    return path;
  }

  /** Returns a loader of Kafka alone, which sees nothing of the class path of the tests. */
  public static URLClassLoader stock(String version) {
    return loader(kafka(version));
  }

  /** Returns a loader of Kafka with the jar of a line before it. */
  public static URLClassLoader withDropIn(String line, String version) {
    List<Path> path = new ArrayList<>(List.of(jar(line)));
    path.addAll(kafka(version));
    return loader(path);
  }

  public static URLClassLoader loader(List<Path> path) {
    URL[] urls = path.stream().map(Lines::url).toArray(URL[]::new);
    return new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
  }

  /** Returns the folder of the build, which is in the file system of all jars. */
  public static Path build() {
    return BUILD;
  }

  private static URL url(Path path) {
    try {
      return path.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new UncheckedIOException(e);
    }
  }
}
