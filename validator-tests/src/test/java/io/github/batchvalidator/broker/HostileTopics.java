// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import io.github.batchvalidator.testkit.broker.BrokerClients;
import io.github.batchvalidator.testkit.broker.BrokerProcess;
import io.github.batchvalidator.testkit.broker.RawClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;

/** The topics of hostile requests, and the topic of the reports about them. */
final class HostileTopics {
  /** Keeps the codec of producers. */
  static final String KEPT = "kept";

  /** Has a codec of its own, {@link HostileBatch#TOPIC_CODEC}. */
  static final String REBUILT = "rebuilt";

  /** For those who mean well. */
  static final String BESIDE = "beside";

  private static final Map<String, String> ANY_BATCH =
      Map.of(
          "max.message.bytes",
          "4000000",
          "retention.ms", // the batches are old, and each deleted segment is logged
          "-1",
          "message.timestamp.after.max.ms",
          Long.toString(Long.MAX_VALUE));

  private HostileTopics() {}

  /** Makes the topics, and waits until they take what is valid. */
  static void create(BrokerProcess broker)
      throws IOException, ExecutionException, InterruptedException {
    Map<String, String> rebuilt = new HashMap<>(ANY_BATCH);
    rebuilt.put("compression.type", HostileBatch.TOPIC_CODEC.name().toLowerCase(Locale.ROOT));
    broker
        .clients()
        .createTopics(
            List.of(
                BrokerClients.topic(KEPT).configs(ANY_BATCH),
                BrokerClients.topic(REBUILT).configs(rebuilt),
                BrokerClients.topic(BESIDE)));
    try (RawClient client = new RawClient(broker)) {
      for (String topic : List.of(KEPT, REBUILT, BESIDE)) {
        client.awaitLeader(topic, HostileBatch.valid());
      }
    }
  }

  /** Returns the file of a report, which the next run of the same test overwrites. */
  static Path report(String name) {
    return Path.of(System.getProperty("build.directory"), "broker-" + name + ".txt");
  }
}
