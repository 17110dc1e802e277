// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.RebuildCause;
import io.github.batchvalidator.watch.Counts;
import io.github.batchvalidator.watch.Histogram;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Shows counts over JMX. Safe for all threads. */
final class DropInBean implements DropInMXBean {
  private static final Logger LOG = LoggerFactory.getLogger(DropInBean.class);

  private final String kafkaLine;
  private final String settings;
  private final Counts counts;
  private final @Nullable ShadowCounts shadow;

  DropInBean(String kafkaLine, String settings, Counts counts, @Nullable ShadowCounts shadow) {
    this.kafkaLine = kafkaLine;
    this.settings = settings;
    this.counts = counts;
    this.shadow = shadow;
  }

  /**
   * Registers the bean. Whatever is wrong with that is logged and no more: a broker that cannot be
   * watched still has to append. Of a jar that was loaded twice the first to append is shown; a
   * name for each would keep class loaders alive that nobody uses any more.
   *
   * @param server finds that of the broker
   * @return true if the bean is registered
   */
  boolean register(Supplier<MBeanServer> server) {
    try {
      server.get().registerMBean(this, new ObjectName(NAME));
      return true;
    } catch (InstanceAlreadyExistsException e) {
      LOG.warn("{} shows another copy of Batch Validator, whose jar was loaded before", NAME);
    } catch (JMException | RuntimeException | LinkageError e) {
      LOG.warn("{} cannot be registered, so that JMX shows no counts", NAME, e);
    }
    return false;
  }

  /** Registers the bean where a broker's tools look for it. */
  void register() {
    register(ManagementFactory::getPlatformMBeanServer);
  }

  @Override
  public String getKafkaLine() {
    return kafkaLine;
  }

  @Override
  public String getSettings() {
    return settings;
  }

  @Override
  public long getAccepted() {
    return counts.accepted();
  }

  @Override
  public long getRefused() {
    return counts.refused();
  }

  @Override
  public Map<String, Long> getAcceptedByCodec() {
    Map<String, Long> found = new TreeMap<>();
    for (Codec codec : Codec.values()) {
      found.put(codec.name(), counts.accepted(codec));
    }
    return found;
  }

  @Override
  public Map<String, Long> getRefusedByCodec() {
    Map<String, Long> found = new TreeMap<>();
    for (Codec codec : Codec.values()) {
      found.put(codec.name(), counts.refusedOf(codec));
    }
    found.put("UNKNOWN", counts.refusedOf(null));
    return found;
  }

  @Override
  public Map<String, Long> getRefusedByReason() {
    Map<String, Long> found = new TreeMap<>();
    for (Reason reason : Reason.values()) {
      found.put(reason.name(), counts.refused(reason));
    }
    return found;
  }

  @Override
  public Map<String, Long> getFoundByReason() {
    Map<String, Long> found = new TreeMap<>();
    for (Reason reason : Reason.values()) {
      if (reason.level() == Level.STRICT) {
        found.put(reason.name(), counts.found(reason));
      }
    }
    return found;
  }

  @Override
  public Map<String, Long> getRebuiltByCause() {
    Map<String, Long> found = new TreeMap<>();
    for (RebuildCause cause : RebuildCause.values()) {
      found.put(cause.name(), counts.rebuilt(cause));
    }
    return found;
  }

  @Override
  public Map<Long, Long> getPlainBytes() {
    return map(counts.plainBytes());
  }

  @Override
  public Map<Long, Long> getRatio() {
    return map(counts.ratio());
  }

  @Override
  public long getShadowAppends() {
    return shadow == null ? 0 : shadow.appends();
  }

  @Override
  public long getShadowDiffering() {
    return shadow == null ? 0 : shadow.differing();
  }

  @Override
  public Map<String, Long> getShadowDifferences() {
    return shadow == null ? Map.of() : shadow.kinds();
  }

  @Override
  public long getOffLockStamped() {
    return OffLock.counts().stamped();
  }

  @Override
  public Map<String, Long> getOffLockFallbacks() {
    return OffLock.counts().fallbacks();
  }

  private static Map<Long, Long> map(Histogram histogram) {
    Map<Long, Long> found = new TreeMap<>();
    for (int i = 0; i < histogram.buckets(); i++) {
      found.put(histogram.upperBound(i), histogram.count(i));
    }
    return found;
  }
}
