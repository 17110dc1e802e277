// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.settings;

import io.github.batchvalidator.policy.PolicySection;
import io.github.batchvalidator.rule.GzipInflater;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.TopicRules;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;

/**
 * The settings of an operator: system properties that start with {@code batchvalidator.}, or the
 * same names in the properties file that {@code batchvalidator.config} names. A system property
 * overrides the file. Immutable.
 *
 * @param level the level of the rules
 * @param observe true to count at level kafka what level strict would refuse
 * @param limits the limits on the cost of a batch
 * @param recordErrors the number of failing records of a batch that the producer receives
 * @param gzip the inflater for gzip
 * @param shadow true for shadow mode
 * @param offLock false to ignore the agent's calls
 * @param policy the path of the policy file, or null
 * @param ignored the names in the properties file without the prefix, sorted
 */
public record Settings(
    Level level,
    boolean observe,
    Limits limits,
    int recordErrors,
    GzipInflater gzip,
    boolean shadow,
    boolean offLock,
    @Nullable Path policy,
    List<String> ignored) {
  /** The prefix of all names. */
  public static final String PREFIX = "batchvalidator.";

  /** The prefix of the agent's settings, which the agent checks. The drop-in ignores them. */
  public static final String OF_AGENT = PREFIX + "stored.";

  /** The name of the setting for the properties file. */
  public static final String CONFIG = PREFIX + "config";

  static final String LEVEL = PREFIX + "level";
  static final String OBSERVE = PREFIX + "observe";
  static final String GZIP = PREFIX + "gzip";
  static final String SHADOW = PREFIX + "shadow";
  static final String OFF_LOCK = PREFIX + "offLock";
  static final String POLICY = PREFIX + "policy";
  static final String LIMITS = PREFIX + "limits";
  static final String RECORD_ERRORS = LIMITS + ".recordErrors";

  private static final int DEFAULT_RECORD_ERRORS = 1 << 16;
  private static final int MOST_RECORD_ERRORS = 1 << 24;

  private static final Map<String, String> LEGAL = legal();

  private static @Nullable Settings ofJvm;

  /**
   * {@return the settings of this JVM, read with the first call that succeeds}
   *
   * @throws ConfigException as for {@link #read}
   */
  public static synchronized Settings ofJvm() {
    Settings settings = ofJvm;
    if (settings == null) {
      settings = read(System.getProperties());
      ofJvm = settings;
    }
    return settings;
  }

  /**
   * Reads the settings.
   *
   * @param system the system properties
   * @return the settings
   * @throws ConfigException if a name is unknown or a value is wrong; the message lists what is
   *     legal
   */
  public static Settings read(Properties system) {
    Map<String, String> given = new TreeMap<>();
    List<String> ignored = new ArrayList<>();
    String file = system.getProperty(CONFIG);
    if (file != null) {
      Properties loaded = SettingsFile.load(CONFIG, file);
      loaded.remove(CONFIG);
      collect(loaded, given);
      loaded.stringPropertyNames().stream()
          .filter(name -> !name.startsWith(PREFIX))
          .sorted()
          .forEach(ignored::add);
    }
    collect(system, given);
    for (String name : given.keySet()) {
      if (!LEGAL.containsKey(name)) {
        throw new ConfigException("Unknown setting " + name + "; known are " + LEGAL.keySet());
      }
    }
    Level level = level(given);
    boolean observe = flag(given, OBSERVE, false);
    if (observe && level == Level.STRICT) {
      throw new ConfigException(
          OBSERVE + " is for " + LEVEL + "=kafka; level strict refuses what it would only count");
    }
    return new Settings(
        level,
        observe,
        limits(given),
        recordErrors(given),
        gzip(given),
        flag(given, SHADOW, false),
        flag(given, OFF_LOCK, true),
        policy(given),
        List.copyOf(ignored));
  }

  /**
   * {@return true if a setting of the agent is given, as a system property or in the file of
   * settings} False if the file cannot be read, which {@link #read} reports.
   *
   * @param system the system properties
   */
  public static boolean hasOfAgent(Properties system) {
    Set<String> names = new HashSet<>(system.stringPropertyNames());
    String file = system.getProperty(CONFIG);
    try {
      if (file != null) {
        names.addAll(SettingsFile.load(CONFIG, file).stringPropertyNames());
      }
    } catch (ConfigException e) {
      return false;
    }
    return names.stream().anyMatch(name -> name.startsWith(OF_AGENT));
  }

  private static Map<String, String> legal() {
    Map<String, String> legal = new TreeMap<>();
    legal.put(CONFIG, "the path of a properties file");
    legal.put(LEVEL, "kafka or strict");
    legal.put(OBSERVE, "true or false");
    legal.put(GZIP, "jdk, java or auto");
    legal.put(SHADOW, "true or false");
    legal.put(OFF_LOCK, "true or false");
    legal.put(POLICY, "the path of a policy file");
    legal.put(LIMITS, Limits.PRESET_NAMES);
    for (Limit limit : Limit.values()) {
      legal.put(nameOf(limit), limit.legalValues());
    }
    legal.put(RECORD_ERRORS, "a whole number from 1 to " + MOST_RECORD_ERRORS);
    return legal;
  }

  /** {@return the name of the setting of a limit} */
  static String nameOf(Limit limit) {
    return LIMITS + "." + limit.label();
  }

  private static void collect(Properties from, Map<String, String> given) {
    for (String name : from.stringPropertyNames()) {
      if (name.startsWith(PREFIX) && !name.startsWith(OF_AGENT)) {
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

  private static boolean flag(Map<String, String> given, String name, boolean unlessGiven) {
    String value = given.getOrDefault(name, String.valueOf(unlessGiven));
    return switch (value) {
      case "true" -> true;
      case "false" -> false;
      default -> throw wrong(name, value);
    };
  }

  private static @Nullable Path policy(Map<String, String> given) {
    String value = given.get(POLICY);
    try {
      return value == null ? null : Path.of(value);
    } catch (InvalidPathException e) {
      throw wrong(POLICY, value);
    }
  }

  private static GzipInflater gzip(Map<String, String> given) {
    String value = given.getOrDefault(GZIP, GzipInflater.AUTO.label());
    GzipInflater named = GzipInflater.named(value);
    if (named == null) {
      throw wrong(GZIP, value);
    }
    return named;
  }

  /** A preset, and on top of it what is set by itself. */
  private static Limits limits(Map<String, String> given) {
    String preset = given.getOrDefault(LIMITS, "generous");
    Limits limits = Limits.preset(preset);
    if (limits == null) {
      throw wrong(LIMITS, preset);
    }
    for (Limit limit : Limit.values()) {
      String value = given.get(nameOf(limit));
      if (value != null) {
        limits = limits.with(limit, required(limit.parse(value), nameOf(limit), value));
      }
    }
    return limits;
  }

  private static int recordErrors(Map<String, String> given) {
    String value = given.getOrDefault(RECORD_ERRORS, String.valueOf(DEFAULT_RECORD_ERRORS));
    Long number = parse(value);
    boolean legal = number != null && number >= 1 && number <= MOST_RECORD_ERRORS;
    return (int) required(legal ? number : null, RECORD_ERRORS, value);
  }

  private static long required(@Nullable Long number, String name, String value) {
    if (number == null) {
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

  /** {@return the rules of topics that no section of the policy file matches} */
  public PolicySection byDefault() {
    return new PolicySection(
        PolicySection.DEFAULT_NAME, List.of(), level, observe, limits, TopicRules.NONE);
  }

  /** {@return all settings as names and values, for the log} */
  public String describe() {
    StringBuilder text = new StringBuilder();
    add(text, LEVEL, level.name().toLowerCase(Locale.ROOT));
    add(text, OBSERVE, observe);
    add(text, SHADOW, shadow);
    add(text, OFF_LOCK, offLock);
    add(text, GZIP, gzip.label());
    if (policy != null) {
      add(text, POLICY, policy);
    }
    for (Limit limit : Limit.values()) {
      add(text, nameOf(limit), limits.get(limit));
    }
    add(text, RECORD_ERRORS, recordErrors);
    return text.toString();
  }

  private static void add(StringBuilder text, String name, Object value) {
    text.append(text.isEmpty() ? "" : " ").append(name).append('=').append(value);
  }
}
