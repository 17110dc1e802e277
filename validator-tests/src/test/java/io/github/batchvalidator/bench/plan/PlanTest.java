// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.bench.workload.Fault;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.options.Options;

/** The runs of JMH that follow from the words of the command line. */
class PlanTest {
  private static final List<String> SHOWN =
      List.of(
          "batches", "codec", "contender", "fault", "magic", "payload", "records", "valueBytes");

  @Test
  void quickMeasuresEachCellThreeTimesWithItsContendersSideBySide() {
    List<String> runs = runs("quick");
    assertEquals(3 * 3 * 5, runs.size());
    assertEquals(3 * 5, Set.copyOf(runs).size());
    assertEquals(runs.subList(0, 15), runs.subList(15, 30));
    assertEquals(
        "InPlaceValidation.validate batches=512 codec=none"
            + " contender=ALLOCATING_BASELINE,KAFKA_LOG_VALIDATOR,CORE,DROP_IN"
            + " payload=JSON records=1 valueBytes=1024",
        runs.get(0));
    assertTrue(
        runs.get(1)
            .contains("=ALLOCATING_BASELINE,KAFKA_LOG_VALIDATOR,DECOMPRESS_ONLY,CORE,DROP_IN "),
        runs.get(1));
    assertEquals(15, Plan.of("quick", 1).size());
  }

  @Test
  void quickMeasuresAsLongAsTheBenchmarksSayUnlessTheUserSaysOtherwise() {
    Options ours = Plan.of("quick", -1).get(0);
    assertFalse(ours.getWarmupIterations().hasValue());
    assertFalse(ours.getMeasurementTime().hasValue());
    Options given = Plan.of("quick", -1, "-i", "2", "-f", "3").get(0);
    assertEquals(2, given.getMeasurementIterations().get());
    assertEquals(3, given.getForkCount().get());
  }

  @Test
  void everyRunHasSideFiguresAndTheProfilersThatAreGiven() {
    Options run = Plan.of("full", -1, "RecordWalk", "-prof", "gc").get(0);
    assertEquals(2, run.getProfilers().size());
    assertTrue(run.shouldFailOnError().get());
  }

  @Test
  void fullRunsEveryBenchmarkAndEveryCellOnce() {
    List<Options> runs = Plan.of("full", -1);
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
        runs.stream()
            .flatMap(run -> run.getIncludes().stream())
            .map(name -> name.split("\\.", -1)[4])
            .collect(Collectors.toSet()));
    assertEquals(3 * 2 * 5 * 4 * 3, Plan.of("full", -1, "InPlace").size());
    assertEquals(4 * Fault.values().length, Plan.of("full", -1, "RejectedBatch").size());
  }

  @Test
  void theFloorConvertsNothing() {
    List<String> runs = runs("full", "Rebuild", "-p", "magic=1");
    assertEquals(4, runs.size());
    for (String run : runs) {
      assertTrue(run.contains("contender=KAFKA_LOG_VALIDATOR,CORE magic=1"), run);
    }
  }

  @Test
  void recordsOfARunPassItsRules() {
    List<String> runs = runs("full", "RuleCost", "-p", "codec=none", "-p", "valueBytes=100");
    assertTrue(
        runs.get(0).contains("contender=NONE,REQUIRED,SIZES,STARTS,TIMESTAMPS,SIMPLE "),
        runs.get(0));
    assertTrue(runs.get(1).contains("HEADERS,SCHEMA_IDS,ALL "), runs.get(1));
    assertEquals(2, runs("full", "RuleCost", "-p", "codec=none", "-p", "contender=ALL").size());
  }

  @Test
  void onlyOursIsMeasuredBesideOtherTraffic() {
    List<Options> runs = Plan.of("full", -1, "MixedTraffic");
    assertEquals(9 * 3, runs.size());
    for (Options run : runs) {
      boolean alone = values(run, "others").equals("NONE");
      assertEquals(alone ? "" : "CORE", values(run, "contender"));
    }
  }

  @Test
  void regularExpressionSelectsBenchmarksAndMethods() {
    List<Options> runs = Plan.of("full", -1, "HotPartition.threads[12]", "RecordWalk");
    assertEquals(2 + 5 * 3, runs.size());
    assertEquals(
        List.of(
            "io.github.batchvalidator.bench.HotPartition.threads1$",
            "io.github.batchvalidator.bench.HotPartition.threads2$"),
        runs.get(2).getIncludes());
    List<Options> rest = Plan.of("full", -1, "RecordWalk|Rebuild", "-e", "Walk");
    assertEquals(4 + 4, rest.size());
  }

  @Test
  void parametersSelectCells() {
    List<String> runs =
        runs("full", "InPlace", "-p", "codec=lz4,zstd", "-p", "records=7", "-p", "contender=CORE");
    assertEquals(3 * 2 * 2 * 3, runs.size());
    assertEquals(
        "InPlaceValidation.validate batches=512 codec=lz4 contender=CORE payload=JSON records=7"
            + " valueBytes=100",
        runs.get(0));
    List<String> quick = runs("quick", "-p", "records=5,6", "-p", "codec=none");
    assertEquals(3 * 2, quick.size());
    assertTrue(quick.get(1).contains("records=6 valueBytes=1024"), quick.get(1));
  }

  @Test
  void smallBatchesAreManyUnlessTheirNumberIsGiven() {
    String[] words =
        "InPlace -p codec=gzip -p payload=JSON -p memory=HEAP -p valueBytes=1024".split(" ", -1);
    assertEquals(
        List.of("512", "51", "", ""),
        Plan.of("full", -1, words).stream().map(run -> values(run, "batches")).toList());
    List<String> more = new ArrayList<>(List.of(words));
    more.addAll(List.of("-p", "batches=2"));
    assertEquals(
        List.of("2", "2", "2", "2"),
        Plan.of("full", -1, more.toArray(String[]::new)).stream()
            .map(run -> values(run, "batches"))
            .toList());
  }

  @Test
  void wrongWordsAreExplained() {
    assertEquals(
        "single calls have no rounds: use full for -bm sample", mistake("quick", "-bm", "sample"));
    assertTrue(mistake("full", "-f").contains("requires an argument"));
    assertEquals("quick runs no such benchmark", mistake("quick", "HotPartition"));
    assertEquals("no plan slow", mistake("slow"));
  }

  private static String mistake(String size, String... words) {
    return String.valueOf(
        assertThrows(IllegalArgumentException.class, () -> Plan.of(size, -1, words)).getMessage());
  }

  private static List<String> runs(String size, String... words) {
    return Plan.of(size, -1, words).stream().map(PlanTest::text).toList();
  }

  private static String text(Options run) {
    String name = run.getIncludes().get(0).replaceFirst(".*\\.(\\w+\\.\\w+)\\$", "$1");
    return SHOWN.stream()
        .filter(parameter -> !values(run, parameter).isEmpty())
        .map(parameter -> " " + parameter + "=" + values(run, parameter))
        .collect(Collectors.joining("", name, ""));
  }

  private static String values(Options run, String parameter) {
    Collection<String> values = run.getParameter(parameter).orElse(List.of());
    return String.join(",", values);
  }
}
