// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.chaos;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** A producer that overwrites the same keys of a compacted partition, one record at a time. */
final class CompactedWriter extends Writer {
  /** How many keys it writes, in turn. */
  static final int KEYS = 50;

  private static final int MOST_PAUSE_MS = 40;

  CompactedWriter(int number, Cluster cluster, long seed) {
    super(number, cluster, seed);
  }

  /** Returns the key of a record. */
  static String key(RecordId id) {
    return id.writer() + "-" + id.sequence() % KEYS;
  }

  @Override
  void run() throws InterruptedException {
    KafkaProducer<byte[], byte[]> producer = producer(Map.of());
    while (!isStopped()) {
      TopicPartition to = new TopicPartition(Topics.COMPACTED, partition());
      Sent next = next(to, NO_TRANSACTION);
      byte[] key = key(next.id()).getBytes(StandardCharsets.US_ASCII);
      try {
        ProducerRecord<byte[], byte[]> record =
            new ProducerRecord<>(to.topic(), to.partition(), key, next.id().value());
        acknowledge(next, producer.send(record).get().offset());
      } catch (ExecutionException | KafkaException e) {
        producer.close();
        producer = producer(Map.of());
      }
      Thread.sleep(random().nextInt(MOST_PAUSE_MS));
    }
    producer.close();
  }
}
