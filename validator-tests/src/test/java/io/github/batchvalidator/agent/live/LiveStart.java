// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.live;

import io.github.batchvalidator.testkit.broker.Await;
import io.github.batchvalidator.testkit.broker.BrokerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A start of a broker in the folder of one that was killed. The broker is killed again.
 *
 * @param ready seconds from the start of the JVM until the broker says that it has started
 * @param loaded seconds that Kafka says its logs took
 * @param cpu seconds of all threads, until the broker says that it has started
 * @param recovered segments that the agent recovered
 * @param left segments that the agent left to Kafka
 */
record LiveStart(double ready, double loaded, double cpu, long recovered, long left) {
  private static final Pattern LOADED = Pattern.compile("Loaded \\d+ logs in (\\d+)ms");
  private static final String RECOVERED = "Recovered segment ";
  private static final String LEFT = "Left segment ";
  private static final double NANOS = 1e9;
  private static final int SECONDS = 60;

  /**
   * Starts a broker, waits until it serves and kills it.
   *
   * @param cgroup that limits the broker's reads, or null
   */
  static LiveStart of(CrashedBroker crashed, boolean withAgent, @Nullable Path cgroup)
      throws Exception {
    try (BrokerProcess broker = crashed.launch(withAgent)) {
      if (cgroup != null) {
        String pid = Long.toString(broker.pid());
        Files.writeString(cgroup.resolve("cgroup.procs"), pid, StandardOpenOption.WRITE);
      }
      broker.awaitStart();
      Duration cpu =
          ProcessHandle.of(broker.pid())
              .flatMap(each -> each.info().totalCpuDuration())
              .orElse(Duration.ZERO);
      String log = broker.log();
      return new LiveStart(
          broker.startNanos() / NANOS,
          loaded(log),
          cpu.toNanos() / NANOS,
          count(log, RECOVERED),
          count(log, LEFT));
    }
  }

  /**
   * Starts a broker with the agent and kills it when it has recovered its first segments.
   *
   * @return the number of segments that it had recovered
   */
  static long killed(CrashedBroker crashed) throws Exception {
    BrokerProcess broker = crashed.launch(true);
    try (broker) {
      Await.until(
          SECONDS, () -> count(broker.log(), RECOVERED) > 0 || !broker.isAlive(), broker::log);
    }
    return count(broker.log(), RECOVERED);
  }

  private static double loaded(String log) {
    Matcher matcher = LOADED.matcher(log);
    if (!matcher.find()) {
      throw new IllegalStateException("Kafka does not say how long its logs took:\n" + log);
    }
    return Long.parseLong(matcher.group(1)) / 1e3;
  }

  private static long count(String log, String text) {
    return log.lines().filter(each -> each.contains(text)).count();
  }
}
