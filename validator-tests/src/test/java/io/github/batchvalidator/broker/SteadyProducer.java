// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import io.github.batchvalidator.bench.broker.BrokerProcess;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A well-behaved producer on a thread of its own: one record after the other until it is closed.
 */
final class SteadyProducer implements AutoCloseable {
  private static final int VALUE_BYTES = 1024;
  private static final long PAUSE_MS = 5;
  private static final long CLOSE_MS = TimeUnit.SECONDS.toMillis(60);

  private final KafkaProducer<byte[], byte[]> producer;
  private final String topic;
  private final Thread thread = new Thread(this::run);
  private final AtomicInteger sent = new AtomicInteger();
  private final List<Exception> failures = Collections.synchronizedList(new ArrayList<>());
  private volatile Latencies latencies = new Latencies();
  private volatile boolean closed;

  SteadyProducer(BrokerProcess broker, String topic) {
    this.topic = topic;
    Map<String, Object> config =
        Map.of("bootstrap.servers", broker.address(), "compression.type", "lz4", "linger.ms", 0);
    producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    thread.start();
  }

  private void run() {
    byte[] value = new byte[VALUE_BYTES];
    while (!closed) {
      Latencies before = latencies;
      long started = System.nanoTime();
      try {
        producer.send(new ProducerRecord<>(topic, value)).get();
        long took = System.nanoTime() - started;
        if (latencies == before) {
          before.add(took);
        }
        sent.incrementAndGet();
        Thread.sleep(PAUSE_MS);
      } catch (ExecutionException | InterruptedException | RuntimeException e) {
        failures.add(e);
      }
    }
  }

  int sent() {
    return sent.get();
  }

  List<Exception> failures() {
    return List.copyOf(failures);
  }

  /** Has those records counted there that are sent and acknowledged before the next such call. */
  void countIn(Latencies others) {
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
