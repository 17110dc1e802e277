// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.live;

import io.github.batchvalidator.testkit.broker.Await;
import io.github.batchvalidator.testkit.broker.BrokerBuild;
import io.github.batchvalidator.testkit.broker.BrokerJars;
import io.github.batchvalidator.testkit.broker.BrokerProcess;
import io.github.batchvalidator.testkit.broker.ClusterMember;
import io.github.batchvalidator.testkit.broker.RawClient;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * The folder of a stock broker that was killed with unflushed batches in many partitions. Copies of
 * it share the files of the segments, which recovery of sound segments does not change.
 */
final class CrashedBroker {
  private static final String LINE = "4.3";

  /** The heap of a release's script. */
  private static final List<String> HEAP = List.of("-Xms1g", "-Xmx1g");

  /** The recovery points stay those of empty partitions, however long the broker lives. */
  private static final Map<String, String> SETTINGS =
      Map.of("log.flush.offset.checkpoint.interval.ms", "86400000");

  private static final String TOPIC = "orders";
  private static final int CONNECTIONS = 2;
  private static final int MOST_REQUEST_BYTES = 8 << 20;
  private static final int SECONDS = 60;

  private final BrokerJars jars;
  private final Path folder;

  /** The folder of a broker that was killed. */
  CrashedBroker(BrokerJars jars, Path folder) {
    this.jars = jars;
    this.folder = folder;
  }

  /**
   * Starts a broker, fills it and kills it.
   *
   * @param bytes of all partitions together, about
   * @param indexBytes the size of an index while the broker runs
   */
  CrashedBroker fill(BatchSize size, int partitions, long bytes, int indexBytes) throws Exception {
    NewTopic topic = new NewTopic(TOPIC, partitions, (short) 1);
    // The broker's clock sets the times, because all requests are the same.
    topic.configs(
        Map.of(
            "message.timestamp.type",
            "LogAppendTime",
            "segment.index.bytes",
            Integer.toString(indexBytes)));
    try (BrokerProcess broker = jars.start(BrokerBuild.KAFKA, LINE, folder, HEAP, SETTINGS)) {
      broker.clients().createTopics(List.of(topic));
      Await.until(SECONDS, () -> partitions(folder).size() == partitions, broker::log);
      byte[] batch = size.batch();
      long rounds = Math.max(1, bytes / partitions / batch.length);
      List<CompletableFuture<Void>> clients = new ArrayList<>();
      for (int i = 0; i < CONNECTIONS; i++) {
        int from = partitions * i / CONNECTIONS;
        int to = partitions * (i + 1) / CONNECTIONS;
        clients.add(CompletableFuture.runAsync(() -> produce(broker, from, to, batch, rounds)));
      }
      clients.forEach(CompletableFuture::join);
    }
    return this;
  }

  private static void produce(BrokerProcess broker, int from, int to, byte[] batch, long rounds) {
    int most = Math.min(RawClient.MOST_PARTITIONS, Math.max(1, MOST_REQUEST_BYTES / batch.length));
    try (RawClient client = new RawClient(broker)) {
      for (int start = from; start < to; start += most) {
        ByteBuffer request = RawClient.prepare(TOPIC, start, Math.min(to, start + most), batch);
        Await.until(SECONDS, () -> client.errorCode(request.duplicate(), TOPIC) == 0, broker::log);
        for (long round = 1; round < rounds; round++) {
          int error = client.errorCode(request.duplicate(), TOPIC);
          if (error != 0) {
            throw new IllegalStateException("error " + error + ": " + broker.log());
          }
        }
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the bytes of all segments. */
  long bytes() throws IOException {
    long sum = 0;
    for (Path each : segments(folder)) {
      sum += Files.size(each);
    }
    return sum;
  }

  /** Returns the segments of all partitions of a folder of a broker. */
  static List<Path> segments(Path folder) throws IOException {
    List<Path> segments = new ArrayList<>();
    for (Path partition : partitions(folder)) {
      try (Stream<Path> files = Files.list(partition)) {
        files.filter(CrashedBroker::isSegment).forEach(segments::add);
      }
    }
    return segments;
  }

  /** Returns the partitions of a folder of a broker. */
  static List<Path> partitions(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder.resolve("data"))) {
      return all.filter(each -> each.getFileName().toString().startsWith(TOPIC + "-"))
          .sorted()
          .toList();
    }
  }

  private static boolean isSegment(Path file) {
    return file.toString().endsWith(".log");
  }

  /** Returns a broker with the same data in another folder. */
  CrashedBroker copy(Path to) throws IOException {
    List<Path> segments = segments(folder);
    try (Stream<Path> all = Files.walk(folder.resolve("data"))) {
      for (Path each : all.toList()) {
        Path copy = to.resolve(folder.relativize(each));
        if (Files.isDirectory(each)) {
          Files.createDirectories(copy);
        } else if (segments.contains(each)) {
          Files.createLink(copy, each);
        } else {
          copySparse(each, copy);
        }
      }
    }
    return new CrashedBroker(jars, to);
  }

  /** Starts a broker that {@link BrokerProcess#awaitStart} waits for. */
  BrokerProcess launch(boolean withAgent) throws IOException, InterruptedException {
    List<String> options = new ArrayList<>(jars.options());
    options.addAll(HEAP);
    if (withAgent) {
      options.add(jars.agent());
      options.add("-Dbatchvalidator.stored.recovery=enforce");
    }
    return BrokerProcess.launch(
        ClusterMember.cluster(1).get(0), folder, jars.stock(LINE), options, SETTINGS);
  }

  /** Leaves out the zeros at the end, of which an index of a running broker has 10 MiB. */
  private static void copySparse(Path from, Path to) throws IOException {
    byte[] bytes = Files.readAllBytes(from);
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] == 0) {
      end--;
    }
    try (RandomAccessFile file = new RandomAccessFile(to.toFile(), "rw")) {
      file.write(bytes, 0, end);
      file.setLength(bytes.length);
    }
  }
}
