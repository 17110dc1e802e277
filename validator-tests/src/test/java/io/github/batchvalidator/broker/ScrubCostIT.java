// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.broker.ClientLoad.Latencies;
import io.github.batchvalidator.cli.CheckCommand;
import io.github.batchvalidator.dropin.Lines;
import io.github.batchvalidator.testing.PageCache;
import io.github.batchvalidator.testkit.broker.BrokerBuild;
import io.github.batchvalidator.testkit.broker.BrokerClients;
import io.github.batchvalidator.testkit.broker.BrokerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Measures the latency of clients of a live broker, and the pages of its segments in the cache,
 * without a scrub, with one, and with a check through the cache ({@code scripts/scrub-cost}).
 */
@Tag("slow")
class ScrubCostIT {
  private static final int ROUNDS = Integer.getInteger("scrub.rounds", 2);
  private static final int SECONDS = Integer.getInteger("scrub.seconds", 20);
  private static final int MEBIBYTES = Integer.getInteger("scrub.mebibytes", 512);
  private static final String RATE = System.getProperty("scrub.rate", "20MB/s");
  private static final String COLD = "cold";
  private static final String HOT = "hot";
  private static final int RECORD_BYTES = 1 << 16;
  private static final Map<String, String> SEGMENTS = Map.of("segment.bytes", "16777216");
  private static final String METRICS = "scrub.prom";
  private static final double MIB = 1 << 20;

  @TempDir private Path folder;
  private final Random random = new Random(3);
  private final List<String> rows = new ArrayList<>();

  /** What runs beside the clients. */
  private enum Beside {
    NOTHING("nothing"),
    SCRUB("scrub"),
    CHECK("check --threads 1");

    private final String label;

    Beside(String label) {
      this.label = label;
    }
  }

  @Test
  void measure() throws Exception {
    try (BrokerProcess broker =
        Lines.jars().start(BrokerBuild.KAFKA, "4.3", folder, List.of(), Map.of())) {
      BrokerClients clients = broker.clients();
      clients.createTopics(
          List.of(
              BrokerClients.topic(COLD).configs(SEGMENTS),
              BrokerClients.topic(HOT).configs(SEGMENTS)));
      fill(clients);
      try (ClientLoad load = new ClientLoad(clients, HOT)) {
        load.run(SECONDS, random); // warms up
        for (int round = 1; round <= ROUNDS; round++) {
          for (Beside beside : Beside.values()) {
            run(beside, broker, load);
          }
        }
      }
    }
    report();
  }

  private void fill(BrokerClients clients) {
    try (KafkaProducer<byte[], byte[]> producer = clients.producer(Map.of("acks", "all"))) {
      for (long sent = 0; sent < MEBIBYTES * MIB; sent += RECORD_BYTES) {
        byte[] value = new byte[RECORD_BYTES];
        random.nextBytes(value);
        var unused = producer.send(new ProducerRecord<>(COLD, 0, null, value));
      }
    }
  }

  private static List<Path> segments(Path partition) throws IOException {
    try (Stream<Path> files = Files.list(partition)) {
      return files.filter(file -> file.toString().endsWith(".log")).sorted().toList();
    }
  }

  /** A scrub reads what was written a moment ago through the cache. */
  private static void makeCold(List<Path> files) throws Exception {
    PageCache.drop(files);
    for (Path file : files) {
      Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(3600)));
    }
  }

  private void run(Beside beside, BrokerProcess broker, ClientLoad load) throws Exception {
    List<Path> cold = segments(broker.partition(COLD));
    List<Path> hot = segments(broker.partition(HOT));
    makeCold(cold);
    long coldBefore = PageCache.residentBytes(cold);
    long hotBefore = PageCache.residentBytes(hot);
    @Nullable Process process = start(beside, broker.data());
    Latencies latencies = load.run(SECONDS, random);
    long coldAfter = PageCache.residentBytes(cold);
    long hotAfter = PageCache.residentBytes(hot);
    if (process != null) {
      process.destroy();
      assertTrue(process.waitFor(30, TimeUnit.SECONDS));
      String out = Files.readString(folder.resolve("out"));
      assertFalse(out.contains("FAULT") || out.contains("Exception"), out);
    }
    if (beside == Beside.SCRUB) {
      assertTrue(readFromDisk() > MIB, "the scrub has not read");
      assertTrue(coldAfter - coldBefore <= MIB, () -> (coldAfter - coldBefore) + " bytes");
    }
    assertTrue(hotAfter >= hotBefore, "pages of hot segments were dropped");
    rows.add(
        String.format(
            Locale.ROOT,
            "| %s | %s | %.2f | %.2f | %.2f | %.2f | %.1f -> %.1f | %.1f -> %.1f |",
            beside.label,
            beside == Beside.SCRUB ? Math.round(readFromDisk() / MIB) : "",
            Latencies.millis(latencies.produced(), 0.5),
            Latencies.millis(latencies.produced(), 0.99),
            Latencies.millis(latencies.fetched(), 0.5),
            Latencies.millis(latencies.fetched(), 0.99),
            coldBefore / MIB,
            coldAfter / MIB,
            hotBefore / MIB,
            hotAfter / MIB));
  }

  /** Returns the number of bytes that the last scrub has read past the page cache. */
  private double readFromDisk() throws IOException {
    String name = "batchvalidator_scrub_read_bytes_total{";
    return Files.readAllLines(folder.resolve(METRICS)).stream()
        .filter(line -> line.startsWith(name) && line.contains(",from=\"disk\"} "))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }

  /** Starts what runs beside the clients, or returns null. */
  private @Nullable Process start(Beside beside, Path data) throws Exception {
    if (beside == Beside.NOTHING) {
      return null;
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(CheckCommand.class.getName());
    if (beside == Beside.SCRUB) {
      command.addAll(List.of("scrub", "--rate", RATE, data.toString()));
      command.addAll(List.of("--metrics-file", folder.resolve(METRICS).toString()));
    } else {
      command.addAll(List.of("-q", "--threads", "1", data.resolve(COLD + "-0").toString()));
    }
    return new ProcessBuilder(command)
        .redirectOutput(folder.resolve("out").toFile())
        .redirectErrorStream(true)
        .start();
  }

  private void report() throws Exception {
    String head =
        """
        # What a scrub costs a live broker

        A stock broker of 4.3, 500 records of 1 KiB a second with `acks=all`, one consumer; %d MiB of \
        cold segments that the broker has not in the cache. Latencies in milliseconds; "fetch" is \
        from the call of the producer to the arrival at the consumer. Phases of %d seconds take \
        turns; the scrub runs at %s. Made by `scripts/scrub-cost`.

        | beside | MiB from the disk | produce p50 | p99 | fetch p50 | p99 | cold segments in the cache, MiB | hot |
        |---|--:|--:|--:|--:|--:|--:|--:|
        """
            .formatted(MEBIBYTES, SECONDS, RATE);
    String text = head + String.join("\n", rows) + "\n";
    String file = System.getProperty("scrub.report");
    if (file != null) {
      Files.writeString(Path.of("..").resolve(file), text);
    }
    System.out.println(text);
  }
}
