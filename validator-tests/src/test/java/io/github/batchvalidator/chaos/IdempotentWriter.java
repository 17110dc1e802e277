// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.chaos;

import java.util.Map;
import java.util.concurrent.Semaphore;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** An idempotent producer that has several batches under way. */
final class IdempotentWriter extends Writer {
  private static final int MOST_UNANSWERED = 100;
  private static final int MOST_AT_ONCE = 10;
  private static final long PAUSE_MS = 200;

  private final Semaphore permits = new Semaphore(MOST_UNANSWERED);

  IdempotentWriter(int number, Cluster cluster, long seed) {
    super(number, cluster, seed);
  }

  @Override
  void run() throws InterruptedException {
    KafkaProducer<byte[], byte[]> producer = producer(Map.of());
    while (!isStopped()) {
      for (int i = random().nextInt(MOST_AT_ONCE); i > 0; i--) {
        if (!send(producer)) {
          producer.close();
          producer = producer(Map.of());
        }
      }
      Thread.sleep(random().nextInt((int) PAUSE_MS));
    }
    producer.close();
  }

  /**
   * Sends a record. A rejection makes Kafka's producer send all batches again that are under way,
   * with another epoch, so that those which are stored already are stored twice. That is why a bad
   * record is sent alone.
   *
   * @return false if the producer cannot go on
   */
  private boolean send(KafkaProducer<byte[], byte[]> producer) throws InterruptedException {
    boolean bad = isNextBad();
    int alone = bad ? MOST_UNANSWERED : 1;
    permits.acquire(alone);
    String topic = random().nextBoolean() ? Topics.KEPT : Topics.RECODED;
    Sent next = next(new TopicPartition(topic, partition()), NO_TRANSACTION);
    try {
      var unused =
          producer.send(
              record(next, bad),
              (stored, error) -> {
                answer(next, stored, error);
                permits.release(alone);
              });
      return true;
    } catch (KafkaException e) {
      permits.release(alone);
      return false;
    }
  }

  private void answer(Sent record, @Nullable RecordMetadata stored, @Nullable Exception error) {
    if (error != null) {
      fail(record, error);
    } else if (stored != null) {
      acknowledge(record, stored.offset());
    }
  }
}
