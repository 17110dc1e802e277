// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.dropin.Lines;
import io.github.batchvalidator.testkit.broker.BrokerBeans;
import io.github.batchvalidator.testkit.broker.BrokerBuild;
import io.github.batchvalidator.testkit.broker.BrokerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/**
 * The agent and AOT caches: one that was trained with the agent serves it, another has the log
 * loaded before the agent can change it.
 */
@Tag("broker")
@EnabledForJreRange(min = JRE.JAVA_25)
class AgentCacheIT {
  private static final String LINE = "4.3";
  private static final int MOST_CLASSES = 5_000;

  @TempDir private Path directory;

  @Test
  void aCacheTrainedWithTheAgentIsUsed() throws Exception {
    Path cache = train(BrokerBuild.DROP_IN_AGENT);
    try (BrokerProcess broker = run(cache)) {
      assertTrue(stamped(broker) > 0, broker.log());
      String changed = "agent inspects before the partition's lock: changed ";
      assertTrue(broker.log().contains(changed), broker.log());
      assertCacheIsUsed(broker);
    }
  }

  /** With the module that an agent brings along: else the JVM refuses the cache by itself. */
  @Test
  void aCacheTrainedWithoutTheAgentIsWarnedAbout() throws Exception {
    Path cache = train(BrokerBuild.DROP_IN, "--add-modules=java.instrument");
    try (BrokerProcess broker = run(cache)) {
      assertEquals(0, stamped(broker), broker.log());
      assertTrue(broker.log().contains("UnifiedLog was loaded before it"), broker.log());
      assertCacheIsUsed(broker);
    }
  }

  private static void assertCacheIsUsed(BrokerProcess broker) throws IOException {
    int archived = broker.classes().archived();
    assertTrue(archived > MOST_CLASSES, () -> "only " + archived);
  }

  private Path train(BrokerBuild build, String... more) throws Exception {
    Path cache = directory.resolve("broker.aot");
    List<String> options = new ArrayList<>(List.of(more));
    options.add("-XX:AOTCacheOutput=" + cache);
    try (BrokerProcess broker = start("train", build, options)) {
      stamped(broker);
      broker.stop();
      assertTrue(Files.exists(cache), broker.log());
    }
    return cache;
  }

  private BrokerProcess run(Path cache) throws Exception {
    return start("run", BrokerBuild.DROP_IN_AGENT, List.of("-XX:AOTCache=" + cache));
  }

  private BrokerProcess start(String name, BrokerBuild build, List<String> options)
      throws Exception {
    return Lines.measuredJars().start(build, LINE, directory.resolve(name), options);
  }

  /** Appends some, and returns how many of them were only stamped under the lock. */
  private static long stamped(BrokerProcess broker) throws Exception {
    List<Scenario> plain = new ArrayList<>(Scenarios.of(System.currentTimeMillis() - 60_000));
    plain.removeIf(scenario -> !scenario.topic().startsWith("plain-"));
    BrokerRun.of(broker, plain);
    try (BrokerBeans beans = new BrokerBeans(broker)) {
      return beans.dropIn().getOffLockStamped();
    }
  }
}
