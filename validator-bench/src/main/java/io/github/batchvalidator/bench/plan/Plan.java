// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.plan;

import io.github.batchvalidator.bench.BatchBenchmark;
import io.github.batchvalidator.bench.body.RuleSet;
import io.github.batchvalidator.bench.workload.Fault;
import io.github.batchvalidator.bench.workload.RecordShape;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * The runs of {@code ./bench quick} and {@code ./bench full}. The speed of a machine wanders, so
 * the contenders for one cell follow each other: JMH on its own would take one contender through
 * all cells, then the next.
 */
public final class Plan {
  private static final String IN_PLACE = "InPlaceValidation";
  private static final String[] CODECS = {"none", "gzip", "snappy", "lz4", "zstd"};
  private static final String[] FAULTS =
      Stream.of(Fault.values()).map(Enum::name).toArray(String[]::new);
  private static final String[] WITHOUT_FLOOR = {
    "ALLOCATING_BASELINE", "KAFKA_LOG_VALIDATOR", "CORE", "DROP_IN"
  };
  private static final String[] WITH_FLOOR = {
    "ALLOCATING_BASELINE", "KAFKA_LOG_VALIDATOR", "DECOMPRESS_ONLY", "CORE", "DROP_IN"
  };
  private static final String[] MIXED = {"DECOMPRESS_ONLY", "CORE"};
  private static final String[] RULED_SHAPES = {"KEY", "KEY_AND_SCHEMA_ID"};
  private static final String[] CONVERTING = {"KAFKA_LOG_VALIDATOR", "CORE"};
  private static final int QUICK_ROUNDS = 3;

  /** Over fewer bytes than this the branch predictor learns what compressed batches hold. */
  private static final int ENOUGH_PLAIN_BYTES = 512 << 10;

  private static final int MOST_BATCHES = 512;

  private final Given given;
  private final List<String> methods;

  private Plan(Given given) {
    this.given = given;
    OutputFormat silent =
        OutputFormatFactory.createFormatInstance(
            new PrintStream(OutputStream.nullOutputStream()), VerboseMode.SILENT);
    methods =
        BenchmarkList.defaultList()
            .find(silent, given.benchmarks(), given.options().getOrDefault("-e", List.of()))
            .stream()
            .map(BenchmarkListEntry::getUsername)
            .toList();
  }

  /**
   * Returns the arguments of each run of JMH, in order.
   *
   * @param size {@code quick} or {@code full}
   * @param words for JMH, from the user: regular expressions choose among our benchmarks, {@code
   *     -p} among their cells, and every other option wins over ours
   * @throws IllegalArgumentException if the size is another, the words cannot be read, or nothing
   *     is left to run
   */
  public static List<List<String>> of(String size, List<String> words) {
    Plan plan = new Plan(Given.of(words));
    Stream<Run> runs =
        switch (size) {
          case "quick" -> plan.quick();
          case "full" -> plan.full();
          default -> throw new IllegalArgumentException("no plan " + size);
        };
    List<List<String>> arguments =
        runs.filter(run -> !plan.methods(run).isEmpty())
            .map(run -> run.arguments(plan.methods(run), plan.given))
            .toList();
    if (arguments.isEmpty()) {
      throw new IllegalArgumentException(size + " runs no " + plan.given.benchmarks());
    }
    return arguments;
  }

  private List<String> methods(Run run) {
    String prefix = "." + run.benchmark() + ".";
    return methods.stream().filter(name -> name.contains(prefix)).map(name -> name + "$").toList();
  }

  /** Of three shapes, in rounds whose iterations become one row. */
  private Stream<Run> quick() {
    if (given.options().getOrDefault("-bm", List.of()).contains("sample")) {
      throw new IllegalArgumentException("single calls have no rounds: use full for -bm sample");
    }
    Run brief =
        new Run(IN_PLACE, Map.of(), Map.of("-wi", "4", "-w", "425ms", "-i", "6", "-r", "100ms"));
    return IntStream.range(0, QUICK_ROUNDS)
        .boxed()
        .flatMap(round -> quickShapes(brief))
        .flatMap(run -> each(run, "codec", CODECS))
        .map(this::withQuickContenders)
        .flatMap(run -> each(run, "payload", "JSON"))
        .flatMap(run -> each(run, "memory", "HEAP"))
        .flatMap(this::withEnoughBatches);
  }

  /** Without a codec there is no floor. */
  private Run withQuickContenders(Run run) {
    String[] ours = "none".equals(run.parameters().get("codec")) ? WITHOUT_FLOOR : WITH_FLOOR;
    return run.with("contender", String.join(",", given.values("contender", ours)));
  }

  /** Pairs of parameters: JMH would multiply them, and so are those that were given. */
  private Stream<Run> quickShapes(Run run) {
    if (given.parameters().containsKey("records") || given.parameters().containsKey("valueBytes")) {
      return each(run, "records", "125").flatMap(cell -> each(cell, "valueBytes", "1024"));
    }
    return Stream.of(
        run.with("records", "1").with("valueBytes", "1024"),
        run.with("records", "125").with("valueBytes", "1024"),
        run.with("records", "1000").with("valueBytes", "100"));
  }

