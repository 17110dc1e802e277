// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.preflight;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The Java command that Kafka's script would start a broker with, from the variables of the
 * environment.
 *
 * @param jar the drop-in jar that runs the preflight
 * @param libs the folder of Kafka's jars
 * @param entries the entries of {@code CLASSPATH} as given, empty if it is not set
 * @param classPath the whole class path in the order of the script
 * @param javaHome {@code JAVA_HOME}, or null if it is not set
 * @param options the options of the JVM, split at spaces as the script does
 * @param opensJmxPort true if {@code JMX_PORT} is set without {@code KAFKA_JMX_OPTS}
 */
record BrokerStart(
    Path jar,
    Path libs,
    List<String> entries,
    List<Path> classPath,
    @Nullable Path javaHome,
    List<String> options,
    boolean opensJmxPort) {
  static final String LIBS = "libs";
  static final String WILDCARD = "*";
  private static final String JMX_OPTIONS = "KAFKA_JMX_OPTS";

  private static final List<String> OPTION_VARIABLES =
      List.of(
          "KAFKA_HEAP_OPTS",
          "KAFKA_JVM_PERFORMANCE_OPTS",
          JMX_OPTIONS,
          "KAFKA_LOG4J_OPTS",
          "KAFKA_OPTS");

  /** Files in Kafka's libs that the script leaves out. */
  private static final Pattern LEFT_OUT =
      Pattern.compile(".*(-(test|test-sources|src|scaladoc|javadoc)\\.jar|jar\\.asc)");

  /**
   * Reads the environment.
   *
   * @param home the folder of Kafka
   * @param jar the drop-in jar that runs the preflight
   */
  static BrokerStart read(Path home, Path jar) throws IOException {
    Map<String, String> environment = System.getenv();
    List<String> entries = new ArrayList<>();
    String given = environment.getOrDefault("CLASSPATH", "");
    for (String entry : given.split(Pattern.quote(File.pathSeparator), -1)) {
      if (!entry.isBlank()) {
        entries.add(entry);
      }
    }
    List<Path> classPath = new ArrayList<>();
    if (entries.isEmpty()) {
      classPath.add(jar);
    }
    for (String entry : entries) {
      add(entry, classPath);
    }
    Path libs = home.resolve(LIBS);
    classPath.addAll(jars(libs));
    List<String> options = new ArrayList<>();
    for (String variable : OPTION_VARIABLES) {
      String value = environment.getOrDefault(variable, "").strip();
      if (!value.isEmpty()) {
        options.addAll(List.of(value.split("\\s+", -1)));
      }
    }
    String java = environment.getOrDefault("JAVA_HOME", "");
    return new BrokerStart(
        jar,
        libs,
        List.copyOf(entries),
        List.copyOf(classPath),
        java.isEmpty() ? null : Path.of(java),
        List.copyOf(options),
        environment.containsKey("JMX_PORT") && !environment.containsKey(JMX_OPTIONS));
  }

  private static void add(String entry, List<Path> classPath) throws IOException {
    try {
      if (isWildcard(entry)) {
        Path folder = Path.of(entry.substring(0, entry.length() - 1));
        if (Files.isDirectory(folder)) {
          classPath.addAll(jars(folder));
        }
      } else {
        classPath.add(Path.of(entry));
      }
    } catch (InvalidPathException e) {
      return; // the JVM ignores it too
    }
  }

  /** {@return true if the JVM expands the entry to the jars of a folder} */
  static boolean isWildcard(String entry) {
    return entry.equals(WILDCARD) || entry.endsWith(File.separator + WILDCARD);
  }

  /** {@return the jars of a folder, without those that Kafka's scripts leave out} */
  static List<Path> jars(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".jar"))
          .filter(file -> !LEFT_OUT.matcher(file.getFileName().toString()).matches())
          .sorted()
          .toList();
    }
  }

  /** {@return the values of the options that start with a prefix, in order} */
  List<String> valuesOf(String prefix) {
    return options.stream()
        .filter(option -> option.startsWith(prefix))
        .map(option -> option.substring(prefix.length()))
        .toList();
  }

  /** {@return the program that starts the broker} */
  Path java() {
    Path home = javaHome;
    return (home == null ? Path.of(System.getProperty("java.home")) : home)
        .resolve("bin")
        .resolve("java");
  }

  /** {@return a loader of the class path as the broker has it, which may lack the drop-in jar} */
  URLClassLoader brokerLoader() throws MalformedURLException {
    return loader(null, classPath);
  }

  /** {@return a loader of the first jar, if any, and the class path; of the JDK besides} */
  static URLClassLoader loader(@Nullable Path first, List<Path> classPath)
      throws MalformedURLException {
    List<URL> urls = new ArrayList<>();
    if (first != null) {
      urls.add(first.toUri().toURL());
    }
    for (Path entry : classPath) {
      urls.add(entry.toUri().toURL());
    }
    return new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
  }
}
