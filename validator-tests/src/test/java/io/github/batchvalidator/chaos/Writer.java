// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.chaos;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.jspecify.annotations.Nullable;

/** A producer with its own thread. Remembers each record and its answer. */
abstract class Writer {
  static final int NO_TRANSACTION = -1;

  /** Every so many records, one is sent that a broker should reject. */
  private static final int RECORDS_PER_BAD_ONE = 60;

  /** Far beyond the hour that a topic accepts by default. */
  private static final long FAR_MS = TimeUnit.DAYS.toMillis(30);

  private static final String REST_OF_BATCH = "part of a batch which had one more more invalid";
  private static final long END_MS = TimeUnit.MINUTES.toMillis(3);

  private final int number;
  private final Cluster cluster;
  private final String codec;
  private final Random random;
  private final List<Sent> sent = new ArrayList<>();
  private final AtomicInteger acknowledged = new AtomicInteger();
  private final Thread thread = new Thread(this::runGuarded);
  private volatile @Nullable Throwable failure;
  private volatile boolean stopped;

  Writer(int number, Cluster cluster, long seed) {
    this.number = number;
    this.cluster = cluster;
    codec = Topics.CODECS.get(number % Topics.CODECS.size());
    random = new Random(seed * 1000 + number);
    thread.setName("writer-" + number);
    thread.setDaemon(true);
  }

  final void start() {
    thread.start();
  }

  private void runGuarded() {
    try {
      run();
    } catch (Throwable e) {
      failure = e;
    }
  }

  /** Sends until {@link #isStopped}, and returns when nothing is under way. */
  abstract void run() throws Exception;

  final boolean isStopped() {
    return stopped;
  }

  final Random random() {
    return random;
  }

  /** Returns the partition of the writer's codec. */
  final int partition() {
    return number % Topics.CODECS.size();
  }

  final KafkaProducer<byte[], byte[]> producer(Map<String, Object> more) {
    Map<String, Object> config = new HashMap<>(more);
    config.put("compression.type", codec);
    config.put("acks", "all");
    config.put("enable.idempotence", true);
    config.put("linger.ms", 5);
    config.put("batch.size", 8192);
    config.put("request.timeout.ms", 4000);
    config.put("delivery.timeout.ms", 120_000);
    config.put("max.block.ms", 60_000);
    config.put("retry.backoff.ms", 50);
    config.put("retry.backoff.max.ms", 500);
    config.put("reconnect.backoff.ms", 50);
    config.put("reconnect.backoff.max.ms", 500);
    return cluster.clients().producer(config);
  }

  /** Remembers a record before it is sent. */
  final Sent next(TopicPartition to, int transaction) {
    Sent next = new Sent(to, new RecordId(number, sent.size()), transaction);
    sent.add(next);
    return next;
  }

  /** Tells whether the next record is to be rejected, which is rare. */
  final boolean isNextBad() {
    return random.nextInt(RECORDS_PER_BAD_ONE) == 0;
  }

  /**
   * Returns the record to send.
   *
   * @param bad true for one without a key, or with a time that is too far
   */
  final ProducerRecord<byte[], byte[]> record(Sent next, boolean bad) {
    Long time = bad && !hasBadKeys() ? System.currentTimeMillis() + FAR_MS : null;
    byte[] key =
        bad && hasBadKeys() ? null : Integer.toString(number).getBytes(StandardCharsets.US_ASCII);
    TopicPartition to = next.partition();
    return new ProducerRecord<>(to.topic(), to.partition(), time, key, next.id().value());
  }

  /**
   * Returns true if its bad records have no key, which only the policy rejects. If some brokers
   * have no policy, a retry may be rejected after the first attempt was stored.
   */
  private boolean hasBadKeys() {
    return number % 2 == 1;
  }

  final void acknowledge(Sent record, long offset) {
    record.acknowledge(offset);
    acknowledged.incrementAndGet();
  }

  /** Sets the fate of a record that was answered with an exception. */
  final void fail(Sent record, Throwable why) {
    boolean certain = !hasBadKeys() || cluster.isUniform();
    if (isRejection(why) && certain) {
      record.answer(Fate.REJECTED);
    }
  }

  private static boolean isRejection(Throwable why) {
    return why instanceof InvalidRecordException
        || why instanceof InvalidTimestampException
        || (why instanceof KafkaException
            && String.valueOf(why.getMessage()).contains(REST_OF_BATCH));
  }

  /** Returns how many records were acknowledged so far. */
  final int acknowledged() {
    return acknowledged.get();
  }

  /** Returns what it sent, in this order; only after it has ended. */
  final List<Sent> sent() {
    return sent;
  }

  /** Returns why it ended early, or null. */
  final @Nullable Throwable failure() {
    return failure;
  }

  final void stop() {
    stopped = true;
  }

  /** Stops it, and returns when it has ended. */
  final void end() throws InterruptedException {
    stop();
    thread.join(END_MS);
    if (thread.isAlive()) {
      throw new IllegalStateException(thread.getName() + " does not end");
    }
  }
}
