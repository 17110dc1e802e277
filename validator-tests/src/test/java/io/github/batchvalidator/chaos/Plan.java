// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.chaos;

import io.github.batchvalidator.testkit.broker.BrokerBuild;
import java.util.Locale;

/**
 * The parameters of a run.
 *
 * @param line such as 4.3
 * @param ours how many of the brokers are ours; the others are stock
 * @param build ours: with jar, agent and policy file, or the fork
 * @param kills how many brokers are ended, at least
 * @param guardsStored whether recovery, compaction and uploads are guarded, too
 */
record Plan(
    String line,
    Scenario scenario,
    int ours,
    BrokerBuild build,
    int kills,
    long seed,
    boolean guardsStored) {
  static final int BROKERS = 3;

  /** One, two and three brokers are killed at a time, in few rounds. */
  private static final long SHORT_SEED = 24;

  /** Returns what the system properties {@code chaos.*} say; by default, a run of 10 kills. */
  static Plan ofProperties() {
    String scenario = System.getProperty("chaos.scenario", "kills");
    return new Plan(
        System.getProperty("chaos.line", "4.3"),
        Scenario.valueOf(scenario.toUpperCase(Locale.ROOT)),
        Integer.getInteger("chaos.ours", BROKERS),
        System.getProperty("chaos.build", "agent").equals("fork")
            ? BrokerBuild.FORK
            : BrokerBuild.DROP_IN_AGENT,
        Integer.getInteger("chaos.kills", 10),
        Long.getLong("chaos.seed", SHORT_SEED),
        !System.getProperty("chaos.stored", "").isEmpty());
  }

  /** Returns how the broker with a number starts, from 0. */
  BrokerBuild build(int broker) {
    return broker < ours && scenario != Scenario.UPGRADE ? build : BrokerBuild.KAFKA;
  }

  /** Returns the name of the scenario that tables show. */
  String label() {
    return scenario.name().toLowerCase(Locale.ROOT)
        + (build == BrokerBuild.FORK ? ", fork" : "")
        + (guardsStored ? ", stored side" : "");
  }

  /** Returns true if brokers start with other jars and options than before. */
  boolean upgrades() {
    return scenario == Scenario.UPGRADE && ours > 0;
  }

  /** Returns true if all brokers reject the same batches at all times. */
  boolean isUniform() {
    return ours == 0 || (!upgrades() && (ours == BROKERS || !build.hasDropIn()));
  }
}
