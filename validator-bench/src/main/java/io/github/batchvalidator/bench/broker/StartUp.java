// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import static io.github.batchvalidator.testkit.broker.BrokerBuild.DROP_IN;
import static io.github.batchvalidator.testkit.broker.BrokerBuild.DROP_IN_AGENT;
import static io.github.batchvalidator.testkit.broker.BrokerBuild.KAFKA;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testkit.broker.BrokerBuild;
import io.github.batchvalidator.testkit.broker.BrokerJars;
import io.github.batchvalidator.testkit.broker.BrokerProcess;
import io.github.batchvalidator.testkit.broker.LoadedClasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import org.apache.commons.math3.stat.descriptive.DescriptiveStatistics;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Measures the time from the start of a broker's JVM to the line that says it started. The ways
 * take turns: stock, with the drop-in jar, with the agent, and on JDK 25 and later also with an AOT
 * cache. One more start of each way counts the classes that are loaded after an append, those from
 * an archive, and the validator's classes that were loaded before.
 */
public final class StartUp {
  private static final int FIRST_WITH_AOT_CACHE = 25;
  private static final Pattern VALIDATOR =
      Pattern.compile("io\\.github\\.batchvalidator\\.|\\.log\\.LogValidator");
  private static final String USE_CACHE = "-XX:AOTCache=";
  private static final double NANOS_PER_MS = 1e6;
  private static final String TOPIC = "probe";
  private static final int VALUE_BYTES = 1000;

  private final Path folder;
  private final BrokerJars jars;
  private final String line;
  private final List<Way> ways = new ArrayList<>();
  private int starts;

  /** One way to start a broker, and the milliseconds of its starts. */
  private record Way(String name, BrokerBuild build, List<String> options, List<Double> timesMs) {
    boolean isCached() {
      return options.stream().anyMatch(option -> option.startsWith(USE_CACHE));
    }
  }

  private StartUp(Path folder, BrokerJars jars, String line) {
    this.folder = folder;
    this.jars = jars;
    this.line = line;
  }

  /**
   * Prints a table in Markdown.
   *
   * @param args the folder of the brokers' jars, that of the drop-in jars, their version, the Kafka
   *     line, the number of timed starts of each way, and an empty folder to work in
   * @throws IOException if that folder cannot be written
   * @throws InterruptedException if a wait is interrupted
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    // Brokers run in folders of their own.
    Path brokers = Path.of(args[0]).toAbsolutePath();
    BrokerJars jars =
        new BrokerJars(brokers, Path.of(args[1]).toAbsolutePath(), args[2], List.of());
    int rounds = Integer.parseInt(args[4]);
    StartUp startUp = new StartUp(Path.of(args[5]), jars, args[3]);
    startUp.chooseWays();
    startUp.time(rounds);
    startUp.print(rounds);
  }

  private void chooseWays() throws IOException, InterruptedException {
    add("stock", KAFKA);
    add("with the jar", DROP_IN);
    add("with the jar and the agent", DROP_IN_AGENT);
    if (Runtime.version().feature() >= FIRST_WITH_AOT_CACHE) {
      String ofStock = USE_CACHE + train(KAFKA);
      add("stock, cache trained so", KAFKA, ofStock);
      add("with the jar, cache trained so", DROP_IN, USE_CACHE + train(DROP_IN));
      add(
          "with the jar and the agent, cache trained so",
          DROP_IN_AGENT,
          USE_CACHE + train(DROP_IN_AGENT));
      add("with the jar, cache trained without", DROP_IN, ofStock);
    }
  }

  private void add(String name, BrokerBuild build, String... options) {
    ways.add(new Way(name, build, List.of(options), new ArrayList<>()));
  }

  /** Starts a broker, appends, and stops it gracefully, which makes the JVM write the cache. */
  private Path train(BrokerBuild build) throws IOException, InterruptedException {
    Path cache = folder.resolve(build + ".aot");
    Path home = folder.resolve("train-" + build);
    List<String> options = List.of("-XX:AOTCacheOutput=" + cache);
    try (BrokerProcess broker = jars.start(build, line, home, options)) {
      append(broker);
      broker.stop();
      if (!Files.exists(cache)) {
        throw new IllegalStateException("no cache was written: " + broker.log());
      }
    }
    return cache;
  }

