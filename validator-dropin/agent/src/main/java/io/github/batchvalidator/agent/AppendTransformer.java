// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Changes {@code UnifiedLog} when it is loaded, or says in one line why it is left as it is. It
 * never throws. Safe for all threads.
 */
final class AppendTransformer implements ClassFileTransformer {
  /** Up to Kafka 4.0 the class was written in Scala. */
  private static final Set<String> NAMES =
      Set.of("org/apache/kafka/storage/internals/log/UnifiedLog", "kafka/log/UnifiedLog");

  private final BrokerLog log;

  AppendTransformer(BrokerLog log) {
    this.log = log;
  }

  @Override
  @SuppressWarnings("ReturnsNullArray") // that is how a transformer says no
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] bytes) {
    if (name == null || !NAMES.contains(name) || redefined != null) {
      return null;
    }
    try {
      byte[] changed = AppendCode.change(bytes, new LoadedBy(loader));
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
