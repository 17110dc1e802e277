// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.chaos;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.TopicPartition;

/** The topics of a run. */
final class Topics {
  /** Keeps the codec and the timestamps of producers, and needs keys where the policy applies. */
  static final String KEPT = "kept";

  /** Brokers recompress its batches, and stamp their time of append. */
  static final String RECODED = "recoded";

  static final String TRANSACTIONS = "transactions";

  /** For batches that no honest client sends; one partition. */
  static final String HOSTILE = "hostile";

  static final List<String> CODECS = List.of("none", "gzip", "snappy", "lz4", "zstd");

  private static final short REPLICAS = 3;
  private static final String SEGMENT_BYTES = "1048576";

  private Topics() {}

  static List<NewTopic> all() {
    // Hostile batches have old times.
    Map<String, String> kept = Map.of("segment.bytes", SEGMENT_BYTES, "retention.ms", "-1");
    Map<String, String> recoded = new HashMap<>(kept);
    recoded.put("compression.type", "zstd");
    recoded.put("message.timestamp.type", "LogAppendTime");
    int partitions = CODECS.size();
    return List.of(
        new NewTopic(KEPT, partitions, REPLICAS).configs(kept),
        new NewTopic(RECODED, partitions, REPLICAS).configs(recoded),
        new NewTopic(TRANSACTIONS, partitions, REPLICAS).configs(kept),
        new NewTopic(HOSTILE, 1, REPLICAS).configs(kept));
  }

  /** Returns the partitions of records of {@link RecordId}s. */
  static List<TopicPartition> partitions() {
    List<TopicPartition> all = new ArrayList<>();
    for (String topic : List.of(KEPT, RECODED, TRANSACTIONS)) {
      for (int i = 0; i < CODECS.size(); i++) {
        all.add(new TopicPartition(topic, i));
      }
    }
    return all;
  }

  static TopicPartition hostile() {
    return new TopicPartition(HOSTILE, 0);
  }
}
