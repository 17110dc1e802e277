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

  /** Its keys are written again and again, if the stored side is guarded. */
  static final String COMPACTED = "compacted";

  /** For batches that no honest client sends; one partition. */
  static final String HOSTILE = "hostile";

  static final List<String> CODECS = List.of("none", "gzip", "snappy", "lz4", "zstd");

  private static final short REPLICAS = 3;
  private static final String SEGMENT_BYTES = "1048576";

  /** Closes segments of few bytes, which are then uploaded or compacted. */
  private static final String SEGMENT_MS = "5000";

  private Topics() {}

  /** Returns all topics, also those of the stored side if it is guarded. */
  static List<NewTopic> all(boolean guardsStored) {
    // Hostile batches have old times.
    Map<String, String> hostile = Map.of("segment.bytes", SEGMENT_BYTES, "retention.ms", "-1");
    Map<String, String> kept = new HashMap<>(hostile);
    if (guardsStored) {
      kept.put("remote.storage.enable", "true");
      kept.put("segment.ms", SEGMENT_MS);
    }
    Map<String, String> recoded = new HashMap<>(kept);
    recoded.put("compression.type", "zstd");
    recoded.put("message.timestamp.type", "LogAppendTime");
    int partitions = CODECS.size();
    List<NewTopic> topics = new ArrayList<>();
    topics.add(new NewTopic(KEPT, partitions, REPLICAS).configs(kept));
    topics.add(new NewTopic(RECODED, partitions, REPLICAS).configs(recoded));
    topics.add(new NewTopic(TRANSACTIONS, partitions, REPLICAS).configs(kept));
    topics.add(new NewTopic(HOSTILE, 1, REPLICAS).configs(hostile));
    if (guardsStored) {
      Map<String, String> compacted =
          Map.of(
              "cleanup.policy",
              "compact",
              "segment.ms",
              SEGMENT_MS,
              "min.cleanable.dirty.ratio",
              "0.0");
      topics.add(new NewTopic(COMPACTED, partitions, REPLICAS).configs(compacted));
    }
    return topics;
  }

  /** Returns the partitions of records of {@link RecordId}s. */
  static List<TopicPartition> partitions() {
    return partitions(List.of(KEPT, RECODED, TRANSACTIONS));
  }

  /** Returns the partitions that are compacted. */
  static List<TopicPartition> compacted() {
    return partitions(List.of(COMPACTED));
  }

  private static List<TopicPartition> partitions(List<String> topics) {
    List<TopicPartition> all = new ArrayList<>();
    for (String topic : topics) {
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
