// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.preflight;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The check of the JVM that starts the broker, and of its options. */
final class JvmCheck {
  private static final String JAVA = "Java";
  private static final String OPTIONS = "Options";
  private static final int OLDEST = 17;

  /** Options of the JVM whose value is a separate word. */
  private static final Set<String> WITH_VALUE =
      Set.of(
          "--add-exports",
          "--add-modules",
          "--add-opens",
          "--add-reads",
          "--limit-modules",
          "--module-path",
          "--patch-module",
          "--upgrade-module-path",
          "-p");

  private static final Set<String> CLASS_PATH = Set.of("-cp", "-classpath", "--class-path");

  private JvmCheck() {}

  static void check(BrokerStart start, Findings findings) {
    checkVersion(start, findings);
    checkWords(start, findings);
    if (start.opensJmxPort()) {
      findings.note(
          OPTIONS,
          "JMX_PORT without KAFKA_JMX_OPTS opens a port without password or TLS on every network");
    }
  }

  private static void checkVersion(BrokerStart start, Findings findings) {
    Path home = start.javaHome();
    if (home != null && !Files.isExecutable(start.java())) {
      findings.fix(JAVA, "JAVA_HOME has no bin/java: " + home);
      return;
    }
    String version = home == null ? System.getProperty("java.version") : released(home);
    String source =
        home == null ? ", which runs this command (JAVA_HOME is not set)" : ", of JAVA_HOME";
    if (version == null) {
      findings.note(JAVA, "the version of " + home + " is unknown; it must be 17 or newer");
    } else if (feature(version) < OLDEST) {
      findings.fix(JAVA, version + source + ": the jar needs Java 17 or newer");
    } else {
      findings.ok(JAVA, version + source);
    }
  }

  private static @Nullable String released(Path home) {
    Properties release = new Properties();
    try (var in = Files.newBufferedReader(home.resolve("release"))) {
      release.load(in);
    } catch (IOException | IllegalArgumentException e) {
      return null;
    }
    String version = release.getProperty("JAVA_VERSION");
    return version == null ? null : version.replace("\"", "");
  }

  /** {@return the feature version: 8 of 1.8.0_400, 17 of 17.0.12} */
  private static int feature(String version) {
    String[] parts = version.split("\\D+", -1);
    String feature = parts.length > 1 && parts[0].equals("1") ? parts[1] : parts[0];
    return feature.isEmpty() ? 0 : Integer.parseInt(feature);
  }

  private static void checkWords(BrokerStart start, Findings findings) {
    for (Iterator<String> words = start.options().iterator(); words.hasNext(); ) {
      String word = words.next();
      if (CLASS_PATH.contains(word)) {
        findings.fix(OPTIONS, word + " in KAFKA_OPTS replaces CLASSPATH: remove it");
      }
      boolean hasValue = CLASS_PATH.contains(word) || WITH_VALUE.contains(word);
      if (hasValue && words.hasNext()) {
        words.next();
      } else if (!word.startsWith("-") && !word.startsWith("@")) {
        findings.fix(
            OPTIONS,
            "Java takes the word "
                + word
                + " for a class, so the broker does not start: Kafka's script splits options at"
                + " spaces, also in paths and quotes");
      }
    }
  }
}
