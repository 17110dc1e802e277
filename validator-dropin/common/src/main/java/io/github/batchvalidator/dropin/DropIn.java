// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import io.github.batchvalidator.dropin.append.AppendRuntime;
import io.github.batchvalidator.dropin.append.ValidatorPool;
import io.github.batchvalidator.dropin.management.DropInBean;
import io.github.batchvalidator.dropin.management.FindingLog;
import io.github.batchvalidator.dropin.management.RefusalsAndFindings;
import io.github.batchvalidator.dropin.offlock.OffLockInspector;
import io.github.batchvalidator.dropin.policies.TopicPolicies;
import io.github.batchvalidator.dropin.rules.PolicyWatch;
import io.github.batchvalidator.dropin.settings.Settings;
import io.github.batchvalidator.dropin.shadow.Shadow;
import io.github.batchvalidator.dropin.shadow.ShadowCounts;
import io.github.batchvalidator.watch.ValidationCounts;
import io.github.batchvalidator.watch.ValidationListener;
import java.util.Objects;
import java.util.function.Supplier;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The drop-in of a broker: reads the settings once and connects append path, off-lock inspection,
 * shadow mode, and counts.
 *
 * <p>Wrong settings stop the start of a broker ({@link StartCheck}). Where they did not, every
 * append fails with the same message. An exception during the initialization of this class would
 * not do this: only the first append would get its message.
 */
public final class DropIn {
  private static final Logger LOG = LoggerFactory.getLogger(DropIn.class);

  private static final DropIn SHARED = new DropIn(Settings::ofJvm);

  private final @Nullable Settings settings;
  private final @Nullable RefusedSettings refused;
  private final @Nullable AppendRuntime runtime;
  private final @Nullable Shadow shadow;
  private final OffLockInspector offLock;
  private final @Nullable PolicyWatch watch;
  private final ValidationCounts counts = new ValidationCounts();

  DropIn(Supplier<Settings> properties) {
    Settings read = null;
    RefusedSettings wrong = null;
    try {
      read = properties.get();
    } catch (ConfigException e) {
      wrong = new RefusedSettings(String.valueOf(e.getMessage()));
    }
    settings = read;
    refused = wrong;
    if (read == null) {
      shadow = null;
      offLock = new OffLockInspector(null);
      watch = null;
      runtime = null;
      return;
    }
    TopicPolicies policies = new TopicPolicies(read.byDefault());
    watch = read.policy() == null ? null : new PolicyWatch(read.policy(), policies);
    ValidationListener noted = new FindingLog(counts).and(ValidationListener.flightRecorder());
    ValidationListener listener = counts.and(new RefusalsAndFindings(noted));
    if (watch != null) {
      watch.reload();
      listener = listener.and(watch.counts());
    }
    ValidatorPool validators = new ValidatorPool(read.recordErrors(), read.gzip(), listener);
    shadow = read.shadow() ? Shadow.link(DropIn.class.getClassLoader()) : null;
    boolean answers = shadow == null || !shadow.isLinked();
    offLock = new OffLockInspector(read.offLock() && answers ? validators : null);
    runtime = new AppendRuntime(policies, validators, offLock::current);
  }

  /**
   * Registers the JMX bean and logs one line with the Kafka line and the settings. Never throws,
   * because the caller is a class initializer: if that failed, the broker could not append.
   *
   * @param line the Kafka line of the jar
   */
  public static void announce(String line) {
    announce(line, LOG);
  }

  static void announce(String line, Logger log) {
    try {
      SHARED.registerAndLog(line, log);
    } catch (RuntimeException | Error e) {
      // The log itself failed, so the failure cannot be logged.
    }
  }

  void registerAndLog(String line, Logger log) {
    if (refused != null) {
      refused.logRepeatedly(line, log);
    }
    Settings read = settings;
    if (read == null) {
      return;
    }
    Shadow mode = shadow;
    ShadowCounts compared = mode == null ? null : mode.counts();
    PolicyWatch rules = watch;
    if (rules != null) {
      rules.start();
    }
    DropInBean.register(line, read.describe(), counts, compared, offLock.counts(), rules);
    String role = mode == null ? "takes the place of LogValidator" : mode.describe();
    if (offLock.isEnabled() && offLock.isEntered()) {
      role += ", inspects before the partition's lock";
    }
    if (mode == null || mode.isLinked()) {
      log.info("Batch Validator for Kafka {} {}: {}", line, role, read.describe());
    } else {
      log.error("Batch Validator for Kafka {} {}: {}", line, role, read.describe());
    }
    if (!read.ignored().isEmpty()) {
      log.warn(
          "Batch Validator ignores names in the file of {} that do not start with {}: {}",
          Settings.CONFIG,
          Settings.PREFIX,
          read.ignored());
    }
  }

  /**
   * {@return what all appends of this broker share}
   *
   * @throws NotEnoughReplicasException if the settings are wrong, so that producers retry
   */
  public static AppendRuntime runtime() {
    AppendRuntime runtime = SHARED.runtime;
    if (runtime == null) {
      throw Objects.requireNonNull(SHARED.refused).answer();
    }
    return runtime;
  }

  /** {@return the counts of this broker's batches} */
  public static ValidationCounts counts() {
    return SHARED.counts;
  }

  /**
   * {@return shadow mode; null if it is off, or if Kafka's class was not found and ours answers}
   */
  public static @Nullable Shadow shadow() {
    Shadow mode = SHARED.shadow;
    return mode != null && mode.isLinked() ? mode : null;
  }

  /** {@return the inspector that the agent calls; in shadow mode it inspects nothing} */
  public static OffLockInspector offLock() {
    return SHARED.offLock;
  }
}
