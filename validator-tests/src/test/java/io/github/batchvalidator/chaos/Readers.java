// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.chaos;

import io.github.batchvalidator.testkit.broker.BrokerClients;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/** Reads partitions to their end. */
final class Readers {
  private final Cluster cluster;

  Readers(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Returns the high watermark of each partition. */
  Map<TopicPartition, Long> highWatermarks(List<TopicPartition> partitions) {
    try (KafkaConsumer<byte[], byte[]> consumer = cluster.clients().consumer(Map.of())) {
      return consumer.endOffsets(partitions);
    }
  }

  /** Returns the committed records of each partition after the end of all transactions. */
  Map<TopicPartition, List<Stored>> committed(List<TopicPartition> partitions)
      throws InterruptedException {
    cluster.clients().awaitMarkers(partitions);
    Map<TopicPartition, List<Stored>> all = new HashMap<>();
    partitions.forEach(each -> all.put(each, new ArrayList<>()));
    try (KafkaConsumer<byte[], byte[]> consumer =
        cluster.clients().consumer(Map.of("isolation.level", "read_committed"))) {
      BrokerClients.read(
          consumer,
          partitions,
          each -> {
            TopicPartition from = new TopicPartition(each.topic(), each.partition());
            Objects.requireNonNull(all.get(from)).add(Stored.of(each.offset(), each.value()));
          });
    }
    return all;
  }
}
