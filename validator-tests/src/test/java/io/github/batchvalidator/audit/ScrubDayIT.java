// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A day of a scrub, by a clock that moves only while the scrub waits. */
class ScrubDayIT {
  @TempDir private Path directory;
  private Path data;
  private Path metrics;

  @BeforeEach
  void createDirectories() throws IOException {
    data = Files.createDirectory(directory.resolve("data"));
    metrics = directory.resolve("scrub.prom");
  }

  private double metric(String name) throws Exception {
    return Scrubbed.metric(metrics, "batchvalidator_scrub_" + name);
  }

  /** A day at 1 kB/s: all partitions are read equally often, and never faster than allowed. */
  @Test
  void aDay() throws Exception {
    for (int i = 0; i < 3; i++) {
      ScrubTest.partition(data.resolve("orders-" + i), 300);
    }
    long bytes = bytes();
    Scrubbed day = Scrubbed.of(data).metrics(metrics).rate("1kB/s");
    long start = day.millis();
    long end = start + Duration.ofDays(1).toMillis();
    day.watched(
        scrub -> {
          if (day.millis() >= end) {
            scrub.stop();
          }
        });
    day.forever();
    assertEquals(List.of(), day.faults());
    assertEquals(List.of(), day.errors());
    String directories = "{directories=\"" + data + "\"";
    double read =
        metric("read_bytes_total" + directories + ",from=\"disk\"}")
            + metric("read_bytes_total" + directories + ",from=\"cache\"}");
    assertTrue(read <= 86_400_000 + bytes, () -> read + " bytes");
    assertTrue(read > 86_000_000, () -> read + " bytes");
    int passes = day.passes().size();
    assertEquals(read / bytes, passes, 1.0);
    for (int i = 0; i < 3; i++) {
      String name = "orders-" + i;
      long checks = day.names().stream().filter(name::equals).count();
      assertTrue(Math.abs(checks - passes) <= 1, () -> checks + " checks in " + passes + " passes");
    }
    double oldest = metric("oldest_check_timestamp_seconds{directory=\"" + data + "\"}");
    assertEquals(end / 1000.0, oldest, 2 * bytes / 1000.0);
    assertEquals(passes, metric("passes_total" + directories + "}"));
  }

  private long bytes() throws IOException {
    try (Stream<Path> files = Files.walk(data)) {
      long sum = 0;
      for (Path file : files.filter(each -> each.toString().endsWith(".log")).toList()) {
        sum += Files.size(file);
      }
      return sum;
    }
  }
}
