// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;

/**
 * Changes {@code UnifiedLog} when it is loaded, or says in one line why it is left as it is. It
 * never throws. Safe for all threads.
 */
final class AppendTransformer implements ClassFileTransformer {
  private static final String JAVA = "org/apache/kafka/storage/internals/log/UnifiedLog";

  /** The log up to Kafka 4.0, where the one above has other things in it or is not there. */
  private static final String SCALA = "kafka/log/UnifiedLog";

  private final BrokerLog log;

  AppendTransformer(BrokerLog log) {
    this.log = log;
  }

  /**
   * Says so if the log is loaded already, as it is by a JVM with an AOT cache that has it.
   *
   * @param loaded all classes of the JVM
   */
  void lookFor(Class<?>[] loaded) {
    for (Class<?> each : loaded) {
      String name = each.getName().replace('.', '/');
      if (JAVA.equals(name) || SCALA.equals(name)) {
        log.warn(
            "Batch Validator's agent does nothing: "
                + name
                + " was loaded before it, as from an AOT cache that was trained without it");
        return;
      }
    }
  }

  @Override
  @SuppressWarnings("ReturnsNullArray") // that is how a transformer says no
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] bytes) {
    boolean isLog = JAVA.equals(name) || SCALA.equals(name);
    if (!isLog || redefined != null) {
      return null;
    }
    try {
      LoadedBy others = new LoadedBy(loader);
      if (JAVA.equals(name) && others.has(SCALA)) {
        return null;
      }
      byte[] changed = AppendCode.change(bytes, others);
      log.info("Batch Validator's agent inspects before the partition's lock: changed " + name);
      return changed;
    } catch (UnexpectedCodeException e) {
      log.warn("Batch Validator's agent does nothing: " + e.getMessage());
    } catch (RuntimeException | LinkageError e) {
      log.warn("Batch Validator's agent does nothing: it cannot read " + name + ", " + e);
    }
    return null;
  }
}
