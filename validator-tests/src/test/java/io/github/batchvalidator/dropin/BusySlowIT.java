// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.batchvalidator.dropin.BusyJvm.ExplicitGc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Measures many concurrent appends with the stock class and the drop-in jar. {@code scripts/busy}
 * runs it with {@code busy.seconds}, {@code busy.commit} and {@code busy.report}.
 */
@Tag("slow")
class BusySlowIT {
  private static final int SECONDS = Integer.getInteger("busy.seconds", 5);
  private static final int JDK_WITH_VIRTUAL_THREADS = 21;
  private static final List<Integer> THREADS = List.of(16, 64, 256);

  /** Each codec in place, and a rebuild to each codec. */
  private static final List<String> WORKLOADS =
      List.of(
          "none",
          "gzip",
          "snappy",
          "lz4",
          "zstd",
          "gzip-none",
          "zstd-gzip",
          "none-snappy",
          "zstd-lz4",
          "lz4-zstd");

  private final List<String> failures = new ArrayList<>();

  @Test
  void refusesNoValidBatchAndNeedsNoMemoryBeyondItsWorkers() throws Exception {
    BusyReport report = new BusyReport(head());
    try {
      for (BusyJvm stock : stockJvms()) {
        BusyJvm ours = stock.withDropIn();
        for (String workload : WORKLOADS) {
          BusyFigures stockSaw = stock.run(SECONDS, List.of(workload));
          BusyFigures oursSaw = ours.run(SECONDS, List.of(workload));
          report.add(ours, workload, stockSaw, oursSaw);
          if (!oursSaw.isGood()) {
            failures.add(ours + " " + workload + " " + oursSaw);
          }
        }
        System.out.println(ours);
      }
    } finally {
      write(report);
    }
    assertEquals(List.of(), failures);
  }

  private static List<BusyJvm> stockJvms() {
    List<BusyJvm> all = new ArrayList<>();
    for (boolean virtual : kinds()) {
      for (int threads : THREADS) {
        for (ExplicitGc explicitGc : ExplicitGc.values()) {
          all.add(new BusyJvm(false, explicitGc, threads, virtual));
        }
      }
    }
    return all;
  }

  private static List<Boolean> kinds() {
    return Runtime.version().feature() >= JDK_WITH_VIRTUAL_THREADS
        ? List.of(false, true)
        : List.of(false);
  }

  private static String head() {
    return """
        `scripts/busy --seconds %d`, commit %s; Kafka %s, JDK %s, %s, %d processors.

        Each row runs two JVMs, one after the other, with 1 GiB of heap and Kafka's JVM flags.
        One thread appends for 2 seconds, then all threads append for %1$d seconds.
        Each thread has its own batches of %s records with values of %d bytes. MB are uncompressed values.
        `zstd` batches are stored in place. `lz4-zstd` batches have lz4 and are rebuilt to zstd.
        Explicit collections are `-XX:+ExplicitGCInvokesConcurrent`, Kafka's default, or `-XX:+DisableExplicitGC`.

        The needed direct memory is that of one worker, measured after the single thread, times the workers in the pool at the end.
        The run fails if ours refuses a batch, or if its direct memory exceeds twice the needed memory.
        """
        .formatted(
            SECONDS,
            System.getProperty("busy.commit", "unknown"),
            BusyJvm.KAFKA,
            Runtime.version(),
            System.getProperty("os.name") + " " + System.getProperty("os.arch"),
            Runtime.getRuntime().availableProcessors(),
            BusyBatch.RECORDS.stream().map(String::valueOf).collect(joining(", ")),
            BusyBatch.VALUE_BYTES);
  }

  private static void write(BusyReport report) throws IOException {
    String file = System.getProperty("busy.report");
    if (file != null) {
      Files.writeString(Path.of(file), report.toText());
    }
  }
}
