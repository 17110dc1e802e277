// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent;

import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;

/**
 * A transformer that changes {@code UnifiedLog} when the class is loaded. If the class cannot be
 * changed, the transformer logs the reason in one line. Never throws. Thread-safe.
 */
final class AppendTransformer implements ClassFileTransformer {
  private static final String JAVA_LOG = "org/apache/kafka/storage/internals/log/UnifiedLog";

  /**
   * The log class up to Kafka 4.0. In these versions {@link #JAVA_LOG} is missing or is not the
   * class that appends.
   */
  private static final String SCALA_LOG = "kafka/log/UnifiedLog";

  private static final String NOTHING =
      "Batch Validator's agent does not inspect before the partition's lock: ";

  private final BrokerLog log;

  AppendTransformer(BrokerLog log) {
    this.log = log;
  }

  /**
   * Warns if the log class is loaded already, for example from an AOT cache.
   *
   * @param loaded all loaded classes of the JVM
   */
  void warnIfLoaded(Class<?>[] loaded) {
    for (Class<?> each : loaded) {
      String name = each.getName().replace('.', '/');
      if (JAVA_LOG.equals(name) || SCALA_LOG.equals(name)) {
        log.warn(
            NOTHING
                + name
                + " was loaded before it, for example from an AOT cache that was trained without"
                + " it");
        return;
      }
    }
  }

  /**
   * Transforms the log class of a broker without loading it, and logs as when it is loaded.
   *
   * @param broker finds the class
   * @throws IOException if the class cannot be read
   */
  void transformIn(ClassLoader broker) throws IOException {
    VisibleClasses classes = new VisibleClasses(broker);
    String name = classes.has(SCALA_LOG) ? SCALA_LOG : JAVA_LOG;
    if (classes.has(name)) {
      transform(broker, name, null, null, classes.bytes(name));
    } else {
      log.warn(NOTHING + "no UnifiedLog is on the class path");
    }
  }

  @Override
  @SuppressWarnings("ReturnsNullArray") // null means: no change
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] bytes) {
    boolean isLog = JAVA_LOG.equals(name) || SCALA_LOG.equals(name);
    if (!isLog || redefined != null) {
      return null;
    }
    try {
      VisibleClasses others = new VisibleClasses(loader);
      if (JAVA_LOG.equals(name) && others.has(SCALA_LOG)) {
        return null;
      }
      byte[] changed = AppendCode.change(bytes, others);
      log.info("Batch Validator's agent inspects before the partition's lock: changed " + name);
      return changed;
    } catch (UnexpectedCodeException e) {
      log.warn(NOTHING + e.getMessage());
    } catch (RuntimeException | LinkageError e) {
      log.warn(NOTHING + "it cannot read " + name + ", " + e);
    }
    return null;
  }
}
