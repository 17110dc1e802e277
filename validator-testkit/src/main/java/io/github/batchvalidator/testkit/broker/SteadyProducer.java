// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.broker;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SynchronizedHistogram;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * A well-behaved producer on a thread of its own: one record after the other until it is closed.
 */
public final class SteadyProducer implements AutoCloseable {
  private static final int VALUE_BYTES = 1024;
  private static final long PAUSE_MS = 5;
  private static final int DIGITS = 3;
  private static final long CLOSE_MS = TimeUnit.SECONDS.toMillis(60);

  private final KafkaProducer<byte[], byte[]> producer;
  private final String topic;
  private final Thread thread = new Thread(this::run);
  private final AtomicInteger sent = new AtomicInteger();
  private final List<Exception> failures = Collections.synchronizedList(new ArrayList<>());
  private volatile Histogram latencies = latencies();
  private volatile boolean closed;

  /**
   * Returns an empty histogram of the nanoseconds from before a record was sent until it was
   * acknowledged.
   */
  public static Histogram latencies() {
    return new SynchronizedHistogram(DIGITS);
  }

  /** Starts to produce to the first partition of a topic. */
  public SteadyProducer(BrokerProcess broker, String topic) {
    this.topic = topic;
    producer = broker.clients().producer(Map.of("compression.type", "lz4", "linger.ms", 0));
    thread.start();
  }

  @SuppressWarnings("ReferenceEquality") // the histogram itself, whatever is in it
  private void run() {
    byte[] value = new byte[VALUE_BYTES];
    while (!closed) {
      Histogram before = latencies;
      long started = System.nanoTime();
      try {
        producer.send(new ProducerRecord<>(topic, value)).get();
        long took = System.nanoTime() - started;
        if (latencies == before) {
          before.recordValue(took);
        }
        sent.incrementAndGet();
        Thread.sleep(PAUSE_MS);
      } catch (ExecutionException | InterruptedException | RuntimeException e) {
        failures.add(e);
      }
    }
  }

  /** Returns how many records were acknowledged so far. */
  public int sent() {
    return sent.get();
  }

  /** Returns why records failed. */
  public List<Exception> failures() {
    return List.copyOf(failures);
  }

  /** Counts the records there that are sent and acknowledged before the next such call. */
  public void countIn(Histogram others) {
    latencies = others;
  }

  @Override
  public void close() {
    closed = true;
    try {
      thread.join(CLOSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    producer.close();
  }
}
