// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.broker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Where the build puts the jars of brokers and the drop-in jars, and their order on a class path:
 * as {@code bin/kafka-run-class.sh} gives it, what is in {@code CLASSPATH} already comes first,
 * then the release's jars by name.
 *
 * @param brokers the folder with a folder for the broker of each line
 * @param dropIns the folder with a folder for the drop-in of each line
 * @param version of the drop-in jars
 * @param options of the JVM of each broker, before those of a single one
 */
public record BrokerJars(Path brokers, Path dropIns, String version, List<String> options) {
  /**
   * Starts a broker with the usual settings, and returns when it serves.
   *
   * @see #start(BrokerBuild, String, Path, List, Map)
   */
  public BrokerProcess start(BrokerBuild build, String line, Path folder, List<String> more)
      throws IOException, InterruptedException {
    return start(build, line, folder, more, Map.of());
  }

  /**
   * Starts a broker, and returns when it serves.
   *
   * @param line such as 4.3
   * @param folder for its data, configuration and logs; empty, missing, or of an earlier broker
   * @param more options of its JVM beside those of the build and of a release's script
   * @param settings of the broker, beside the usual ones
   * @throws IOException if the build has not put its jars there, or the folder cannot be written
   * @throws InterruptedException if the wait is interrupted
   * @throws IllegalStateException with its log if it does not start within three minutes
   */
  public BrokerProcess start(
      BrokerBuild build, String line, Path folder, List<String> more, Map<String, String> settings)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(options);
    all.addAll(more);
    all.addAll(build.options(this));
    return BrokerProcess.start(folder, build.classPath(this, line), all, settings);
  }

  /**
   * Returns the class path of a stock broker.
   *
   * @param line such as 4.3
   * @throws IOException if the build has not put it there
   */
  public List<Path> stock(String line) throws IOException {
    try (Stream<Path> files = Files.list(brokers.resolve("kafka-" + line + "/target/libs"))) {
      return files.sorted().toList();
    }
  }

  /**
   * Returns the class path of a broker with the drop-in of its line.
   *
   * @param line such as 4.3
   * @throws IOException if the build has not put its jars there
   */
  public List<Path> withDropIn(String line) throws IOException {
    List<Path> path = new ArrayList<>(List.of(dropIn(line)));
    path.addAll(stock(line));
    return path;
  }

  /**
   * Returns the class path of a broker of the fork: its jar in place of {@code kafka-storage}, and
   * the core.
   *
   * @param line such as 4.3
   * @throws IOException if the build has not put the broker's jars there
   * @throws IllegalStateException if the fork is not built
   */
  public List<Path> fork(String line) throws IOException {
    List<Path> path = new ArrayList<>(stock(line));
    Path replaced = storage(line);
    path.set(path.indexOf(replaced), forkJar(line));
    path.add(existing(target("validator-core").resolve("validator-core-" + version + ".jar")));
    return path;
  }

  /**
   * Returns the fork's jar.
   *
   * @param line such as 4.3
   * @throws IOException if the build has not put the broker's jars there
   * @throws IllegalStateException if the fork is not built
   */
  public Path forkJar(String line) throws IOException {
    String name = String.valueOf(storage(line).getFileName()).replace(".jar", "-fork.jar");
    return existing(target("validator-fork").resolve(name));
  }

  /**
   * Returns the jar that the fork replaces.
   *
   * @param line such as 4.3
   * @throws IOException if the build has not put it there
   */
  public Path storage(String line) throws IOException {
    return stock(line).stream()
        .filter(jar -> jar.getFileName().toString().matches("kafka-storage-\\d.*"))
        .findFirst()
        .orElseThrow();
  }

  private Path target(String module) {
    return dropIns.resolveSibling(module).resolve("target");
  }

  /**
   * Returns the drop-in jar of a line.
   *
   * @param line such as 4.3
   * @throws IllegalStateException if it is not built
   */
  public Path dropIn(String line) {
    return built("kafka-" + line);
  }

  /**
   * Returns the option that gives a JVM the agent.
   *
   * @throws IllegalStateException if it is not built
   */
  public String agent() {
    return "-javaagent:" + agentJar();
  }

  /**
   * Returns the jar of the agent.
   *
   * @throws IllegalStateException if it is not built
   */
  public Path agentJar() {
    return built("agent");
  }

  private Path built(String module) {
    String name = "validator-dropin-" + module + "-" + version + ".jar";
    return existing(dropIns.resolve(module).resolve("target").resolve(name));
  }

  private static Path existing(Path jar) {
    if (!Files.exists(jar)) {
      throw new IllegalStateException(jar + " is not built: run mvn verify");
    }
    return jar;
  }
}