  /** Appends a batch of each codec. */
  private static void append(BrokerProcess broker) throws InterruptedException {
    try {
      broker.clients().createTopics(TOPIC);
      for (Codec codec : Codec.values()) {
        String name = codec.name().toLowerCase(Locale.ROOT);
        try (KafkaProducer<byte[], byte[]> producer =
            broker.clients().producer(Map.of("compression.type", name))) {
          producer.send(new ProducerRecord<>(TOPIC, new byte[VALUE_BYTES])).get();
        }
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private void time(int rounds) throws IOException, InterruptedException {
    List<Way> order = new ArrayList<>(ways);
    for (int round = 0; round < rounds; round++, Collections.reverse(order)) {
      for (Way way : order) {
        List<String> options = new ArrayList<>(way.options);
        options.add("-Xlog:disable"); // above all the log of the classes
        try (BrokerProcess broker = start(way, options)) {
          way.timesMs.add(broker.startNanos() / NANOS_PER_MS);
        }
      }
    }
  }

  private BrokerProcess start(Way way, List<String> options)
      throws IOException, InterruptedException {
    return jars.start(way.build, line, folder.resolve("start-" + starts++), options);
  }

  private void print(int rounds) throws IOException, InterruptedException {
    System.out.printf(
        "Kafka %s, JDK %s, %d starts each, in alternating order; from the start of the JVM to"
            + " \"started\", in ms. The column beyond is the median of the differences to a stock"
            + " broker, cached if this one is, in the same round.%n%n",
        line, System.getProperty("java.version"), rounds);
    System.out.println(
        "| broker | least | median | greatest | beyond | classes | from an archive | classes of the"
            + " validator | from an archive | when started | cache |");
    System.out.println("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|");
    for (Way way : ways) {
      print(way);
    }
    System.out.println();
    for (Way way : ways) {
      System.out.println("- " + way.name + ": " + way.timesMs.stream().map(Math::round).toList());
    }
  }

  private void print(Way way) throws IOException, InterruptedException {
    var times = statistics(way.timesMs);
    try (BrokerProcess broker = start(way, way.options)) {
      int whenStarted = broker.classes().matching(VALIDATOR).size();
      append(broker);
      LoadedClasses loaded = broker.classes();
      LoadedClasses validator = loaded.matching(VALIDATOR);
      System.out.printf(
          Locale.ROOT,
          "| %s | %.0f | %.0f | %.0f | %.0f | %d | %d | %d | %d | %d | %s |%n",
          way.name,
          times.getMin(),
          times.getPercentile(50),
          times.getMax(),
          beyond(way),
          loaded.size(),
          loaded.archived(),
          validator.size(),
          validator.archived(),
          whenStarted,
          cache(way, loaded));
    }
  }

  private double beyond(Way way) {
    // The stock broker is the first way, with a cache and without one.
    Way stock = ways.stream().filter(e -> e.isCached() == way.isCached()).findFirst().orElseThrow();
    List<Double> differences = new ArrayList<>();
    for (int i = 0; i < way.timesMs.size(); i++) {
      differences.add(way.timesMs.get(i) - stock.timesMs.get(i));
    }
    return statistics(differences).getPercentile(50);
  }

  private static DescriptiveStatistics statistics(List<Double> values) {
    return new DescriptiveStatistics(values.stream().mapToDouble(Double::doubleValue).toArray());
  }

  /** A rejected cache also disables the archive of the JDK's own classes. */
  private static String cache(Way way, LoadedClasses loaded) {
    if (!way.isCached()) {
      return "";
    }
    return loaded.archived() == 0 ? "refused" : "used";
  }
}
