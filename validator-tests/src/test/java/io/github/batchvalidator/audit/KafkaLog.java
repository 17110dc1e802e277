// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.common.RequestLocal;
import org.apache.kafka.server.common.TransactionVersion;
import org.apache.kafka.server.util.Scheduler;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.ProducerStateManagerConfig;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.internals.log.VerificationGuard;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;

/**
 * A log that Kafka's own classes write, without a broker. Offsets, indexes, leader epochs, producer
 * snapshots and the transaction index are Kafka's work.
 *
 * <p>Producers are numbered by the caller. Sequence numbers continue by themselves.
 */
final class KafkaLog implements AutoCloseable {
  private static final int TRANSACTION_TIMEOUT_MS = 60_000;
  private static final int PRODUCER_CHECK_MS = 600_000;
  private static final int PRODUCER_EXPIRATION_MS = Integer.MAX_VALUE;
  private static final int COORDINATOR_EPOCH = 3;
  private static final int MAX_VALUE_BYTES = 120;

  private final UnifiedLog log;
  private final BrokerTopicStats stats = new BrokerTopicStats();
  private final Random random = new Random(17);
  private final Map<Long, Producer> producers = new HashMap<>();
  private Codec codec = Codec.NONE;
  private int leaderEpoch;
  private long nowMs = Batches.nowMs();
  private int keys = Integer.MAX_VALUE;
  private int written;

  private static final class Producer {
    private short epoch;
    private int sequence;
  }

  private KafkaLog(Path directory, Map<String, String> settings, boolean isClean)
      throws IOException {
    Map<String, String> config = new HashMap<>();
    config.put("index.interval.bytes", "300");
    config.put("message.timestamp.after.max.ms", Long.toString(Long.MAX_VALUE));
    config.putAll(settings);
    Files.createDirectories(directory);
    log =
        UnifiedLog.create(
            directory.toFile(),
            new LogConfig(config),
            0,
            0,
            new Inline(),
            stats,
            Time.SYSTEM,
            TRANSACTION_TIMEOUT_MS,
            new ProducerStateManagerConfig(PRODUCER_EXPIRATION_MS, false),
            PRODUCER_CHECK_MS,
            new LogDirFailureChannel(1),
            isClean,
            Optional.of(Uuid.ONE_UUID));
    leaderEpoch = log.latestEpoch().orElse(0);
    log.assignEpochStartOffset(leaderEpoch, log.logEndOffset());
  }

  /** Opens a log in a directory named {@code TOPIC-PARTITION}. */
  static KafkaLog open(Path directory) throws IOException {
    return new KafkaLog(directory, Map.of(), true);
  }

  /** Opens a log whose topic has other settings than the defaults. */
  static KafkaLog open(Path directory, Map<String, String> settings) throws IOException {
    return new KafkaLog(directory, settings, true);
  }

  /** Opens a log as after a crash. */
  static KafkaLog recover(Path directory) throws IOException {
    return new KafkaLog(directory, Map.of(), false);
  }

  /** Opens a log as after a crash, with other settings than the defaults. */
  static KafkaLog recover(Path directory, Map<String, String> settings) throws IOException {
    return new KafkaLog(directory, settings, false);
  }

  UnifiedLog kafka() {
    return log;
  }

  /** Sets the codec of the batches that follow. */
  KafkaLog codec(Codec next) {
    codec = next;
    return this;
  }

  /** Gives the records that follow one of some keys each. */
  KafkaLog keys(int count) {
    keys = count;
    return this;
  }

  /** Starts the next leader epoch. */
  KafkaLog nextLeader() {
    leaderEpoch++;
    log.assignEpochStartOffset(leaderEpoch, log.logEndOffset());
    return this;
  }

  /** Returns records whose timestamps do not only increase. */
  private SimpleRecord[] records(int count) {
    SimpleRecord[] records = new SimpleRecord[count];
    for (int i = 0; i < count; i++) {
      byte[] value = new byte[random.nextInt(MAX_VALUE_BYTES)];
      random.nextBytes(value);
      nowMs += random.nextInt(30) - 5;
      byte[] key = Integer.toString(written++ % keys).getBytes(StandardCharsets.US_ASCII);
      records[i] = new SimpleRecord(nowMs, key, value);
    }
    return records;
  }

  /** Appends a batch without a producer id. */
  KafkaLog plain(int records) throws IOException {
    return append(data(records));
  }

  /** Returns the next batch without a producer id. */
  MemoryRecords data(int records) {
    return MemoryRecords.withRecords(Batches.compression(codec), records(records));
  }

  /** Returns a batch without a producer id, with the same records each time. */
  static MemoryRecords anyRecords(int count) {
    SimpleRecord[] records = new SimpleRecord[count];
    Arrays.fill(records, new SimpleRecord(Batches.nowMs(), new byte[3], new byte[17]));
    return MemoryRecords.withRecords(Compression.NONE, records);
  }

  /** Appends a batch of an idempotent producer. */
  KafkaLog idempotent(long producer, int records) throws IOException {
    return append(batch(producer, records));
  }

