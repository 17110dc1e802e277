// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent;

import java.lang.instrument.Instrumentation;
import org.jspecify.annotations.Nullable;

/** What {@code -javaagent} starts. */
public final class OffLockAgent {
  private OffLockAgent() {}

  /**
   * Waits for Kafka's {@code UnifiedLog} to be loaded.
   *
   * @param arguments none are known; what can be set is set for the drop-in
   * @param instrumentation of the JVM
   */
  public static void premain(@Nullable String arguments, Instrumentation instrumentation) {
    AppendTransformer transformer = new AppendTransformer(new BrokerLog());
    instrumentation.addTransformer(transformer);
    transformer.lookFor(instrumentation.getAllLoadedClasses());
  }
}
