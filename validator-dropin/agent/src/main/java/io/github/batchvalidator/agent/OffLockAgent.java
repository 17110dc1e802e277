// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent;

import io.github.batchvalidator.agent.compaction.CompactionBean;
import io.github.batchvalidator.agent.keep.CutBean;
import io.github.batchvalidator.agent.keep.KeptPlace;
import io.github.batchvalidator.agent.stored.StoredSettings;
import io.github.batchvalidator.agent.stored.StoredSide;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The entry point for {@code -javaagent}. */
public final class OffLockAgent {
  private OffLockAgent() {}

  /**
   * Installs a transformer that changes Kafka's {@code UnifiedLog} when the class is loaded.
   *
   * @param arguments ignored; all settings belong to the drop-in
   * @param instrumentation the instrumentation of the JVM
   */
  public static void premain(@Nullable String arguments, Instrumentation instrumentation) {
    BrokerLog log = new BrokerLog();
    AppendTransformer transformer = new AppendTransformer(log);
    instrumentation.addTransformer(transformer);
    transformer.warnIfLoaded(instrumentation.getAllLoadedClasses());
    registerBeans(StoredSide.install(instrumentation, log), log);
  }

  /** Monitoring should see 0 before the first cut and the first compaction. */
  private static void registerBeans(StoredSettings settings, BrokerLog log) {
    if (settings.keep() != StoredSettings.Mode.OFF) {
      CutBean.register(log);
    }
    if (settings.compaction() != StoredSettings.Mode.OFF) {
      CompactionBean.register(log);
    }
  }

  /**
   * Examines a broker for the preflight of the drop-in, which calls this method by name.
   *
   * @param broker a class loader with the class path of the broker; it loads no class
   * @return an empty text, or the warning that the agent would log
   * @throws IOException if the class path cannot be read
   */
  public static String examine(ClassLoader broker) throws IOException {
    StringBuilder warning = new StringBuilder();
    BrokerLog log =
        new BrokerLog() {
          @Override
          public void info(String message) {
            warning.setLength(0);
          }

          @Override
          public void warn(String message) {
            warning.append(message);
          }
        };
    new AppendTransformer(log).transformIn(broker);
    return warning.toString();
  }

  /**
   * Examines the parts for stored batches, for the preflight of the drop-in, which calls this
   * method by name. Reads the settings of this JVM.
   *
   * @param broker a class loader with the class path of the broker; it loads no class
   * @param logs the broker's log directories, or nothing if they are not known
   * @return sentences that start with {@code ok}, {@code note} or {@code FIX}; none if all parts
   *     are off
   * @throws IOException if the class path cannot be read
   */
  public static List<String> examineStored(ClassLoader broker, List<Path> logs) throws IOException {
    try {
      StoredSettings settings = StoredSettings.read(System.getProperties());
      List<String> answers = new ArrayList<>();
      if (settings.isOn()) {
        answers.add(StoredSide.examine(settings, new VisibleClasses(broker)));
      }
      answers.addAll(KeptPlace.examine(settings, logs));
      return answers;
    } catch (IllegalArgumentException e) {
      return List.of("FIX " + e.getMessage());
    }
  }
}