  /** Returns the next batch of an idempotent producer. */
  MemoryRecords batch(long producer, int records) {
    Producer state = producer(producer);
    MemoryRecords batch =
        MemoryRecords.withIdempotentRecords(
            Batches.compression(codec), producer, state.epoch, state.sequence, records(records));
    state.sequence += records;
    return batch;
  }

  /** Appends a batch of a transaction. */
  KafkaLog transactional(long producer, int records) throws IOException {
    return append(transaction(producer, records));
  }

  /** Returns the next batch of a transaction. */
  MemoryRecords transaction(long producer, int records) {
    Producer state = producer(producer);
    MemoryRecords batch =
        MemoryRecords.withTransactionalRecords(
            Batches.compression(codec), producer, state.epoch, state.sequence, records(records));
    state.sequence += records;
    return batch;
  }

  KafkaLog commit(long producer) throws IOException {
    return end(producer, ControlRecordType.COMMIT);
  }

  KafkaLog abort(long producer) throws IOException {
    return end(producer, ControlRecordType.ABORT);
  }

  private KafkaLog end(long producer, ControlRecordType type) throws IOException {
    return coordinated(marker(producer, type));
  }

  /** Appends a batch of a coordinator. */
  KafkaLog coordinated(MemoryRecords batch) throws IOException {
    log.appendAsLeader(
        batch,
        leaderEpoch,
        AppendOrigin.COORDINATOR,
        RequestLocal.noCaching(),
        VerificationGuard.SENTINEL,
        TransactionVersion.TV_1.featureLevel());
    log.updateHighWatermark(log.logEndOffset());
    return this;
  }

  /** Returns a marker that ends a transaction. */
  MemoryRecords marker(long producer, ControlRecordType type) {
    return marker(producer, type, COORDINATOR_EPOCH);
  }

  MemoryRecords marker(long producer, ControlRecordType type, int coordinatorEpoch) {
    return MemoryRecords.withEndTransactionMarker(
        nowMs,
        producer,
        producer(producer).epoch,
        new EndTransactionMarker(type, coordinatorEpoch));
  }

  /** Starts the next epoch of a producer, as each transaction of version 2 does. */
  KafkaLog nextEpoch(long producer) {
    Producer state = producer(producer);
    state.epoch++;
    state.sequence = 0;
    return this;
  }

  /** Sets the epoch of a producer. */
  KafkaLog epoch(long producer, int epoch) {
    producer(producer).epoch = (short) epoch;
    return this;
  }

  /** Sets the next sequence number of a producer. */
  KafkaLog sequence(long producer, int next) {
    producer(producer).sequence = next;
    return this;
  }

  /** Has Kafka forget all producers without an open transaction, as it does with idle ones. */
  KafkaLog forgetProducers() {
    log.removeExpiredProducers(Long.MAX_VALUE);
    return this;
  }

  private Producer producer(long id) {
    return producers.computeIfAbsent(id, any -> new Producer());
  }

  private KafkaLog append(MemoryRecords batch) throws IOException {
    log.appendAsLeader(batch, leaderEpoch);
    log.updateHighWatermark(log.logEndOffset());
    return this;
  }

  /** Appends batches at once, as a follower does with the answer to a fetch. */
  KafkaLog fetched(MemoryRecords... batches) throws IOException {
    int bytes = 0;
    for (MemoryRecords batch : batches) {
      bytes += batch.sizeInBytes();
    }
    ByteBuffer all = ByteBuffer.allocate(bytes);
    long offset = log.logEndOffset();
    for (MemoryRecords batch : batches) {
      for (var each : batch.batches()) {
        each.setLastOffset(offset + each.lastOffset() - each.baseOffset());
        each.setPartitionLeaderEpoch(leaderEpoch);
        offset = each.lastOffset() + 1;
      }
      all.put(batch.buffer().duplicate());
    }
    log.appendAsFollower(MemoryRecords.readableRecords(all.flip()), leaderEpoch);
    log.updateHighWatermark(log.logEndOffset());
    return this;
  }

  KafkaLog roll() throws IOException {
    log.roll();
    return this;
  }

  /** Closes the log as a clean stop of a broker does, which also writes a producer snapshot. */
  @Override
  public void close() {
    log.close();
    stats.close();
  }

  /** A scheduler that runs single tasks at once and repeated ones never. */
  private static final class Inline implements Scheduler {
    @Override
    public void startup() {}

    @Override
    public void shutdown() {}

    @Override
    public ScheduledFuture<?> schedule(String name, Runnable task, long delayMs, long periodMs) {
      if (periodMs <= 0) {
        task.run();
      }
      return new Never();
    }

    @Override
    public void resizeThreadPool(int newSize) {}
  }

  /** A task that does not run. */
  private static final class Never extends FutureTask<Void> implements ScheduledFuture<Void> {
    Never() {
      super(() -> null);
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return Long.MAX_VALUE;
    }

    @Override
    public int compareTo(Delayed other) {
      return 0;
    }
  }
}
