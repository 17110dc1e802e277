// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import io.github.batchvalidator.bench.workload.ProducedBatch;
import io.github.batchvalidator.bench.workload.Workload;
import io.github.batchvalidator.testkit.broker.Await;
import io.github.batchvalidator.testkit.broker.RawClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * The main class of a load generator: reads a {@link LoadOrder} per line, and prints what was
 * {@link Produced}. Its batches are written by Kafka's classes, compressed beforehand and kept for
 * the next order of the same cell: with Kafka's producer, which compresses, a broker would wait for
 * its clients most of the time.
 */
public final class LoadMain {
  /** Values of the batches of a cell: so many that few repeat within a second. */
  private static final long CELL_BYTES = 32L << 20;

  private static final int LARGE_BATCHES = 4;

  /** Lets all threads come to their first request. */
  private static final long START_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final long LEADER_SECONDS = 30;
  private static final double NANOS_PER_SECOND = 1e9;

  /**
   * The requests of one producer, and the mean size of a batch in them.
   *
   * @param frames to send by turns
   */
  private record Requests(List<ByteBuffer> frames, double batchBytes) {}

  private final Map<String, List<Requests>> requests = new HashMap<>();

  private LoadMain() {}

  /**
   * Runs until the input ends.
   *
   * @param args none
   * @throws Exception if a broker rejects a request or does not answer
   */
  public static void main(String[] args) throws Exception {
    LoadMain generator = new LoadMain();
    var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      System.out.println(generator.produce(LoadOrder.parse(line)).text());
    }
  }

  private Produced produce(LoadOrder order) throws Exception {
    List<Requests> all = requests.computeIfAbsent(order.topic(), topic -> requests(order));
    List<RawConnection> connections = new ArrayList<>();
    try {
      for (Requests each : all) {
        RawConnection connection = new RawConnection(order, each.frames());
        connections.add(connection);
        connection.awaitLeaders();
      }
      List<PacedProducer> producers = new ArrayList<>();
      long start = System.nanoTime() + START_NANOS;
      int counted = order.cell().crowd().producers();
      for (int i = 0; i < all.size(); i++) {
        Pace pace = i < counted ? order.pace(i, start) : order.paceOfLarge(start);
        producers.add(new PacedProducer(connections.get(i), pace));
      }
      run(producers);
      return sum(order, producers.subList(0, counted), all.subList(0, counted));
    } finally {
      for (RawConnection each : connections) {
        each.client.close();
      }
    }
  }

  private static List<Requests> requests(LoadOrder order) {
    Cell cell = order.cell();
    int producers = cell.crowd().producers();
    int partitions = order.partitionsOfRequest();
    long requestBytes = (long) order.recordsOfRequest() * cell.valueBytes();
    int each = (int) Math.max(1, Math.min(CELL_BYTES / producers / requestBytes, 1_000));
    ProducedBatch[] batches =
        Workload.json(Workload.codec(cell.codec()), cell.records(), cell.valueBytes())
            .batches(each * producers);
    List<Requests> all = new ArrayList<>();
    for (int producer = 0; producer < producers; producer++) {
      List<ByteBuffer> frames = new ArrayList<>();
      long stored = 0;
      int first = order.firstPartition(producer);
      for (int i = 0; i < each; i++) {
        ProducedBatch batch = batches[i * producers + producer];
        frames.add(frame(order.topic(), first, first + partitions, batch));
        stored += batch.storedBytes();
      }
      all.add(new Requests(frames, (double) stored / each));
    }
    if (cell.crowd().isBesideLarge()) {
      all.add(largeRequests(order.topic()));
    }
    return all;
  }

  private static Requests largeRequests(String topic) {
    Cell cell = Cell.LARGE;
    ProducedBatch[] batches =
        Workload.json(Workload.codec(cell.codec()), cell.records(), cell.valueBytes())
            .batches(LARGE_BATCHES);
    List<ByteBuffer> frames = new ArrayList<>();
    long stored = 0;
    for (ProducedBatch each : batches) {
      frames.add(frame(topic, 0, 1, each));
      stored += each.storedBytes();
    }
    return new Requests(frames, (double) stored / LARGE_BATCHES);
  }

  /** Returns a request with the same batch for each partition from first to end, exclusive. */
  private static ByteBuffer frame(String topic, int first, int end, ProducedBatch batch) {
    byte[] bytes = new byte[batch.storedBytes()];
    batch.copy().get(bytes);
    return RawClient.prepare(topic, first, end, bytes);
  }

  /** The connection of one producer. */
  private static final class RawConnection implements PacedProducer.Connection {
    private final RawClient client;
    private final List<ByteBuffer> frames;
    private final LoadOrder order;

    RawConnection(LoadOrder order, List<ByteBuffer> frames) throws IOException {
      client = new RawClient(order.port());
      this.order = order;
      this.frames = frames;
    }

    /** A topic is created before the broker that leads its partitions has heard of it. */
    void awaitLeaders() throws IOException, InterruptedException {
      Await.until(LEADER_SECONDS, () -> tryFirst() == 0, () -> "error " + tryFirst());
    }

    private short tryFirst() throws IOException {
      send(0);
      return client.answer(order.topic(), order.partitionsOfRequest());
    }

    @Override
    public void send(long request) throws IOException {
      client.send(frames.get((int) (request % frames.size())));
    }

    @Override
    public void awaitAnswer() throws IOException {
      short code = client.answer(order.topic(), order.partitionsOfRequest());
      if (code != 0) {
        throw new IOException("the broker answers with error " + code);
      }
    }
  }

  /** Runs all to their end, or to the first failure. */
  private static void run(List<PacedProducer> producers) throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      var running = new ExecutorCompletionService<Boolean>(threads);
      for (PacedProducer each : producers) {
        running.submit(task(each::send));
        running.submit(task(each::receive));
      }
      for (int i = 0; i < 2 * producers.size(); i++) {
        running.take().get();
      }
    } catch (ExecutionException e) {
      throw new IOException("a producer failed", e);
    } finally {
      threads.shutdownNow();
    }
  }

  /** Work that may fail. */
  private interface Work {
    void run() throws Exception;
  }

  private static Callable<Boolean> task(Work work) {
    return () -> {
      work.run();
      return true;
    };
  }

  private static Produced sum(
      LoadOrder order, List<PacedProducer> producers, List<Requests> requests) {
    Histogram latencies = Latencies.empty();
    long sent = 0;
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (PacedProducer each : producers) {
      sent += each.sent();
      if (each.latencies().getTotalCount() > 0) {
        latencies.add(each.latencies());
        first = Math.min(first, each.firstNanos());
        last = Math.max(last, each.lastNanos());
      }
    }
    long counted = latencies.getTotalCount() * order.recordsOfRequest();
    return new Produced(
        sent * order.recordsOfRequest(),
        counted / ((last - first) / NANOS_PER_SECOND),
        requests.stream().mapToDouble(Requests::batchBytes).average().orElseThrow(),
        latencies);
  }
}
