// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.stored;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * The settings of the agent for stored batches: system properties that start with {@value #PREFIX},
 * or the same names in the properties file that {@value #CONFIG} names. A system property overrides
 * the file. The drop-in ignores these names. Immutable.
 *
 * @param recovery true to recover sound segments in one pass
 */
public record StoredSettings(boolean recovery) {
  /** The prefix of all names. */
  public static final String PREFIX = "batchvalidator.stored.";

  static final String CONFIG = "batchvalidator.config";
  static final String RECOVERY = PREFIX + "recovery";

  private static final Map<String, String> LEGAL = Map.of(RECOVERY, "off or enforce");

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
    return new StoredSettings(isEnforced(given, RECOVERY));
  }

  private static Properties load(String file) {
    Properties properties = new Properties();
    try {
      String text = new String(Files.readAllBytes(Path.of(file)), StandardCharsets.UTF_8);
      properties.load(new StringReader(text));
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

  private static IllegalArgumentException wrong(String name, String value) {
    return new IllegalArgumentException(name + " is " + value + ", legal is " + LEGAL.get(name));
  }

  /** {@return true if a part is on} */
  public boolean isOn() {
    return recovery;
  }
}
