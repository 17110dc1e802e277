// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.stored;

import io.github.batchvalidator.agent.BrokerLog;
import io.github.batchvalidator.agent.VisibleClasses;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;

/**
 * A transformer that changes {@code LogSegment} when the class is loaded. If the code is not known,
 * the transformer changes nothing and logs the reason in one line. Never throws. Thread-safe.
 */
final class StoredTransformer implements ClassFileTransformer {
  /** The name of the part that replaces the scan of a segment, as in the table of known code. */
  static final String RECOVERY = "recovery";

  private static final String NOTHING = "Batch Validator's agent leaves recovery to Kafka: ";

  private final KnownCode known;
  private final BrokerLog log;
  private final ClassLoader own;

  StoredTransformer(KnownCode known, BrokerLog log) {
    this(known, log, StoredTransformer.class.getClassLoader());
  }

  StoredTransformer(KnownCode known, BrokerLog log, ClassLoader own) {
    this.known = known;
    this.log = log;
    this.own = own;
  }

  /**
   * Warns if the class is loaded already, for example from an AOT cache.
   *
   * @param loaded all loaded classes of the JVM
   */
  void warnIfLoaded(Class<?>[] loaded) {
    for (Class<?> each : loaded) {
      if (each.getName().replace('.', '/').equals(SegmentCode.OWNER)) {
        log.warn(NOTHING + each.getName() + " was loaded before it, for example from an AOT cache");
      }
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
    if (!SegmentCode.OWNER.equals(name) || redefined != null) {
      return null;
    }
    try {
      return change(loader, bytes);
    } catch (UnknownCodeException e) {
      log.warn(NOTHING + e.getMessage());
    } catch (RuntimeException | LinkageError e) {
      log.warn(NOTHING + "it cannot read " + name + ", " + e);
    }
    return null;
  }

  /** Returns the changed class, whose loader must find both Kafka and this agent. */
  private byte @Nullable [] change(@Nullable ClassLoader loader, byte[] bytes)
      throws UnknownCodeException {
    if (loader != own) {
      log.warn(NOTHING + "Kafka's classes have another class loader than the agent");
      return null;
    }
    String version = known.versionOf(RECOVERY, new VisibleClasses(loader));
    byte[] changed = SegmentCode.change(bytes);
    StoredSide.knows(version);
    log.info("Batch Validator's agent recovers segments in one pass: knows Kafka " + version);
    return changed;
  }
}
