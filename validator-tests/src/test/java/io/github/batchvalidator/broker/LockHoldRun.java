// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import io.github.batchvalidator.bench.workload.ProducedBatch;
import io.github.batchvalidator.bench.workload.Workload;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testkit.broker.BrokerBeans;
import io.github.batchvalidator.testkit.broker.BrokerProcess;
import io.github.batchvalidator.testkit.broker.RawClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.HdrHistogram.Histogram;

/**
 * Eight connections that produce to one partition as fast as they are answered. The batches are
 * made before, so that the machine compresses nothing while it is measured.
 */
final class LockHoldRun {
  static final int PRODUCERS = 8;
  static final int BATCH_BYTES = 128 << 10;

  private static final String TOPIC = "hot";
  private static final int BATCHES = 16;
  private static final int VALUE_BYTES = 1024;

  /** Starting the recorder loads a lot of classes, which is not what is measured. */
  private static final long SETTLE_MS = 3000;

  private final BrokerProcess broker;
  private final Path counts;
  private final Path recording;

  LockHoldRun(BrokerProcess broker, Path counts, Path recording) {
    this.broker = broker;
    this.counts = counts;
    this.recording = recording;
  }

  /** Returns gzip batches of JSON records whose stored size is close to what is wanted. */
  static byte[][] batches() {
    int few = 100;
    int stored = Workload.json(Codec.GZIP, few, VALUE_BYTES).first().storedBytes();
    int records = (int) ((long) few * BATCH_BYTES / stored);
    ProducedBatch[] made = Workload.json(Codec.GZIP, records, VALUE_BYTES).batches(BATCHES);
    byte[][] batches = new byte[BATCHES][];
    for (int i = 0; i < BATCHES; i++) {
      batches[i] = new byte[made[i].storedBytes()];
      made[i].copy().get(batches[i]);
    }
    return batches;
  }

  /**
   * Warms up, then returns what was counted in the time that follows, and what was recorded in as
   * much time behind it: apart, so that recording costs nothing while there is counting.
   */
  LockFigures measure(byte[][] batches, long warmUpMs, long measureMs) throws Exception {
    broker.clients().createTopics(TOPIC);
    try (RawClient client = new RawClient(broker)) {
      client.awaitLeader(TOPIC, batches[0]);
    }
    ExecutorService threads = Executors.newFixedThreadPool(PRODUCERS);
    AtomicBoolean stop = new AtomicBoolean();
    try {
      List<Future<?>> producers = new ArrayList<>();
      for (int i = 0; i < PRODUCERS; i++) {
        int first = i;
        producers.add(
            threads.submit(
                () -> {
                  produce(batches, first, stop);
                  return null;
                }));
      }
      Thread.sleep(warmUpMs);
      LockFigures figures = new LockFigures(count(measureMs), record(measureMs));
      stop.set(true);
      for (Future<?> producer : producers) {
        producer.get();
      }
      return figures;
    } finally {
      stop.set(true);
      threads.shutdownNow();
    }
  }

  private LockHoldFigures count(long measureMs) throws IOException, InterruptedException {
    long started = System.nanoTime();
    LockHold before = LockHold.read(counts);
    Thread.sleep(measureMs);
    LockHold counted = LockHold.read(counts).since(before);
    return LockHoldFigures.of(counted, (System.nanoTime() - started) / 1e9);
  }

  private LockWaitFigures record(long measureMs) throws Exception {
    try (BrokerBeans beans = new BrokerBeans(broker)) {
      LockRecording recorder = LockRecording.start(beans);
      Thread.sleep(SETTLE_MS);
      Instant from = Instant.now();
      LockHoldFigures meanwhile = count(measureMs);
      Instant to = Instant.now();
      Histogram waits = recorder.stop(recording, from, to);
      return LockWaitFigures.of(waits, Duration.between(from, to).toNanos() / 1e9, meanwhile);
    }
  }

  private void produce(byte[][] batches, int first, AtomicBoolean stop) throws IOException {
    try (RawClient client = new RawClient(broker)) {
      for (int i = first; !stop.get(); i++) {
        int error = client.produce(TOPIC, batches[i % batches.length]).errorCode();
        if (error != 0) {
          throw new IOException("the broker answers with error " + error);
        }
      }
    }
  }
}
