// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Writes files as JMH does, of made-up rows. */
final class JmhFile {
  private final List<String> rows = new ArrayList<>();

  /** Adds a row of times; one time stands for three, 10 ns apart. */
  JmhFile add(String benchmark, String params, double... iterations) {
    return add(benchmark, params, "ns/op", 10, iterations);
  }

  /**
   * Adds a row.
   *
   * @param params as {@code a=1 b=2}
   * @param apart how far one value is from the two that are added to it; NaN to add none
   */
  JmhFile add(String benchmark, String params, String unit, double apart, double... values) {
    boolean isAlone = values.length == 1 && !Double.isNaN(apart);
    double[] iterations =
        isAlone ? new double[] {values[0] - apart, values[0], values[0] + apart} : values;
    double mean = Arrays.stream(iterations).average().orElseThrow();
    double[] sorted = Arrays.stream(iterations).sorted().toArray();
    String raw =
        Arrays.stream(iterations).mapToObj(String::valueOf).collect(Collectors.joining(", "));
    String primary =
        metric(mean, 1, sorted[sorted.length / 2], unit, ", \"rawData\": [[" + raw + "]]")
            .replaceFirst("\"0.0\": [^,]*", "\"0.0\": " + sorted[0]);
    return addMetric(benchmark, params, "avgt", primary);
  }

  /** Adds a row of threads that compete, with JMH's own rate and that by the clock. */
  JmhFile addHot(String benchmark, String params, int threads, double own, double byTheClock) {
    add(benchmark, params, "ops/s", 10, own);
    String row = rows.remove(rows.size() - 1).replace("\"threads\": 1", "\"threads\": " + threads);
    String appends = metric(byTheClock, 1, byTheClock, "1/s", "");
    rows.add(row.replace("\"plain\":", "\"appends\": " + appends + ", \"plain\":"));
    return this;
  }

  /** Adds a row whose metric is given as JMH writes it. */
  JmhFile addMetric(String benchmark, String params, String mode, String primary) {
    rows.add(
        """
        {"jmhVersion": "1.37", "benchmark": "io.github.batchvalidator.bench.%s", "mode": "%s",
         "threads": 1, "forks": 1, "jvm": "/opt/secret/jdk/bin/java",
         "jvmArgs": ["-Xms2g", "-Djava.io.tmpdir=/home/secret/tmp", "-agentpath:/opt/secret/lib.so=a,b=/c/d"],
         "jdkVersion": "17.0.1", "vmName": "Some VM", "vmVersion": "17.0.1+1",
         "warmupIterations": 2, "warmupTime": "1 s", "warmupBatchSize": 1,
         "measurementIterations": 5, "measurementTime": "1 s", "measurementBatchSize": 1,
         "params": {%s},
         "primaryMetric": %s,
         "secondaryMetrics": {"gc.alloc.rate.norm": %s, "plain": %s}}
        """
            .formatted(
                benchmark,
                mode,
                params(params),
                primary,
                metric(2000.004, 0.01, 2000.001, "B/op", ", \"rawData\": [[2000.001]]"),
                metric(640, 5, 641, "MB/s", ", \"rawData\": [[641]]")));
    return this;
  }

  private static String params(String params) {
    return params.isEmpty()
        ? ""
        : Arrays.stream(params.split(" ", -1))
            .map(each -> '"' + each.replace("=", "\": \"") + '"')
            .collect(Collectors.joining(", "));
  }

  static String metric(double mean, double error, double median, String unit, String more) {
    return String.format(
        Locale.ROOT,
        """
        {"score": %s, "scoreError": %s, "scoreConfidence": [%s, %s],
         "scorePercentiles": {"0.0": %5$s, "50.0": %5$s, "90.0": %5$s, "95.0": %5$s, "99.0": %5$s, "100.0": %5$s},
         "scoreUnit": "%6$s"%7$s}\
        """,
        mean,
        number(error),
        number(mean - error),
        number(mean + error),
        median,
        unit,
        more);
  }

  /** Writes the file. */
  Path write(Path file) throws IOException {
    return Files.writeString(file, "[\n" + String.join(",\n", rows) + "\n]\n");
  }

  private static String number(double value) {
    return Double.isNaN(value) ? "\"NaN\"" : String.valueOf(value);
  }
}
