// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A transactional producer that writes to two partitions, and aborts one transaction of five. */
final class TransactionalWriter extends Writer {
  private static final int MOST_RECORDS = 20;
  private static final long PAUSE_MS = 400;

  private final String id;
  private final TransactionCounts counts;
  private @Nullable KafkaProducer<byte[], byte[]> producer;
  private int transaction;

  TransactionalWriter(int number, Cluster cluster, long seed, TransactionCounts counts) {
    super(number, cluster, seed);
    id = "transactional-" + number;
    this.counts = counts;
  }

  @Override
  void run() throws InterruptedException {
    while (!isStopped()) {
      KafkaProducer<byte[], byte[]> open = open();
      transaction++;
      Fate fate = write(open);
      counts.add(fate);
      if (fate == Fate.UNKNOWN) {
        close(open);
      }
      Thread.sleep(random().nextInt((int) PAUSE_MS));
    }
    open().close(); // whatever was left open is over now
  }

  /** Returns the producer, or a new one, which ends a transaction that an earlier one left open. */
  private KafkaProducer<byte[], byte[]> open() {
    KafkaProducer<byte[], byte[]> open = producer;
    while (open == null) {
      KafkaProducer<byte[], byte[]> tried = producer(Map.of("transactional.id", id));
      try {
        tried.initTransactions();
        open = tried;
      } catch (KafkaException e) {
        close(tried);
      }
    }
    producer = open;
    return open;
  }

  private void close(KafkaProducer<byte[], byte[]> used) {
    used.close(Duration.ZERO);
    producer = null;
  }

  /** A record under way. */
  private record UnderWay(Sent sent, Future<RecordMetadata> answer) {}

  private Fate write(KafkaProducer<byte[], byte[]> open) throws InterruptedException {
    List<UnderWay> records = new ArrayList<>();
    try {
      open.beginTransaction();
      for (int i = 1 + random().nextInt(MOST_RECORDS); i > 0; i--) {
        int partition = (partition() + random().nextInt(2)) % Topics.CODECS.size();
        Sent next = next(new TopicPartition(Topics.TRANSACTIONS, partition), transaction);
        records.add(new UnderWay(next, open.send(record(next, isNextBad()))));
      }
      if (random().nextInt(5) > 0) {
        commit(open);
        for (UnderWay each : records) {
          acknowledge(each.sent(), each.answer().get().offset());
        }
        return Fate.ACKNOWLEDGED;
      }
    } catch (KafkaException | ExecutionException e) {
      // Aborted below. If the commit was already sent, the producer refuses to.
    }
    return abort(open);
  }

  private static void commit(KafkaProducer<byte[], byte[]> open) {
    while (true) {
      try {
        open.commitTransaction();
        return;
      } catch (TimeoutException e) {
        // The call has to be repeated.
      }
    }
  }

  private Fate abort(KafkaProducer<byte[], byte[]> open) {
    try {
      open.abortTransaction();
    } catch (KafkaException | IllegalStateException e) {
      return Fate.UNKNOWN;
    }
    for (int i = sent().size() - 1; i >= 0 && sent().get(i).transaction() == transaction; i--) {
      sent().get(i).answer(Fate.ABORTED);
    }
    return Fate.ABORTED;
  }
}
