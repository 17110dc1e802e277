// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import io.github.batchvalidator.bench.workload.PayloadFile;
import io.github.batchvalidator.testkit.broker.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Kafka's own {@code ProducerPerformance}, each producer in a separate JVM. */
final class LoadGenerator {
  /** The line whose jars produce, whatever the line of the broker: Maven Central has its tools. */
  static final String LINE = "4.3";

  /**
   * Values of a file, from which producers draw: many more than a batch holds, so that few repeat.
   */
  private static final int PAYLOAD_BYTES = 8 << 20;

  /** A part of the records is left to the producer's own warm-up. */
  private static final int WARM_UP_PART = 5;

  private static final long MINUTES = 5;

  private final List<Path> classPath;
  private final Path folder;

  /**
   * Takes the jars of a release.
   *
   * @param folder for payload and output
   */
  LoadGenerator(List<Path> classPath, Path folder) {
    this.classPath = classPath;
    this.folder = folder;
  }

  /**
   * Produces, and returns when all is acknowledged.
   *
   * @throws IllegalStateException if not all was
   */
  Produced run(String address, String topic, Cell cell, long records)
      throws IOException, InterruptedException {
    int producers = cell.crowd().producers();
    List<String> command = command(address, topic, cell, records / producers);
    List<Process> processes = new ArrayList<>();
    try {
      for (int i = 0; i < producers; i++) {
        processes.add(
            new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output(i).toFile())
                .start());
      }
      return results(processes, records / producers);
    } finally {
      processes.forEach(Process::destroyForcibly);
    }
  }

  private Produced results(List<Process> processes, long records)
      throws IOException, InterruptedException {
    List<Produced> results = new ArrayList<>();
    for (int i = 0; i < processes.size(); i++) {
      boolean isDone = processes.get(i).waitFor(MINUTES, TimeUnit.MINUTES);
      String output = Files.readString(output(i));
      if (!isDone) {
        throw new IllegalStateException("a producer hangs:\n" + output);
      }
      Produced produced = Produced.parse(output);
      if (produced.records() != records) {
        throw new IllegalStateException("not all of " + records + " were taken:\n" + output);
      }
      results.add(produced);
    }
    return Produced.sum(results);
  }

  private Path output(int producer) {
    return folder.resolve("producer-" + producer + ".txt");
  }

  private List<String> command(String address, String topic, Cell cell, long records)
      throws IOException {
    int rate = cell.recordsPerSecond();
    List<String> words =
        List.of(
            "org.apache.kafka.tools.ProducerPerformance",
            "--bootstrap-server",
            address,
            "--topic",
            topic,
            "--num-records",
            String.valueOf(records),
            "--warmup-records",
            String.valueOf(records / WARM_UP_PART),
            "--throughput",
            String.valueOf(rate == Cell.FULL_SPEED ? rate : rate / cell.crowd().producers()),
            "--payload-file",
            payload(cell.valueBytes()).toString(),
            "--print-metrics",
            "--command-property",
            "acks=1",
            "compression.type=" + cell.codec(),
            "batch.size=" + cell.batching().bytes(),
            "linger.ms=" + cell.batching().lingerMs());
    return ChildJvm.command(classPath, List.of("-Xmx384m", "-XX:+UseSerialGC"), words);
  }

  private Path payload(int valueBytes) throws IOException {
    Path file = folder.resolve("payload-" + valueBytes + ".json");
    if (!Files.exists(file)) {
      PayloadFile.writeJson(file, PAYLOAD_BYTES / valueBytes, valueBytes);
    }
    return file;
  }
}
