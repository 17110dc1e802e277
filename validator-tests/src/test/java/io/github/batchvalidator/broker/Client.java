// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import io.github.batchvalidator.testkit.broker.BrokerProcess;
import java.util.List;
import java.util.Map;

/** Does with a broker what scenarios say. */
interface Client extends AutoCloseable {
  /** Names the client: java, the default, or librdkafka, which scripts/other-clients brings. */
  String PROPERTY = "broker.client";

  /**
   * Produces what scenarios say to topics that are there, one after the other, and reads it back.
   *
   * @return what came of them, by topic
   */
  Map<String, Outcome> run(List<Scenario> scenarios) throws Exception;

  @Override
  void close();

  static Client of(BrokerProcess broker) {
    String name = System.getProperty(PROPERTY, "java");
    return switch (name) {
      case "java" -> new KafkaClient(broker);
      case "librdkafka" -> new Librdkafka(broker);
      default -> throw new IllegalArgumentException(PROPERTY + ": " + name);
    };
  }
}
