// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.tiered;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the wrapper, without the prefix that Kafka removes.
 *
 * @param manager the name of the class to wrap
 * @param mode the effect of an audit
 * @param recheckMs the time after which an unchanged upload is audited again, in milliseconds
 * @param passed the settings of the wrapped manager
 */
record TieredSettings(String manager, Mode mode, long recheckMs, Map<String, Object> passed) {
  static final String PREFIX = "batchvalidator.tiered.";
  static final String MANAGER = PREFIX + "class";
  static final String MODE = PREFIX + "mode";
  static final String RECHECK_MS = PREFIX + "recheck.ms";
  static final long DEFAULT_RECHECK_MS = 900_000;

  private static final List<String> NAMES = List.of(MANAGER, MODE, RECHECK_MS);

  /**
   * Reads the settings.
   *
   * @throws ConfigException if a name is unknown, or a value is missing or wrong
   */
  static TieredSettings read(Map<String, ?> configs) {
    Map<String, Object> passed = new TreeMap<>();
    configs.forEach(
        (name, value) -> {
          if (!name.startsWith(PREFIX)) {
            passed.put(name, value);
          } else if (!NAMES.contains(name)) {
            throw new ConfigException("unknown name " + name + "; known names are " + NAMES);
          }
        });
    String manager = text(configs, MANAGER);
    if (manager == null) {
      throw new ConfigException(MANAGER + " is missing: name the class of your storage manager");
    }
    return new TieredSettings(
        manager, mode(text(configs, MODE)), recheckMs(text(configs, RECHECK_MS)), passed);
  }

  private static @Nullable String text(Map<String, ?> configs, String name) {
    Object value = configs.get(name);
    String text = value == null ? "" : value.toString().trim();
    return text.isEmpty() ? null : text;
  }

  private static Mode mode(@Nullable String text) {
    for (Mode mode : Mode.values()) {
      if (mode.text().equals(text)) {
        return mode;
      }
    }
    if (text != null) {
      String known = Arrays.stream(Mode.values()).map(Mode::text).collect(Collectors.joining(", "));
      throw new ConfigException(MODE, text, "must be one of " + known);
    }
    return Mode.OBSERVE;
  }

  private static long recheckMs(@Nullable String text) {
    if (text == null) {
      return DEFAULT_RECHECK_MS;
    }
    try {
      long value = Long.parseLong(text);
      if (value >= 0) {
        return value;
      }
    } catch (NumberFormatException e) {
      // The same mistake as a negative number.
    }
    throw new ConfigException(RECHECK_MS, text, "must be a number of milliseconds, 0 or more");
  }
}
