// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads partitions to their end. */
final class Readers {
  private static final long READ_NANOS = TimeUnit.MINUTES.toNanos(3);

  private final Cluster cluster;

  Readers(Cluster cluster) {
    this.cluster = cluster;
  }

  private KafkaConsumer<byte[], byte[]> consumer(String isolation) {
    return new KafkaConsumer<>(
        Map.of("bootstrap.servers", cluster.addresses(), "isolation.level", isolation),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
  }

  /** Returns the high watermark of each partition. */
  Map<TopicPartition, Long> highWatermarks(List<TopicPartition> partitions) {
    try (KafkaConsumer<byte[], byte[]> consumer = consumer("read_uncommitted")) {
      return consumer.endOffsets(partitions);
    }
  }

  /** Returns the committed records of each partition. */
  Map<TopicPartition, List<Stored>> committed(List<TopicPartition> partitions) {
    Map<TopicPartition, List<Stored>> all = new HashMap<>();
    long deadline = System.nanoTime() + READ_NANOS;
    try (KafkaConsumer<byte[], byte[]> consumer = consumer("read_committed")) {
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      for (TopicPartition each : partitions) {
        all.put(each, new ArrayList<>());
      }
      while (!partitions.stream().allMatch(each -> consumer.position(each) >= end(ends, each))) {
        if (System.nanoTime() > deadline) {
          throw new IllegalStateException("cannot be read to " + ends);
        }
        for (ConsumerRecord<byte[], byte[]> each : consumer.poll(Duration.ofMillis(100))) {
          TopicPartition from = new TopicPartition(each.topic(), each.partition());
          Objects.requireNonNull(all.get(from)).add(Stored.of(each.offset(), each.value()));
        }
      }
    }
    return all;
  }

  private static long end(Map<TopicPartition, Long> ends, TopicPartition partition) {
    return Objects.requireNonNull(ends.get(partition));
  }
}
