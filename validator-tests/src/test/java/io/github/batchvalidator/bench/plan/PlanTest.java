// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.bench.workload.Fault;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Which runs of JMH become of what stands on the command line. */
class PlanTest {
  private static final String IN_PLACE =
      "io.github.batchvalidator.bench.InPlaceValidation.validate$";

  @Test
  void quickTakesEachCellThreeTimesWithItsContendersSideBySide() {
    List<List<String>> runs = Plan.of("quick", List.of());

    assertEquals(3 * 3 * 5, runs.size());
    assertEquals(3 * 5, Set.copyOf(runs).size());
    assertEquals(runs.subList(0, 15), runs.subList(15, 30));
    assertEquals(
        "-p batches=512 -p codec=none -p contender=ALLOCATING_BASELINE,KAFKA_LOG_VALIDATOR,CORE,DROP_IN"
            + " -p memory=HEAP -p payload=JSON -p records=1 -p valueBytes=1024 -i 6 -r 100ms -w 425ms -wi 4",
        behindBenchmark(runs.get(0)));
    assertTrue(
        runs.get(1)
            .contains(
                "contender=ALLOCATING_BASELINE,KAFKA_LOG_VALIDATOR,DECOMPRESS_ONLY,CORE,DROP_IN"),
        () -> "" + runs.get(1));
  }

  @Test
  void fullRunsEveryBenchmarkAndEveryCellOnce() {
    List<List<String>> runs = Plan.of("full", List.of());

    assertEquals(runs.size(), Set.copyOf(runs).size());
    assertEquals(3 * 2 * 5 * 4 * 3, runs.stream().filter(run -> run.contains(IN_PLACE)).count());
    assertEquals(
        Set.of(
            "AppendTimeStamp",
            "ColdStart",
            "HotPartition",
            "InPlaceValidation",
            "ManyPartitions",
            "MixedTraffic",
            "Rebuild",
            "RecordWalk",
            "RejectedBatch",
            "RuleCost"),
        runs.stream().map(run -> run.get(0).split("\\.", -1)[4]).collect(Collectors.toSet()));
    assertTrue(
        runs.stream()
            .filter(run -> !run.contains("magic=1") && !run.toString().contains("_FIRST"))
            .filter(run -> !run.get(0).contains("RuleCost"))
            .noneMatch(run -> run.toString().contains("contender=")));
  }

  @Test
  void theFloorConvertsNothing() {
    List<List<String>> runs = Plan.of("full", List.of("Rebuild", "-p", "magic=1"));

    assertEquals(4, runs.size());
    for (List<String> run : runs) {
      assertTrue(run.contains("contender=KAFKA_LOG_VALIDATOR,CORE"), () -> "" + run);
    }
  }

  @Test
  void recordsOfARunPassItsRules() {
    List<List<String>> runs =
        Plan.of("full", List.of("RuleCost", "-p", "codec=none", "-p", "valueBytes=100"));

    assertTrue(runs.get(0).contains("recordShape=KEY"), () -> "" + runs.get(0));
    assertTrue(
        runs.get(0).contains("contender=NONE,REQUIRED,SIZES,STARTS,TIMESTAMPS,SIMPLE"),
        () -> "" + runs.get(0));
    assertTrue(runs.get(1).contains("recordShape=KEY_AND_SCHEMA_ID"), () -> "" + runs.get(1));
    assertTrue(runs.get(1).toString().contains("HEADERS,SCHEMA_IDS,ALL"), () -> "" + runs.get(1));
  }

  @Test
  void regularExpressionChoosesBenchmarksAndMethods() {
    List<List<String>> runs = Plan.of("full", List.of("HotPartition.threads[12]", "RecordWalk"));

    assertEquals(2 + 5 * 3, runs.size());
    assertEquals(
        List.of(
            "io.github.batchvalidator.bench.HotPartition.threads1$",
            "io.github.batchvalidator.bench.HotPartition.threads2$"),
        runs.get(2).subList(0, 2));
  }

  @Test
  void contendersOfAFaultFollowEachOther() {
    List<List<String>> runs = Plan.of("full", List.of("RejectedBatch"));
    assertEquals(4 * Fault.values().length, runs.size());
    assertTrue(runs.get(0).contains("fault=" + Fault.NOTHING), () -> "" + runs.get(0));
  }

