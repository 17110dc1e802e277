// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import static io.github.batchvalidator.bench.broker.LoadedClasses.LOG_VALIDATOR;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertIterableEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.bench.broker.BrokerProcess;
import io.github.batchvalidator.bench.broker.LoadedClasses;
import io.github.batchvalidator.dropin.Lines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A broker of each line, stock and with our jar: what clients do with it goes the same way. */
@Tag("broker")
@ParameterizedClass
@MethodSource("lines")
class BrokerTest {
  @TempDir private static Path directory;

  private static final List<BrokerProcess> STARTED = new ArrayList<>();

  private static @Nullable Runs runs;

  @Parameter private String line = "";

  /** What both brokers did with the same. */
  private record Runs(List<Scenario> scenarios, BrokerRun stock, BrokerRun ours) {}

  static List<String> lines() {
    return BuiltJars.lines();
  }

  @BeforeParameterizedClassInvocation
  static void start(String line) throws Exception {
    List<Scenario> scenarios = Scenarios.of(System.currentTimeMillis() - 60_000);
    BrokerProcess stock = start(line + "-stock", BuiltJars.stock(line));
    BrokerRun stockRun = BrokerRun.of(stock, scenarios);
    BrokerProcess ours = start(line + "-ours", BuiltJars.ours(line));
    runs = new Runs(scenarios, stockRun, BrokerRun.of(ours, scenarios));
  }

  private static BrokerProcess start(String name, List<Path> classPath) throws Exception {
    Path folder = Files.createDirectory(directory.resolve(name));
    BrokerProcess broker = BrokerProcess.start(folder, classPath, List.of());
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
    assertFalse(ours.before().has(LOG_VALIDATOR), "loaded before anything was produced");
    assertEquals(jar, ours.after().jarsOf(LOG_VALIDATOR));
    assertEquals(jar, ours.after().jarsOf("io.github.batchvalidator.dropin.AppendValidation"));
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
  void producersAreToldTheSame() {
    for (Scenario scenario : runs().scenarios()) {
      assertIterableEquals(
          answers(scenario, runs().stock()), answers(scenario, runs().ours()), scenario.topic());
    }
  }

  /** So that nothing above and below is compared of scenarios that fail altogether. */
  @Test
  void whatIsRefusedIsWhatShouldBe() {
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
      for (BrokerRun run : List.of(runs().stock(), runs().ours())) {
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
      assertIterableEquals(
          log(scenario, runs().stock()), log(scenario, runs().ours()), scenario.topic());
    }
  }

  private static List<StoredBatch> log(Scenario scenario, BrokerRun run) throws IOException {
    Path partition = run.outcome(scenario).partition();
    return StoredBatch.read(partition, run, scenario.isRebuilt());
  }

  @Test
  void leaderEpochsAreIdentical() throws IOException {
    for (Scenario scenario : runs().scenarios()) {
      assertEquals(
          epochs(scenario, runs().stock()), epochs(scenario, runs().ours()), scenario.topic());
    }
  }

  private static String epochs(Scenario scenario, BrokerRun run) throws IOException {
    Path file = run.outcome(scenario).partition().resolve("leader-epoch-checkpoint");
    return Files.readString(file);
  }
}
