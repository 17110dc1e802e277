// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent;

import java.lang.instrument.Instrumentation;
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
    AppendTransformer transformer = new AppendTransformer(new BrokerLog());
    instrumentation.addTransformer(transformer);
    transformer.warnIfLoaded(instrumentation.getAllLoadedClasses());
  }
}
