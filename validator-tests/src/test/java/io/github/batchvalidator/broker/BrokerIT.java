// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import static io.github.batchvalidator.testkit.broker.LoadedClasses.LOG_VALIDATOR;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertIterableEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.dropin.Lines;
import io.github.batchvalidator.dropin.management.DropInMXBean;
import io.github.batchvalidator.testkit.broker.BrokerBeans;
import io.github.batchvalidator.testkit.broker.BrokerBuild;
import io.github.batchvalidator.testkit.broker.BrokerProcess;
import io.github.batchvalidator.testkit.broker.LoadedClasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A broker of each line, stock, with our jar, and with the agent beside it: what clients do with it
 * goes the same way.
 */
@Tag("broker")
@ParameterizedClass
@MethodSource("lines")
class BrokerIT {
  @TempDir private static Path directory;

  private static final List<BrokerProcess> STARTED = new ArrayList<>();

  private static @Nullable Runs runs;

  @Parameter private String line = "";

  /** The answers of the brokers to the same appends, and the counts of the last broker. */
  private record Runs(
      List<Scenario> scenarios,
      BrokerRun stock,
      BrokerRun ours,
      BrokerRun agent,
      long stamped,
      Map<String, Long> fallbacks,
      String log) {
    List<BrokerRun> withOurs() {
      return List.of(ours, agent);
    }
  }

  static List<String> lines() {
    return Lines.brokers();
  }

  @BeforeParameterizedClassInvocation
  static void start(String line) throws Exception {
    List<Scenario> scenarios = Scenarios.of(System.currentTimeMillis() - 60_000);
    BrokerProcess stock = start(line, BrokerBuild.KAFKA);
    BrokerProcess ours = start(line, BrokerBuild.DROP_IN);
    BrokerProcess agent = start(line, BrokerBuild.DROP_IN_AGENT);
    List<BrokerRun> ran = atTheSameTime(List.of(stock, ours, agent), scenarios);
    try (BrokerBeans beans = new BrokerBeans(agent)) {
      DropInMXBean counts = beans.dropIn();
      runs =
          new Runs(
              scenarios,
              ran.get(0),
              ran.get(1),
              ran.get(2),
              counts.getOffLockStamped(),
              counts.getOffLockFallbacks(),
              agent.log());
    }
  }

  /** A scenario waits for the answer to each batch, so the brokers would idle one by one. */
  private static List<BrokerRun> atTheSameTime(
      List<BrokerProcess> brokers, List<Scenario> scenarios) throws Exception {
    ExecutorService clients = Executors.newFixedThreadPool(brokers.size());
    try {
      List<Future<BrokerRun>> running =
          brokers.stream()
              .map(each -> clients.submit(() -> BrokerRun.of(each, scenarios)))
              .toList();
      List<BrokerRun> ended = new ArrayList<>();
      for (Future<BrokerRun> each : running) {
        ended.add(each.get());
      }
      return ended;
    } finally {
      clients.shutdownNow();
    }
  }

  private static BrokerProcess start(String line, BrokerBuild build) throws Exception {
    Path folder = directory.resolve(line + "-" + build);
    BrokerProcess broker = Lines.jars().start(build, line, folder, List.of());
    STARTED.add(broker);
    return broker;
  }

  @AfterParameterizedClassInvocation
  static void stop() {
    STARTED.forEach(BrokerProcess::close);
    STARTED.clear();
  }

  private static Runs runs() {
    return Objects.requireNonNull(runs);
  }

  @Test
  void ourClassTookThePlaceOfKafkas() {
    Set<String> jar = Set.of(Lines.jar(line).getFileName().toString());
    BrokerRun ours = runs().ours();
    assertEquals(jar, ours.before().jarsOf(LOG_VALIDATOR), "settings are checked at the start");
    assertEquals(jar, ours.after().jarsOf(LOG_VALIDATOR));
    assertEquals(
        jar, ours.after().jarsOf("io.github.batchvalidator.dropin.append.AppendValidation"));
  }

