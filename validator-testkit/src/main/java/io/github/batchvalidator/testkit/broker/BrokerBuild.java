// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.broker;

import io.github.batchvalidator.dropin.management.DropInMXBean;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.management.MalformedObjectNameException;

/** The validator that a broker runs; the first three in the order of a rolling upgrade. */
public enum BrokerBuild {
  /** A stock broker. */
  KAFKA("stock", "kafka-storage-"),

  /** With the drop-in jar of its line first on the class path. */
  DROP_IN("drop-in jar", "validator-dropin-kafka-"),

  /** With the drop-in jar and the agent. */
  DROP_IN_AGENT("drop-in jar and agent", "validator-dropin-kafka-"),

  /** The fork of {@code kafka-storage}, which exists for 4.3 only. */
  FORK("fork", "kafka-storage-");

  private static final String EARLY_APPEND = "io.github.batchvalidator.fork.EarlyAppend";

  /** The agent's count of batches that it leaves to the append because they are rebuilt. */
  private static final String NOT_IN_PLACE = "NOT_IN_PLACE";

  private final String label;
  private final String jarOfLogValidator;

  BrokerBuild(String label, String jarOfLogValidator) {
    this.label = label;
    this.jarOfLogValidator = jarOfLogValidator;
  }

  /** Returns the build with the drop-in jar, with or without the agent. */
  public static BrokerBuild ours(boolean withAgent) {
    return withAgent ? DROP_IN_AGENT : DROP_IN;
  }

  /** Returns true if there is such a build of a line. */
  public boolean exists(String line) {
    return this != FORK || line.equals("4.3");
  }

  /** Returns true if the broker has the drop-in, with its settings and counts. */
  public boolean hasDropIn() {
    return this == DROP_IN || this == DROP_IN_AGENT;
  }

  /** Returns the name that tables show. */
  public String label() {
    return label;
  }

  /** Returns the next step of an upgrade. Stock follows the last one. */
  public BrokerBuild next() {
    return switch (this) {
      case KAFKA -> DROP_IN;
      case DROP_IN -> DROP_IN_AGENT;
      case DROP_IN_AGENT, FORK -> KAFKA;
    };
  }

  /** Returns the class path of a broker of a line. */
  public List<Path> classPath(BrokerJars jars, String line) throws IOException {
    return switch (this) {
      case KAFKA -> jars.stock(line);
      case DROP_IN, DROP_IN_AGENT -> jars.withDropIn(line);
      case FORK -> jars.fork(line);
    };
  }

  /** Returns the options of its JVM that the build needs. */
  public List<String> options(BrokerJars jars) {
    return this == DROP_IN_AGENT ? List.of(jars.agent()) : List.of();
  }

  /**
   * Checks that a broker that took produce requests validated them as its build says.
   *
   * @param inPlace true if some batches were not rebuilt; the agent stamps only these
   * @throws IllegalStateException if another class than the build's took them, or took them in
   *     another way
   */
  public void requireAtWork(BrokerProcess broker, BrokerBeans beans, boolean inPlace)
      throws IOException, MalformedObjectNameException {
    Set<String> jars = broker.classes().jarsOf(LoadedClasses.LOG_VALIDATOR);
    if (jars.isEmpty() || !jars.stream().allMatch(jar -> jar.startsWith(jarOfLogValidator))) {
      throw new IllegalStateException(this + " took LogValidator from " + jars);
    }
    if (broker.classes().has(EARLY_APPEND) != (this == FORK)) {
      throw new IllegalStateException(this + " is not what it should be: fork or none");
    }
    if (hasDropIn()) {
      DropInMXBean counts = beans.dropIn();
      Map<String, Long> fallbacks = counts.getOffLockFallbacks();
      boolean isOffLock =
          counts.getOffLockStamped() > 0 || (!inPlace && fallbacks.containsKey(NOT_IN_PLACE));
      if (isOffLock != (this == DROP_IN_AGENT)) {
        throw new IllegalStateException(
            "%s with %s accepted %d batches and stamped %d of them off the lock; %s"
                .formatted(
                    this,
                    counts.getSettings(),
                    counts.getAccepted(),
                    counts.getOffLockStamped(),
                    fallbacks));
      }
    }
  }
}