  @Test
  void parametersChooseCells() {
    List<List<String>> runs =
        Plan.of(
            "full",
            List.of("InPlace", "-p", "codec=lz4,zstd", "-p", "records=7", "-p", "contender=CORE"));

    assertEquals(3 * 2 * 2 * 3, runs.size());
    assertEquals(
        "-p batches=512 -p codec=lz4 -p contender=CORE -p memory=HEAP -p payload=JSON"
            + " -p records=7 -p valueBytes=100",
        behindBenchmark(runs.get(0)));
  }

  @Test
  void shapesOfQuickGiveWayToParameters() {
    List<List<String>> runs =
        Plan.of("quick", List.of("-p", "records=5,6", "-p", "codec=none", "-p", "contender=CORE"));

    assertEquals(3 * 2, runs.size());
    assertEquals(
        "-p batches=85 -p codec=none -p contender=CORE -p memory=HEAP -p payload=JSON"
            + " -p records=6 -p valueBytes=1024 -i 6 -r 100ms -w 425ms -wi 4",
        behindBenchmark(runs.get(1)));
  }

  @Test
  void smallBatchesAreManyUnlessTheirNumberIsGiven() {
    String words = "InPlace -p codec=gzip -p payload=JSON -p memory=HEAP -p valueBytes=1024";

    assertEquals(
        List.of("-p batches=512", "-p batches=51", "", ""),
        Plan.of("full", List.of(words.split(" "))).stream().map(PlanTest::batches).toList());
    assertEquals(
        List.of("-p batches=2", "-p batches=2", "-p batches=2", "-p batches=2"),
        Plan.of("full", List.of((words + " -p batches=2").split(" "))).stream()
            .map(PlanTest::batches)
            .toList());
  }

  private static String batches(List<String> run) {
    Matcher batches = Pattern.compile("-p batches=\\d+").matcher(behindBenchmark(run));
    return batches.find() ? batches.group() : "";
  }

  @Test
  void optionsWinOverOurs() {
    String run = behindBenchmark(Plan.of("quick", List.of("-i", "2", "-f", "3")).get(0));

    assertTrue(run.endsWith("-f 3 -i 2 -r 100ms -w 425ms -wi 4"), run);
  }

  @Test
  void anOptionMayBeRepeated() {
    String run = behindBenchmark(Plan.of("quick", List.of("-prof", "a", "-prof", "b")).get(0));

    assertTrue(run.contains("-prof a -prof b"), run);
  }

  @Test
  void benchmarksMayBeLeftOut() {
    List<List<String>> runs = Plan.of("full", List.of("RecordWalk|Rebuild", "-e", "Walk"));

    assertTrue(runs.stream().noneMatch(run -> run.get(0).contains("RecordWalk")));
    assertEquals(4 + 4, runs.size());
  }

  @Test
  void wrongWordsAreTold() {
    assertEquals(
        "single calls have no rounds: use full for -bm sample", told("quick", "-bm", "sample"));
    assertEquals("-f needs a value", told("full", "-f"));
    assertEquals("-p needs NAME=VALUE,..., not codec", told("full", "-p", "codec"));
    assertEquals("quick runs no [HotPartition]", told("quick", "HotPartition"));
    assertEquals("no plan slow", told("slow"));
  }

  @Test
  void commandPrintsArgumentsWithTabs() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);

    assertEquals(0, PlanCommand.run(print, print, "full", "Many", "-jvmArgsAppend", "-Xa -Xb"));
    assertEquals(
        "io.github.batchvalidator.bench.ManyPartitions.append$\t-jvmArgsAppend\t-Xa -Xb",
        out.toString(StandardCharsets.UTF_8).strip());
    assertEquals(2, PlanCommand.run(print, print, "slow"));
  }

  private static String told(String size, String... words) {
    return String.valueOf(
        assertThrows(IllegalArgumentException.class, () -> Plan.of(size, List.of(words)))
            .getMessage());
  }

  private static String behindBenchmark(List<String> run) {
    assertEquals(IN_PLACE, run.get(0));
    return String.join(" ", run.subList(1, run.size()));
  }
}
