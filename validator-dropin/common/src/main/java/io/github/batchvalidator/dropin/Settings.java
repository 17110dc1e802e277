// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import io.github.batchvalidator.codec.GzipInflater;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Limits;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;

/**
 * What an operator may set: system properties that start with {@code batchvalidator.}, or the same
 * names in the properties file that {@code batchvalidator.config} names. A system property wins.
 * Immutable.
 *
 * @param level how strictly batches are judged
 * @param observe true to count what the strict level would refuse, at the other level
 * @param limits what a batch may cost
 * @param recordErrors how many failing records of one batch are told to the producer
 * @param gzip what inflates gzip
 * @param shadow true to let Kafka's own validator answer and compare with it
 */
record Settings(
    Level level,
    boolean observe,
    Limits limits,
    int recordErrors,
    GzipInflater gzip,
    boolean shadow) {
  static final String PREFIX = "batchvalidator.";
  static final String CONFIG = PREFIX + "config";
  static final String LEVEL = PREFIX + "level";
  static final String OBSERVE = PREFIX + "observe";
  static final String GZIP = PREFIX + "gzip";
  static final String SHADOW = PREFIX + "shadow";
  static final String PLAIN_BYTES = PREFIX + "limits.plainBytes";
  static final String CODEC_MEMORY_BYTES = PREFIX + "limits.codecMemoryBytes";
  static final String REBUILT_BYTES = PREFIX + "limits.rebuiltBytes";
  static final String RECORD_ERRORS = PREFIX + "limits.recordErrors";

  private static final int DEFAULT_RECORD_ERRORS = 1 << 16;
  private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 8;

  private static final Map<String, String> LEGAL = legal();

  /**
   * Reads the settings.
   *
   * @param system the system properties
   * @throws ConfigException if a name is unknown or a value wrong; says what would be legal
   */
  static Settings read(Properties system) {
    Map<String, String> given = new TreeMap<>();
    String file = system.getProperty(CONFIG);
    if (file != null) {
      collect(load(file), given);
    }
    collect(system, given);
    for (String name : given.keySet()) {
      if (!LEGAL.containsKey(name)) {
        throw new ConfigException("Unknown setting " + name + "; known are " + LEGAL.keySet());
      }
    }
    Level level = level(given);
    boolean observe = flag(given, OBSERVE);
    if (observe && level == Level.STRICT) {
      throw new ConfigException(
          OBSERVE + " is for " + LEVEL + "=kafka; level strict refuses what it would only count");
    }
    return new Settings(
        level, observe, limits(given), recordErrors(given), gzip(given), flag(given, SHADOW));
  }

  private static Map<String, String> legal() {
    Map<String, String> legal = new TreeMap<>();
    legal.put(CONFIG, "the path of a properties file");
    legal.put(LEVEL, "kafka or strict");
    legal.put(OBSERVE, "true or false");
    legal.put(GZIP, "jdk, java or auto");
    legal.put(SHADOW, "true or false");
    legal.put(PLAIN_BYTES, range(0, Long.MAX_VALUE));
    legal.put(CODEC_MEMORY_BYTES, range(1 << 16, 1 << 27));
    legal.put(REBUILT_BYTES, range(1, LARGEST_ARRAY));
    legal.put(RECORD_ERRORS, range(1, 1 << 24));
    return legal;
  }

  private static String range(long least, long most) {
    return "a whole number from " + least + " to " + most;
  }

  private static Properties load(String file) {
    Properties properties = new Properties();
    try (InputStream in = Files.newInputStream(Path.of(file))) {
      properties.load(in);
    } catch (IOException | IllegalArgumentException e) {
      throw new ConfigException(CONFIG + ": cannot read " + file + ": " + e);
    }
    properties.remove(CONFIG);
    return properties;
  }

  private static void collect(Properties from, Map<String, String> given) {
    for (String name : from.stringPropertyNames()) {
      if (name.startsWith(PREFIX)) {
        given.put(name, from.getProperty(name).trim());
      }
    }
  }

  private static Level level(Map<String, String> given) {
    String value = given.getOrDefault(LEVEL, "kafka");
    return switch (value) {
      case "kafka" -> Level.KAFKA;
      case "strict" -> Level.STRICT;
      default -> throw wrong(LEVEL, value);
    };
  }

  private static boolean flag(Map<String, String> given, String name) {
    String value = given.getOrDefault(name, "false");
    return switch (value) {
      case "true" -> true;
      case "false" -> false;
      default -> throw wrong(name, value);
    };
  }

  private static GzipInflater gzip(Map<String, String> given) {
    String value = given.getOrDefault(GZIP, GzipInflater.JDK.label());
    GzipInflater named = GzipInflater.named(value);
    if (named == null) {
      throw wrong(GZIP, value);
    }
    return named;
  }

  private static Limits limits(Map<String, String> given) {
    Limits none = Limits.MEMORY_ONLY;
    return none.withPlainBytes(number(given, PLAIN_BYTES, none.plainBytes(), 0, Long.MAX_VALUE))
        .withCodecMemoryBytes(
            (int) number(given, CODEC_MEMORY_BYTES, none.codecMemoryBytes(), 1 << 16, 1 << 27))
        .withRebuiltBytes(
            (int) number(given, REBUILT_BYTES, none.rebuiltBytes(), 1, LARGEST_ARRAY));
  }

  private static int recordErrors(Map<String, String> given) {
    return (int) number(given, RECORD_ERRORS, DEFAULT_RECORD_ERRORS, 1, 1 << 24);
  }

  private static long number(
      Map<String, String> given, String name, long otherwise, long least, long most) {
    String value = given.get(name);
    if (value == null) {
      return otherwise;
    }
    Long number = parse(value);
    if (number == null || number < least || number > most) {
      throw wrong(name, value);
    }
    return number;
  }

  private static @Nullable Long parse(String value) {
    try {
      return Long.valueOf(value);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static ConfigException wrong(String name, String value) {
    return new ConfigException(name + " is " + value + ", legal is " + LEGAL.get(name));
  }

  /** {@return the settings as an operator would write them, for the log} */
  String describe() {
    return String.format(
        Locale.ROOT,
        "%s=%s %s=%b %s=%b %s=%s %s=%d %s=%d %s=%d %s=%d",
        LEVEL,
        level.name().toLowerCase(Locale.ROOT),
        OBSERVE,
        observe,
        SHADOW,
        shadow,
        GZIP,
        gzip.label(),
        PLAIN_BYTES,
        limits.plainBytes(),
        CODEC_MEMORY_BYTES,
        limits.codecMemoryBytes(),
        REBUILT_BYTES,
        limits.rebuiltBytes(),
        RECORD_ERRORS,
        recordErrors);
  }
}
