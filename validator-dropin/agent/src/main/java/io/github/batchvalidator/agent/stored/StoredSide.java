// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.stored;

import io.github.batchvalidator.agent.BrokerLog;
import io.github.batchvalidator.agent.VisibleClasses;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** Installs the parts of the agent for stored batches, which are all off unless they are set. */
public final class StoredSide {
  private static volatile List<String> known = List.of();
  private static volatile @Nullable StoredSettings installed;

  private StoredSide() {}

  /** Sets the versions of Kafka whose code an active part knows. */
  static synchronized void knows(List<String> versions) {
    known = common(known, versions);
  }

  /**
   * {@return the settings of the agent's start} The file of settings may have changed since.
   *
   * @throws IllegalArgumentException if the agent was not installed and the settings are wrong
   */
  public static StoredSettings settings() {
    StoredSettings found = installed;
    return found == null ? StoredSettings.read(System.getProperties()) : found;
  }

  /** {@return the version of Kafka whose code the broker has, or several with the same code} */
  public static String kafkaVersion() {
    return known.isEmpty() ? "unknown" : text(known);
  }

  /** {@return the versions that two parts have in common; those of one if the other has none} */
  static List<String> common(List<String> before, List<String> versions) {
    return before.isEmpty() ? versions : before.stream().filter(versions::contains).toList();
  }

  /** {@return the versions with the same code as a text} */
  static String text(List<String> versions) {
    return String.join(" or ", versions);
  }

  /**
   * Reads the settings and installs a transformer if a part is on. Wrong settings leave all parts
   * off, and a line of the log says so.
   *
   * @param instrumentation the instrumentation of the JVM
   * @param log the broker's log
   * @return the settings in use
   */
  public static StoredSettings install(Instrumentation instrumentation, BrokerLog log) {
    try {
      StoredSettings settings = StoredSettings.read(System.getProperties());
      installed = settings;
      if (settings.isOn()) {
        StoredTransformer transformer =
            new StoredTransformer(KnownCode.load(), settings.parts(), log);
        instrumentation.addTransformer(transformer);
        transformer.warnIfLoaded(instrumentation.getAllLoadedClasses());
      }
      return settings;
    } catch (IOException | IllegalArgumentException e) {
      log.warn("Batch Validator's agent leaves stored batches to Kafka: " + e.getMessage());
      return StoredSettings.read(new Properties());
    }
  }

  /**
   * Examines a broker without loading its classes.
   *
   * @param settings the settings, with at least one part
   * @param broker the classes of the broker
   * @return {@code ok} or {@code FIX} and a sentence
   * @throws IOException if the table of known code cannot be read
   */
  public static String examine(StoredSettings settings, VisibleClasses broker) throws IOException {
    List<String> labels = new ArrayList<>();
    List<String> versions = List.of();
    try {
      for (Part each : settings.parts()) {
        versions = common(versions, KnownCode.load().versionsOf(each.label(), broker));
        labels.add(each.label());
      }
      return "ok " + String.join(", ", labels) + ": the code is that of Kafka " + text(versions);
    } catch (UnknownCodeException e) {
      return "FIX stored batches would be left to Kafka: " + e.getMessage();
    }
  }
}
