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
 * A check that a jar runs with its Kafka line. Without it, a wrong jar would fail with linkage
 * errors deep in an append.
 *
 * <p>The line is recognized by classes that were added or removed in it, so that the version
 * numbers of forks do not matter. A version 3.x or 4.x is checked too, because a newer line may
 * differ in ways that no class shows.
 */
public final class KafkaLine {
  private static final String VERSION_RESOURCE = "kafka/kafka-version.properties";
  private static final String CLASS_OF_ALL_LINES = "org/apache/kafka/common/TopicPartition.class";

  private KafkaLine() {}

  /**
   * Throws if the jar runs with another line. Uses no Kafka type, because the caller is the static
   * initializer of our {@code LogValidator}, which must run with any line.
   *
   * @param line the line of the jar: 3.9, 4.1, 4.2, 4.3 or 4.4
   * @param caller our {@code LogValidator}, whose class loader finds Kafka
   * @throws LinkageError if the lines differ; the message names both lines and the jar to use
   */
  public static void require(String line, Class<?> caller) {
    ClassLoader loader = caller.getClassLoader();
    String root = root(loader);
    String found = find(loader, root);
    String version = version(loader, root);
    if (line.equals(found) && !isOtherLine(line, version)) {
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

  /**
   * Returns the version of Kafka as its jar states it.
   *
   * @param caller a class whose class loader finds Kafka
   * @return the version, or null if the jar states none
   */
  public static @Nullable String version(Class<?> caller) {
    ClassLoader loader = caller.getClassLoader();
    return version(loader, root(loader));
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

  /** {@return the location of the broker's own clients} A plugin may have added others. */
  private static String root(@Nullable ClassLoader loader) {
    URL url = resource(loader, CLASS_OF_ALL_LINES);
    String text = url == null ? "" : url.toString();
    return text.substring(0, Math.max(0, text.length() - CLASS_OF_ALL_LINES.length()));
  }

  /** {@return true if the class file exists} Loads no class. */
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

  /** {@return true if the version is Apache's own and belongs to another line} */
  private static boolean isOtherLine(String line, @Nullable String version) {
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
      connection.setUseCaches(false); // the cache would keep the jar open
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
