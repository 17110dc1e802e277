// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.management;

import io.github.batchvalidator.dropin.offlock.OffLockCounts;
import io.github.batchvalidator.dropin.rules.PolicyWatch;
import io.github.batchvalidator.dropin.shadow.ShadowCounts;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.RebuildCause;
import io.github.batchvalidator.watch.Counts;
import io.github.batchvalidator.watch.Histogram;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The bean that exports the counts over JMX. Safe for all threads. */
public final class DropInBean implements DropInMXBean {
  private static final Logger LOG = LoggerFactory.getLogger(DropInBean.class);

  private final String kafkaLine;
  private final String settings;
  private final Counts counts;
  private final @Nullable ShadowCounts shadow;
  private final OffLockCounts offLock;
  private final @Nullable PolicyWatch policy;

  // Not public: JMX would list the constructor, and load the class of each parameter.
  DropInBean(
      String kafkaLine,
      String settings,
      Counts counts,
      @Nullable ShadowCounts shadow,
      OffLockCounts offLock,
      @Nullable PolicyWatch policy) {
    this.kafkaLine = kafkaLine;
    this.settings = settings;
    this.counts = counts;
    this.shadow = shadow;
    this.offLock = offLock;
    this.policy = policy;
  }

  /**
   * Registers a bean with the JVM's platform server. A failure is only logged.
   *
   * @param kafkaLine the Kafka line of the jar
   * @param settings the settings, in the format of the broker's log
   * @param counts the counts of batches
   * @param shadow the counts of shadow mode, or null if it is off
   * @param offLock the counts of the agent's appends
   * @param policy the watch of the policy file, or null if there is none
   */
  public static void register(
      String kafkaLine,
      String settings,
      Counts counts,
      @Nullable ShadowCounts shadow,
      OffLockCounts offLock,
      @Nullable PolicyWatch policy) {
    new DropInBean(kafkaLine, settings, counts, shadow, offLock, policy)
        .register(ManagementFactory::getPlatformMBeanServer);
  }

  /**
   * Registers the bean. A failure is only logged, because a broker without JMX must still append.
   * If the jar was loaded twice, the first bean stays registered. A name per copy would keep unused
   * class loaders alive.
   *
   * @param server returns the server to register with
   * @return true if the bean is registered
   */
  boolean register(Supplier<MBeanServer> server) {
    try {
      server.get().registerMBean(this, new ObjectName(NAME));
      return true;
    } catch (InstanceAlreadyExistsException e) {
      LOG.warn("{} shows another copy of Batch Validator, which was loaded earlier", NAME);
    } catch (JMException | RuntimeException | LinkageError e) {
      LOG.warn("{} cannot be registered; JMX shows no counts", NAME, e);
    }
    return false;
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
    return byName(Codec.values(), counts::accepted);
  }

  @Override
  public Map<String, Long> getRefusedByCodec() {
    Map<String, Long> found = byName(Codec.values(), counts::refusedOf);
    found.put("UNKNOWN", counts.refusedOf(null));
    return found;
  }

  @Override
  public Map<String, Long> getRefusedByReason() {
    return byName(Reason.values(), counts::refused);
  }

  @Override
  public Map<String, Long> getFoundByReason() {
    Reason[] findings =
        Arrays.stream(Reason.values()).filter(Reason::isFinding).toArray(Reason[]::new);
    return byName(findings, counts::found);
  }

  @Override
  public Map<String, Long> getRebuiltByCause() {
    return byName(RebuildCause.values(), counts::rebuilt);
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
    return offLock.stamped();
  }

  @Override
  public Map<String, Long> getOffLockFallbacks() {
    return offLock.fallbacks();
  }

  @Override
  public String getPolicyFile() {
    return policy == null ? "" : policy.file().toString();
  }

  @Override
  public String getPolicyError() {
    return policy == null ? "" : policy.state().error();
  }

  @Override
  public long getPolicyLoadedAtMs() {
    return policy == null ? 0 : policy.state().loadedAtMs();
  }

  @Override
  public String[] getPolicySections() {
    return policy == null ? new String[0] : policy.sections().toArray(String[]::new);
  }

  @Override
  public Map<String, Long> getRefusedBySection() {
    return policy == null ? Map.of() : policy.counts().refused();
  }

  @Override
  public Map<String, Long> getFoundBySection() {
    return policy == null ? Map.of() : policy.counts().found();
  }

  @Override
  public String reloadPolicy() {
    return policy == null ? "there is no policy file" : policy.reload();
  }

  private static <E extends Enum<E>> Map<String, Long> byName(E[] keys, ToLongFunction<E> count) {
    Map<String, Long> found = new TreeMap<>();
    for (E key : keys) {
      found.put(key.name(), count.applyAsLong(key));
    }
    return found;
  }

  private static Map<Long, Long> map(Histogram histogram) {
    Map<Long, Long> found = new TreeMap<>();
    for (int i = 0; i < histogram.buckets(); i++) {
      found.put(histogram.upperBound(i), histogram.count(i));
    }
    return found;
  }
}
