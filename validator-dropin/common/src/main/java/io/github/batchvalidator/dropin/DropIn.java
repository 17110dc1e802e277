// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import io.github.batchvalidator.watch.FlightRecorderEvents;
import io.github.batchvalidator.watch.ValidationCounts;
import io.github.batchvalidator.watch.ValidationListener;
import java.util.Properties;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What all appends of a broker share: settings read once, policies, and the pool of workers.
 *
 * <p>Wrong settings fail every append with the same sentence, not only the first one: a broker logs
 * the first failure of a class's initialization and then only that it failed.
 */
public final class DropIn {
  private static final Logger LOG = LoggerFactory.getLogger(DropIn.class);

  private static final DropIn SHARED = new DropIn(System.getProperties());

  private final @Nullable Settings settings;
  private final @Nullable String refusal;
  private final @Nullable Policies policies;
  private final @Nullable WorkerPool workers;
  private final ValidationCounts counts = new ValidationCounts();
  private final ValidationListener listener =
      counts.and(new FindingLog(counts)).and(new FlightRecorderEvents());
  private final @Nullable Shadow shadow;
  private final boolean offLock;

  DropIn(Properties properties) {
    Settings read = null;
    String why = null;
    try {
      read = Settings.read(properties);
    } catch (ConfigException e) {
      why = e.getMessage();
    }
    settings = read;
    refusal = why;
    policies = read == null ? null : new Policies(read.level(), read.observe(), read.limits());
    workers = read == null ? null : new WorkerPool(read.recordErrors(), read.gzip());
    shadow = read != null && read.shadow() ? Shadow.link(DropIn.class.getClassLoader()) : null;
    offLock = read != null && read.offLock() && (shadow == null || !shadow.isLinked());
    Refusals.prepare();
  }

  /**
   * Has JMX show the counts and writes one line to the broker's log, that the drop-in is in use,
   * and its settings. A log that fails is no reason to refuse all appends, which is what would
   * become of a class whose initialization fails.
   *
   * @param line of the jar
   */
  public static void announce(String line) {
    announce(line, LOG);
  }

  static void announce(String line, Logger log) {
    try {
      SHARED.tell(line, log);
    } catch (RuntimeException | Error e) {
      // nobody is left who could be told
    }
  }

  void tell(String line, Logger log) {
    Settings read = settings;
    if (read == null) {
      log.error("Batch Validator for Kafka {} refuses its settings: {}", line, refusal);
      return;
    }
    Shadow over = shadow;
    ShadowCounts compared = over == null ? null : over.counts();
    new DropInBean(line, read.describe(), counts, compared).register();
    String role = over == null ? "takes the place of LogValidator" : over.describe();
    if (offLock && OffLock.isHooked()) {
      role += ", inspects before the partition's lock";
    }
    if (over == null || over.isLinked()) {
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
   * {@return the policies of this broker}
   *
   * @throws ConfigException if the settings are wrong
   */
  public static Policies policies() {
    return SHARED.require(SHARED.policies);
  }

  /** {@return what this broker counted of its appends} */
  public static ValidationCounts counts() {
    return SHARED.counts;
  }

  /** {@return who is told of each batch, with its partition} */
  static ValidationListener listener() {
    return SHARED.listener;
  }

  /** {@return shadow mode, or null if it is off or Kafka's class was not found: ours answers} */
  public static @Nullable Shadow shadow() {
    Shadow over = SHARED.shadow;
    return over != null && over.isLinked() ? over : null;
  }

  /** {@return true if what the agent hands over is inspected: not in the shadow, which answers} */
  static boolean inspectsOffLock() {
    return SHARED.offLock;
  }

  /** {@return the workers of this broker} */
  static WorkerPool workers() {
    return SHARED.require(SHARED.workers);
  }

  private <T> T require(@Nullable T value) {
    if (value == null) {
      throw new ConfigException(refusal);
    }
    return value;
  }
}
