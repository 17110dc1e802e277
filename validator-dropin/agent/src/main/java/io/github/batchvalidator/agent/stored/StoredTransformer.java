// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.stored;

import io.github.batchvalidator.agent.BrokerLog;
import io.github.batchvalidator.agent.VisibleClasses;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A transformer that changes {@code LogSegment}, {@code LogLoader} and {@code Cleaner} when they
 * are loaded. Of the parts that are on, those are active whose code is known. For each of the
 * others, the transformer logs the reason in one line. Never throws. Thread-safe.
 */
final class StoredTransformer implements ClassFileTransformer {
  private final KnownCode known;
  private final Set<Part> parts;
  private final BrokerLog log;
  private final ClassLoader own;
  private @Nullable Set<Part> active;

  StoredTransformer(KnownCode known, Set<Part> parts, BrokerLog log) {
    this(known, parts, log, StoredTransformer.class.getClassLoader());
  }

  StoredTransformer(KnownCode known, Set<Part> parts, BrokerLog log, ClassLoader own) {
    this.known = known;
    this.parts = parts;
    this.log = log;
    this.own = own;
  }

  /**
   * Warns if a class is loaded already, for example from an AOT cache.
   *
   * @param loaded all loaded classes of the JVM
   */
  void warnIfLoaded(Class<?>[] loaded) {
    for (Class<?> each : loaded) {
      if (isChanged(each.getName().replace('.', '/'))) {
        warn(each.getName() + " was loaded before it, for example from an AOT cache");
        return;
      }
    }
  }

  /** {@return true for the classes that parts change} */
  static boolean isChanged(@Nullable String name) {
    return SegmentCode.OWNER.equals(name)
        || LoaderCode.OWNER.equals(name)
        || CleanerCode.OWNER.equals(name);
  }

  private void warn(String why) {
    parts.forEach(part -> log.warn(part.inactive(why)));
  }

  @Override
  @SuppressWarnings("ReturnsNullArray") // null means: no change
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] bytes) {
    if (!isChanged(name) || redefined != null) {
      return null;
    }
    try {
      return change(name, activeIn(loader), bytes);
    } catch (RuntimeException | LinkageError e) {
      warn("it cannot read " + name + ", " + e);
      return null;
    }
  }

  /** Returns the changed class file, or null if no active part changes the class. */
  @SuppressWarnings("ReturnsNullArray") // null means: no change
  private static byte @Nullable [] change(@Nullable String name, Set<Part> here, byte[] bytes) {
    if (LoaderCode.OWNER.equals(name)) {
      return here.contains(Part.KEEP) ? LoaderCode.change(bytes) : null;
    }
    if (CleanerCode.OWNER.equals(name)) {
      return here.contains(Part.COMPACTION) ? CleanerCode.change(bytes) : null;
    }
    boolean recovers = here.contains(Part.RECOVERY) || here.contains(Part.KEEP);
    return recovers ? SegmentCode.change(bytes, here) : null;
  }

  /** Returns the active parts, which the first of the classes decides for all. */
  private synchronized Set<Part> activeIn(@Nullable ClassLoader loader) {
    Set<Part> found = active;
    if (found == null) {
      found = EnumSet.noneOf(Part.class);
      active = found; // also if a check throws
      if (loader != own) {
        warn("Kafka's classes have another class loader than the agent");
        return found;
      }
      for (Part each : parts) {
        if (isKnown(each, new VisibleClasses(loader))) {
          found.add(each);
        }
      }
    }
    return found;
  }

  private boolean isKnown(Part part, VisibleClasses classes) {
    try {
      List<String> versions = known.versionsOf(part.label(), classes);
      StoredSide.knows(versions);
      log.info(part.active(StoredSide.text(versions)));
      return true;
    } catch (UnknownCodeException e) {
      log.warn(part.inactive(String.valueOf(e.getMessage())));
      return false;
    }
  }
}
