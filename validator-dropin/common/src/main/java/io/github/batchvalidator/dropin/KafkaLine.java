// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import java.io.IOException;
import java.io.InputStream;
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
    String found = find(shell.getClassLoader());
    String version = version(shell.getClassLoader());
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

  private static String find(@Nullable ClassLoader loader) {
    if (has(loader, "common.utils.internals.PrimitiveRef")) {
      return "4.4";
    }
    if (has(loader, "common.record.internal.MemoryRecords")) {
      return "4.3";
    }
    if (!has(loader, "common.requests.LeaderAndIsrRequest")) {
      return "4.2";
    }
    return has(loader, "common.requests.UpdateMetadataRequest") ? "3.9" : "4.1";
  }

  /** Looks for the file, not for the class: nothing is loaded by asking. */
  private static boolean has(@Nullable ClassLoader loader, String name) {
    String file = "org/apache/kafka/" + name.replace('.', '/') + ".class";
    return loader == null
        ? ClassLoader.getSystemResource(file) != null
        : loader.getResource(file) != null;
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

  private static @Nullable String version(@Nullable ClassLoader loader) {
    try (InputStream in =
        loader == null
            ? ClassLoader.getSystemResourceAsStream(VERSION_RESOURCE)
            : loader.getResourceAsStream(VERSION_RESOURCE)) {
      if (in == null) {
        return null;
      }
      Properties properties = new Properties();
      properties.load(in);
      return properties.getProperty("version");
    } catch (IOException | IllegalArgumentException e) {
      return null;
    }
  }
}
