// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import io.github.batchvalidator.docs.OperatorsKit;
import io.github.batchvalidator.dropin.Lines;
import io.github.batchvalidator.testkit.broker.ClusterMember;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The Prometheus JMX exporter with the rules of {@code deploy}.
 *
 * @param port the port of the loopback address that it answers at
 */
record Exporter(int port) {
  /** Returns an exporter for a port that is free now. */
  static Exporter onFreePort() throws IOException {
    return new Exporter(ClusterMember.freePort());
  }

  /** Returns the option of the JVM that starts it. */
  String option() throws IOException {
    try (Stream<Path> jars = Files.list(Lines.build().resolve("jmx-exporter"))) {
      return "-javaagent:"
          + jars.findFirst().orElseThrow()
          + "=127.0.0.1:"
          + port
          + ":"
          + OperatorsKit.exporterRules();
    }
  }

  /** Returns the values by name and labels. */
  Map<String, Double> scrape() throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics")).build();
    HttpResponse<String> response =
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() != 200) {
      throw new IOException(response.toString());
    }
    Map<String, Double> values = new TreeMap<>();
    for (String line : response.body().lines().toList()) {
      if (line.matches("(batchvalidator|kafka)_.*")) {
        int space = line.lastIndexOf(' ');
        values.put(line.substring(0, space), Double.valueOf(line.substring(space + 1)));
      }
    }
    return values;
  }

  /** Returns the names of the metrics that have risen. */
  static Set<String> risen(Map<String, Double> before, Map<String, Double> after) {
    Set<String> risen = new TreeSet<>();
    after.forEach(
        (series, value) -> {
          Double earlier = before.get(series);
          if (earlier != null && value > earlier) {
            risen.add(series.replaceFirst("\\{.*", ""));
          }
        });
    if (!after.keySet().containsAll(before.keySet())) {
      throw new IllegalStateException("a series has gone: " + after.keySet());
    }
    return risen;
  }
}
