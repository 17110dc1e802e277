// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.stored;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the agent for stored batches: system properties that start with {@value #PREFIX},
 * or the same names in the properties file that {@value #CONFIG} names. A system property overrides
 * the file. The drop-in ignores these names. Immutable.
 *
 * @param recovery true to recover sound segments in one pass
 * @param keep whether to keep what recovery cuts
 * @param keepDirectory the directory for kept files, or null for the root of each log directory
 * @param keepQuota the largest number of kept bytes of a directory
 * @param compaction whether to check segments before they are compacted
 */
public record StoredSettings(
    boolean recovery, Mode keep, @Nullable Path keepDirectory, long keepQuota, Mode compaction) {
  /** How a part works. */
  public enum Mode {
    /** Not at all. */
    OFF,
    /** It reports what it would do. */
    OBSERVE,
    /** It does it. */
    ENFORCE
  }

  /** The prefix of all names. */
  public static final String PREFIX = "batchvalidator.stored.";

  static final String CONFIG = "batchvalidator.config";
  static final String RECOVERY = PREFIX + "recovery";

  static final String KEEP = PREFIX + "keep";
  static final String KEEP_DIRECTORY = KEEP + ".directory";

  /** The name of the quota. */
  public static final String KEEP_QUOTA = KEEP + ".quota";

  static final String COMPACTION = PREFIX + "compaction";

  /** A byte-order mark, which some editors write. */
  private static final String MARK = "\uFEFF";

  /** The byte-order mark of UTF-16, decoded as UTF-8. */
  private static final String NOT_UTF_8 = "\uFFFD\uFFFD";

  /** 10 GiB. */
  private static final long DEFAULT_QUOTA = 10L << 30;

  private static final Map<String, String> LEGAL =
      Map.of(
          RECOVERY,
          "off or enforce",
          KEEP,
          "off, observe or enforce",
          KEEP_DIRECTORY,
          "the absolute path of a directory",
          KEEP_QUOTA,
          "a number of bytes from 0",
          COMPACTION,
          "off, observe or enforce");

  /**
   * Reads the settings.
   *
   * @param system the system properties
   * @return the settings
   * @throws IllegalArgumentException if a name is unknown, a value is wrong, or the file cannot be
   *     read; the message lists what is legal
   */
  public static StoredSettings read(Properties system) {
    Map<String, String> given = new TreeMap<>();
    String file = system.getProperty(CONFIG);
    if (file != null) {
      collect(load(file), given);
    }
    collect(system, given);
    for (String name : given.keySet()) {
      if (!LEGAL.containsKey(name)) {
        throw new IllegalArgumentException(
            "unknown setting " + name + "; known are " + new TreeMap<>(LEGAL).keySet());
      }
    }
    return new StoredSettings(
        isEnforced(given, RECOVERY),
        mode(given, KEEP),
        directory(given),
        quota(given),
        mode(given, COMPACTION));
  }

  private static Properties load(String file) {
    Properties properties = new Properties();
    try {
      Path path = Path.of(file);
      if (Files.exists(path) && !Files.isRegularFile(path)) { // to open a pipe would block
        throw new IOException("not a regular file");
      }
      String text = new String(Files.readAllBytes(path), StandardCharsets.UTF_8);
      if (text.startsWith(NOT_UTF_8)) {
        throw new IOException("it is no UTF-8, perhaps UTF-16");
      }
      properties.load(new StringReader(text.startsWith(MARK) ? text.substring(1) : text));
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalArgumentException(CONFIG + ": cannot read " + file + ": " + e, e);
    }
    return properties;
  }

  private static void collect(Properties from, Map<String, String> given) {
    for (String name : from.stringPropertyNames()) {
      if (name.startsWith(PREFIX)) {
        given.put(name, from.getProperty(name).trim());
      }
    }
  }

  private static boolean isEnforced(Map<String, String> given, String name) {
    String value = given.getOrDefault(name, "off");
    return switch (value) {
      case "off" -> false;
      case "enforce" -> true;
      default -> throw wrong(name, value);
    };
  }

  private static Mode mode(Map<String, String> given, String name) {
    String value = given.getOrDefault(name, "off");
    return switch (value) {
      case "off" -> Mode.OFF;
      case "observe" -> Mode.OBSERVE;
      case "enforce" -> Mode.ENFORCE;
      default -> throw wrong(name, value);
    };
  }

  private static @Nullable Path directory(Map<String, String> given) {
    String value = given.get(KEEP_DIRECTORY);
    try {
      Path path = value == null ? null : Path.of(value);
      if (path != null && !path.isAbsolute()) {
        throw wrong(KEEP_DIRECTORY, path.toString());
      }
      return path;
    } catch (InvalidPathException e) {
      throw wrong(KEEP_DIRECTORY, String.valueOf(value));
    }
  }

  private static long quota(Map<String, String> given) {
    String value = given.getOrDefault(KEEP_QUOTA, String.valueOf(DEFAULT_QUOTA));
    try {
      long quota = Long.parseLong(value);
      if (quota >= 0) {
        return quota;
      }
      throw wrong(KEEP_QUOTA, value);
    } catch (NumberFormatException e) {
      throw wrong(KEEP_QUOTA, value);
    }
  }

  private static IllegalArgumentException wrong(String name, String value) {
    return new IllegalArgumentException(name + " is " + value + ", legal is " + LEGAL.get(name));
  }

  /** {@return the parts that are on} */
  Set<Part> parts() {
    Set<Part> parts = EnumSet.noneOf(Part.class);
    if (recovery) {
      parts.add(Part.RECOVERY);
    }
    if (keep != Mode.OFF) {
      parts.add(Part.KEEP);
    }
    if (compaction != Mode.OFF) {
      parts.add(Part.COMPACTION);
    }
    return parts;
  }

  /** {@return true if a part is on} */
  public boolean isOn() {
    return recovery || keep != Mode.OFF || compaction != Mode.OFF;
  }
}
