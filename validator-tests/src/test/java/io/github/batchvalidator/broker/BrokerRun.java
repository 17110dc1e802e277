// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import io.github.batchvalidator.testkit.broker.BrokerClients;
import io.github.batchvalidator.testkit.broker.BrokerProcess;
import io.github.batchvalidator.testkit.broker.LoadedClasses;
import java.util.List;
import java.util.Map;

/**
 * All scenarios, given to one broker.
 *
 * @param startedMs when the first was begun
 * @param endedMs when the last was done
 * @param before which classes were loaded before the first
 * @param after which were loaded when the last was done
 * @param outcomes by topic
 */
record BrokerRun(
    long startedMs,
    long endedMs,
    LoadedClasses before,
    LoadedClasses after,
    Map<String, Outcome> outcomes) {
  static BrokerRun of(BrokerProcess broker, List<Scenario> scenarios) throws Exception {
    broker
        .clients()
        .createTopics(
            scenarios.stream()
                .map(s -> BrokerClients.topic(s.topic()).configs(s.config()))
                .toList());
    LoadedClasses before = broker.classes();
    long started = System.currentTimeMillis();
    try (Client client = Client.of(broker)) {
      Map<String, Outcome> outcomes = client.run(scenarios);
      return new BrokerRun(started, System.currentTimeMillis(), before, broker.classes(), outcomes);
    }
  }

  /** Returns true for a time between the start and the end of the run. */
  boolean includes(long timestampMs) {
    return startedMs <= timestampMs && timestampMs <= endedMs;
  }

  Outcome outcome(Scenario scenario) {
    Outcome outcome = outcomes.get(scenario.topic());
    if (outcome == null) {
      throw new IllegalArgumentException(scenario.topic());
    }
    return outcome;
  }
}
