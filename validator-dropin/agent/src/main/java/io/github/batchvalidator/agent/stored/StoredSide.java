// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.stored;

import io.github.batchvalidator.agent.BrokerLog;
import io.github.batchvalidator.agent.VisibleClasses;
import java.io.IOException;
import java.lang.instrument.Instrumentation;

/** Installs the parts of the agent for stored batches, which are all off unless they are set. */
public final class StoredSide {
  private static volatile String kafkaVersion = "unknown";

  private StoredSide() {}

  /** Sets the version of Kafka whose code the broker has. */
  static void knows(String version) {
    kafkaVersion = version;
  }

  /** {@return the version of Kafka whose code the broker has} */
  public static String kafkaVersion() {
    return kafkaVersion;
  }

  /**
   * Reads the settings and installs a transformer if a part is on. Wrong settings leave all parts
   * off, and a line of the log says so.
   *
   * @param instrumentation the instrumentation of the JVM
   * @param log the broker's log
   */
  public static void install(Instrumentation instrumentation, BrokerLog log) {
    try {
      StoredSettings settings = StoredSettings.read(System.getProperties());
      if (settings.isOn()) {
        StoredTransformer transformer =
            new StoredTransformer(KnownCode.load(), settings.parts(), log);
        instrumentation.addTransformer(transformer);
        transformer.warnIfLoaded(instrumentation.getAllLoadedClasses());
      }
    } catch (IOException | IllegalArgumentException e) {
      log.warn("Batch Validator's agent leaves stored batches to Kafka: " + e.getMessage());
    }
  }

  /**
   * Examines a broker without loading its classes.
   *
   * @param broker the classes of the broker
   * @return an empty text if all parts are off, or {@code ok} or {@code FIX} and a sentence
   * @throws IOException if the table of known code cannot be read
   */
  public static String examine(VisibleClasses broker) throws IOException {
    try {
      StringBuilder parts = new StringBuilder();
      String version = "";
      for (Part each : StoredSettings.read(System.getProperties()).parts()) {
        version = KnownCode.load().versionOf(each.label(), broker);
        parts.append(parts.isEmpty() ? "" : ", ").append(each.label());
      }
      return parts.isEmpty() ? "" : "ok " + parts + ": the code is that of Kafka " + version;
    } catch (IllegalArgumentException e) {
      return "FIX " + e.getMessage();
    } catch (UnknownCodeException e) {
      return "FIX stored batches would be left to Kafka: " + e.getMessage();
    }
  }
}