  /**
   * One append of each topic teaches, what is written anew or refused is left to the lock, and with
   * bounds on both sides a millisecond is too long; all else is only stamped.
   */
  @Test
  void withTheAgentAppendsAreInspectedBeforeTheLock() {
    assertTrue(runs().log().contains("inspects before the partition's lock: changed "));
    assertTrue(runs().log().contains("takes the place of LogValidator, inspects before the"));
    List<Scenario> seen =
        runs().scenarios().stream().filter(s -> !s.topic().startsWith("too-large")).toList();
    long least = 0;
    for (Scenario scenario : seen) {
      boolean twoBounds = scenario.topic().startsWith("times");
      boolean stays = !scenario.isRebuilt() && !twoBounds;
      least += stays ? scenario.batches().size() - scenario.refusedBatches() - 1 : 0;
    }
    Map<String, Long> fallbacks = runs().fallbacks();
    assertTrue(runs().stamped() >= least, () -> runs().stamped() + " " + fallbacks);
    assertEquals(seen.size(), fallbacks.get("FIRST_APPEND"), fallbacks::toString);
    assertTrue(
        Set.of("FIRST_APPEND", "NOT_IN_PLACE", "OTHER_TIME", "REFUSED")
            .containsAll(fallbacks.keySet()),
        fallbacks::toString);
  }

  @Test
  void theStockBrokerHasNothingOfOurs() {
    LoadedClasses loaded = runs().stock().after();
    Set<String> jars = loaded.jarsOf(LOG_VALIDATOR);
    assertEquals(1, jars.size());
    assertTrue(jars.iterator().next().startsWith("kafka-storage-" + line), jars.toString());
    assertEquals(Set.of(), loaded.of("io.github.batchvalidator"));
  }

  @Test
  void producersGetTheSameAnswers() {
    for (Scenario scenario : runs().scenarios()) {
      for (BrokerRun run : runs().withOurs()) {
        assertIterableEquals(
            answers(scenario, runs().stock()), answers(scenario, run), scenario.topic());
      }
    }
  }

  /** The comparisons of this class would prove nothing if all scenarios failed. */
  @Test
  void eachScenarioRefusesItsNumberOfBatches() {
    for (Scenario scenario : runs().scenarios()) {
      long refused =
          runs().ours().outcome(scenario).answers().stream()
              .filter(batch -> !batch.get(0).accepted())
              .count();
      assertEquals(scenario.refusedBatches(), refused, scenario.topic());
    }
  }

  private static List<List<Answer>> answers(Scenario scenario, BrokerRun run) {
    List<List<Answer>> answers = new ArrayList<>();
    for (List<Answer> batch : run.outcome(scenario).answers()) {
      answers.add(batch.stream().map(a -> scenario.keepsAppendTime() ? a.masked(run) : a).toList());
    }
    return answers;
  }

  @Test
  void everythingComesBackAsItWasSent() {
    for (Scenario scenario : runs().scenarios()) {
      for (BrokerRun run : List.of(runs().stock(), runs().ours(), runs().agent())) {
        Outcome outcome = run.outcome(scenario);
        assertIterableEquals(
            Arrived.expected(scenario, outcome, false),
            Arrived.of(outcome.read(), run),
            scenario.topic());
        assertIterableEquals(
            Arrived.expected(scenario, outcome, true),
            Arrived.of(outcome.committed(), run),
            scenario.topic());
      }
    }
  }

  @Test
  void logsAreIdentical() throws IOException {
    for (Scenario scenario : runs().scenarios()) {
      for (BrokerRun run : runs().withOurs()) {
        assertIterableEquals(log(scenario, runs().stock()), log(scenario, run), scenario.topic());
      }
    }
  }

  private static List<StoredBatch> log(Scenario scenario, BrokerRun run) throws IOException {
    Path partition = run.outcome(scenario).partition();
    return StoredBatch.read(partition, run, scenario.isRebuilt());
  }

  @Test
  void leaderEpochsAreIdentical() throws IOException {
    for (Scenario scenario : runs().scenarios()) {
      for (BrokerRun run : runs().withOurs()) {
        assertEquals(epochs(scenario, runs().stock()), epochs(scenario, run), scenario.topic());
      }
    }
  }

  private static String epochs(Scenario scenario, BrokerRun run) throws IOException {
    Path file = run.outcome(scenario).partition().resolve("leader-epoch-checkpoint");
    return Files.readString(file);
  }
}
