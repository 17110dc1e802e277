// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Says in one sentence that a jar was put beside the wrong Kafka line, before the JVM says it in
 * linkage errors deep in an append.
 *
 * <p>The line is told by classes that came or went with it, so that a fork's own version numbers do
 * no harm. A version 3.x or 4.x is looked at too: a line newer than this jar may differ in ways
 * that no class shows.
 */
public final class KafkaLine {
  private static final String VERSION_RESOURCE = "kafka/kafka-version.properties";
  private static final String EVERY_LINE_HAS = "org/apache/kafka/common/TopicPartition.class";

  private KafkaLine() {}

  /**
   * Does nothing beside the right line. For the static initializer of a class with Kafka's name,
   * which must be able to run beside any line: it may touch no Kafka type.
   *
   * @param line of the jar: 3.9, 4.1, 4.2, 4.3 or 4.4
   * @param shell the class that asks; Kafka is what its loader sees
   * @throws LinkageError that names both lines and the jar to use
   */
  public static void require(String line, Class<?> shell) {
    ClassLoader loader = shell.getClassLoader();
    String root = root(loader);
    String found = find(loader, root);
    String version = version(loader, root);
    if (line.equals(found) && !knownAsOther(line, version)) {
      return;
    }
    String advice =
        line.equals(found)
            ? "no jar of this version of Batch Validator is made for it"
            : "use validator-dropin-kafka-" + found + " instead";
    throw new LinkageError(
        "validator-dropin-kafka-"
            + line
            + " is on the class path of Kafka "
            + (version == null ? "of the line " + found : version)
            + ", but it is for "
            + served(line)
            + ": "
            + advice);
  }

  private static String find(@Nullable ClassLoader loader, String root) {
    if (has(loader, root, "common.utils.internals.PrimitiveRef")) {
      return "4.4";
    }
    if (has(loader, root, "common.record.internal.MemoryRecords")) {
      return "4.3";
    }
    if (!has(loader, root, "common.requests.LeaderAndIsrRequest")) {
      return "4.2";
    }
    return has(loader, root, "common.requests.UpdateMetadataRequest") ? "3.9" : "4.1";
  }

  /** {@return where the broker's own clients lie: a plugin may have brought others along} */
  private static String root(@Nullable ClassLoader loader) {
    URL url = resource(loader, EVERY_LINE_HAS);
    String text = url == null ? "" : url.toString();
    return text.substring(0, Math.max(0, text.length() - EVERY_LINE_HAS.length()));
  }

  /** Looks for the file, not for the class: nothing is loaded by asking. */
  private static boolean has(@Nullable ClassLoader loader, String root, String name) {
    return below(loader, root, "org/apache/kafka/" + name.replace('.', '/') + ".class") != null;
  }

  private static @Nullable URL below(@Nullable ClassLoader loader, String root, String file) {
    URL first = resource(loader, file);
    if (first == null || first.toString().startsWith(root)) {
      return first;
    }
    try {
      Enumeration<URL> all =
          loader == null ? ClassLoader.getSystemResources(file) : loader.getResources(file);
      return Collections.list(all).stream()
          .filter(url -> url.toString().startsWith(root))
          .findFirst()
          .orElse(null);
    } catch (IOException e) {
      return null;
    }
  }

  private static @Nullable URL resource(@Nullable ClassLoader loader, String file) {
    return loader == null ? ClassLoader.getSystemResource(file) : loader.getResource(file);
  }

  /** Forks number as they like; of Apache's own numbers a wrong one is believed. */
  private static boolean knownAsOther(String line, @Nullable String version) {
    return version != null
        && version.matches("[34]\\.\\d+(\\D.*)?")
        && !version.matches(line.replace(".", "\\.") + "(\\D.*)?")
        && !(line.equals("4.1") && version.matches("4\\.0(\\D.*)?"));
  }

  private static String served(String line) {
    return line.equals("4.1") ? "4.0 and 4.1" : line;
  }

  private static @Nullable String version(@Nullable ClassLoader loader, String root) {
    URL url = below(loader, root, VERSION_RESOURCE);
    if (url == null) {
      return null;
    }
    try {
      URLConnection connection = url.openConnection();
      connection.setUseCaches(false); // which would keep the jar open
      return version(connection);
    } catch (IOException | IllegalArgumentException e) {
      return null;
    }
  }

  private static @Nullable String version(URLConnection connection) throws IOException {
    try (InputStream in = connection.getInputStream()) {
      Properties properties = new Properties();
      properties.load(in);
      return properties.getProperty("version");
    }
  }
}