  /** What a benchmark compares side by side is left to JMH: it becomes one run. */
  private Stream<Run> full() {
    return Stream.of(
            each(Run.of(IN_PLACE), "payload", "JSON", "LOG_LINES", "INCOMPRESSIBLE")
                .flatMap(run -> each(run, "memory", "HEAP", "DIRECT"))
                .flatMap(run -> each(run, "codec", CODECS))
                .flatMap(run -> each(run, "records", "1", "10", "125", "1000"))
                .flatMap(run -> each(run, "valueBytes", "100", "1024", "10240"))
                .flatMap(this::withEnoughBatches),
            each(Run.of("RecordWalk"), "shape", "PLAIN", "KEY_AND_TWO_HEADERS"),
            each(Run.of("AppendTimeStamp"), "valueBytes", "1024", "16384", "131072", "1048576"),
            each(Run.of("RejectedBatch"), "codec", "gzip", "snappy", "lz4", "zstd")
                .flatMap(run -> each(run, "fault", FAULTS)),
            each(Run.of("ColdStart"), "codec", CODECS)
                .flatMap(run -> each(run, "records", "10"))
                .flatMap(run -> each(run, "valueBytes", "1024"))
                .flatMap(this::withEnoughBatches),
            each(Run.of("Rebuild"), "magic", "2", "1").flatMap(this::rebuilds),
            each(Run.of("HotPartition"), "codec", CODECS)
                .flatMap(run -> each(run, "records", "1", "125", "1000"))
                .flatMap(run -> each(run, "valueBytes", "1024"))
                .flatMap(this::withEnoughBatches),
            each(Run.of("MixedTraffic"), "codec", "snappy").flatMap(this::mixedCells),
            each(Run.of("RuleCost"), "codec", CODECS).flatMap(this::ruleCells),
            Stream.of(Run.of("ManyPartitions")))
        .flatMap(runs -> runs);
  }

  /** Cells in which values can be skipped in compressed form, and one in which they cannot. */
  private Stream<Run> mixedCells(Run run) {
    Run json = run.with("payload", "JSON").with("recordShape", "PLAIN").with("valueBytes", "1024");
    return Stream.of(
            json.with("records", "15"),
            json.with("records", "30"),
            json.with("records", "125"),
            json.with("records", "1000"),
            json.with("records", "125").with("payload", "LOG_LINES"),
            json.with("records", "125").with("valueBytes", "10240"),
            json.with("records", "15").with("recordShape", "KEY_AND_TWO_HEADERS"),
            json.with("records", "1000").with("valueBytes", "100"),
            json.with("records", "125").with("payload", "INCOMPRESSIBLE"))
        .flatMap(this::withEnoughBatches)
        .flatMap(cell -> each(cell, "others", "NONE", "SMALL_FIRST", "LARGE_FIRST"))
        .map(this::withMixedContenders);
  }

  /** Small records, where the walk shows most, and usual ones. */
  private Stream<Run> ruleCells(Run run) {
    return Stream.of(
            run.with("records", "1000").with("valueBytes", "100"),
            run.with("records", "125").with("valueBytes", "1024"))
        .flatMap(this::withEnoughBatches)
        .flatMap(cell -> each(cell, "recordShape", RULED_SHAPES))
        .flatMap(this::withRules);
  }

  /** Records without headers pass fewer rules. */
  private Stream<Run> withRules(Run run) {
    String shape = run.parameters().get("recordShape");
    List<String> passed =
        Stream.of(RuleSet.values())
            .filter(rule -> rule.passes(RecordShape.valueOf(String.valueOf(shape))))
            .map(Enum::name)
            .toList();
    String rules =
        given.values("contender", passed.toArray(String[]::new)).stream()
            .filter(passed::contains)
            .collect(Collectors.joining(","));
    return rules.isEmpty() ? Stream.of() : Stream.of(run.with("contender", rules));
  }

  /** Kafka's figure beside other traffic decides nothing. */
  private Run withMixedContenders(Run run) {
    return "NONE".equals(run.parameters().get("others"))
        ? run
        : run.with("contender", String.join(",", given.values("contender", MIXED)));
  }

  /** Recompression, and conversion from magic 1, which the floor leaves out. */
  private Stream<Run> rebuilds(Run run) {
    return "2".equals(run.parameters().get("magic"))
        ? each(run, "codecs", "lz4-zstd", "zstd-lz4", "gzip-zstd", "none-lz4")
        : each(
            run.with("contender", String.join(",", given.values("contender", CONVERTING))),
            "codecs",
            "none-none",
            "gzip-gzip",
            "snappy-snappy",
            "lz4-lz4");
  }

  /** Of small batches more than the benchmark's own number, unless it is given. */
  private Stream<Run> withEnoughBatches(Run run) {
    int plainBytes =
        Integer.parseInt(run.parameters().get("records"))
            * Integer.parseInt(run.parameters().get("valueBytes"));
    int enough = Math.min(MOST_BATCHES, ENOUGH_PLAIN_BYTES / plainBytes);
    return enough <= BatchBenchmark.BATCHES
        ? Stream.of(run)
        : each(run, "batches", Integer.toString(enough));
  }

  /** The same run with each value that was given for a parameter, or else each of ours. */
  private Stream<Run> each(Run run, String parameter, String... ours) {
    return given.values(parameter, ours).stream().map(value -> run.with(parameter, value));
  }
}
