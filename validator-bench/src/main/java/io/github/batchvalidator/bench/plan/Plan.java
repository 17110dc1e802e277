// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.plan;

import io.github.batchvalidator.bench.BatchBenchmark;
import io.github.batchvalidator.bench.SideFigures;
import io.github.batchvalidator.bench.body.RuleSet;
import io.github.batchvalidator.bench.workload.Fault;
import io.github.batchvalidator.bench.workload.RecordShape;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * The runs of {@code ./bench quick} and {@code ./bench full}. The contenders for one cell follow
 * each other, because the speed of a machine changes within minutes. JMH alone would measure one
 * contender in all cells before the next contender.
 */
public final class Plan {
  private static final String CONTENDER = "contender";
  private static final String[] CODECS = {"none", "gzip", "snappy", "lz4", "zstd"};
  private static final String[] FAULTS = names(Fault.values());
  private static final String[] WITHOUT_FLOOR = {
    "ALLOCATING_BASELINE", "KAFKA_LOG_VALIDATOR", "CORE", "DROP_IN"
  };
  private static final String[] WITH_FLOOR = {
    "ALLOCATING_BASELINE", "KAFKA_LOG_VALIDATOR", "DECOMPRESS_ONLY", "CORE", "DROP_IN"
  };
  private static final String[] RULED_SHAPES = {"KEY", "KEY_AND_SCHEMA_ID"};
  private static final String[] CONVERTING = {"KAFKA_LOG_VALIDATOR", "CORE"};
  private static final int QUICK_ROUNDS = 3;

  /** With fewer plain bytes, the branch predictor learns the contents of compressed batches. */
  private static final int ENOUGH_PLAIN_BYTES = 512 << 10;

  private static final int MOST_BATCHES = 512;

  private final CommandLineOptions given;
  private final List<String> methods;

  /** One run of JMH: the simple name of a benchmark class, and values of its parameters. */
  private record Run(String benchmark, Map<String, List<String>> parameters) {
    Run with(String parameter, List<String> values) {
      Map<String, List<String>> all = new TreeMap<>(parameters);
      all.put(parameter, values);
      return new Run(benchmark, all);
    }

    Run with(String parameter, String value) {
      return with(parameter, List.of(value));
    }

    String value(String parameter) {
      return parameters.getOrDefault(parameter, List.of("")).get(0);
    }
  }

  private Plan(String... words) throws CommandLineOptionException {
    CommandLineOptions all = new CommandLineOptions(words);
    Set<String> benchmarks = Set.copyOf(all.getIncludes());
    // JMH adds up the benchmarks of a run and those of its parent options.
    given =
        new CommandLineOptions(
            Arrays.stream(words).filter(word -> !benchmarks.contains(word)).toArray(String[]::new));
    PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
    methods =
        BenchmarkList.defaultList()
            .find(
                OutputFormatFactory.createFormatInstance(nowhere, VerboseMode.SILENT),
                all.getIncludes(),
                all.getExcludes())
            .stream()
            .map(BenchmarkListEntry::getUsername)
            .toList();
  }

  /**
   * Returns the options of each run of JMH, in order.
   *
   * @param size {@code quick} or {@code full}
   * @param rounds how often {@code quick} measures each cell; negative for the usual number
   * @param words for JMH, from the user: regular expressions select benchmarks, {@code -p} selects
   *     cells, and every other option overrides ours
   * @throws IllegalArgumentException if the size is unknown, the words cannot be read, or no
   *     benchmark is left to run
   */
  public static List<Options> of(String size, int rounds, String... words) {
    try {
      Plan plan = new Plan(words);
      Stream<Run> runs =
          switch (size) {
            case "quick" -> plan.quick(rounds < 0 ? QUICK_ROUNDS : rounds);
            case "full" -> plan.full();
            default -> throw new IllegalArgumentException("no plan " + size);
          };
      List<Options> options =
          runs.map(plan::options).filter(each -> !each.getIncludes().isEmpty()).toList();
      if (options.isEmpty()) {
        throw new IllegalArgumentException(size + " runs no such benchmark");
      }
      return options;
    } catch (CommandLineOptionException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private Options options(Run run) {
    var options = new OptionsBuilder().parent(given);
    methods.stream()
        .filter(name -> name.contains("." + run.benchmark() + "."))
        .forEach(name -> options.include(name + "$"));
    run.parameters().forEach((name, values) -> options.param(name, values.toArray(String[]::new)));
    return options.addProfiler(SideFigures.class).shouldFailOnError(true).build();
  }

  /** Returns runs of three shapes, in rounds whose iterations become one row. */
  private Stream<Run> quick(int rounds) {
    if (given.getBenchModes().contains(Mode.SampleTime)) {
      throw new IllegalArgumentException("single calls have no rounds: use full for -bm sample");
    }
    return IntStream.range(0, rounds)
        .boxed()
        .flatMap(round -> quickShapes(run("InPlaceValidation")))
        .flatMap(run -> each(run, "codec", CODECS))
        .map(run -> contenders(run, run.value("codec").equals("none") ? WITHOUT_FLOOR : WITH_FLOOR))
        .flatMap(run -> each(run, "payload", "JSON"))
        .flatMap(run -> each(run, "memory", "HEAP"))
        .flatMap(this::withEnoughBatches);
  }

  /** The two parameters of a shape are paired. JMH would combine each value with each. */
  private Stream<Run> quickShapes(Run run) {
    if (given.getParameter("records").hasValue() || given.getParameter("valueBytes").hasValue()) {
      return each(run, "records", "125").flatMap(cell -> each(cell, "valueBytes", "1024"));
    }
    return Stream.of(
        run.with("records", "1").with("valueBytes", "1024"),
        run.with("records", "125").with("valueBytes", "1024"),
        run.with("records", "1000").with("valueBytes", "100"));
  }

  /** Parameters that a benchmark compares side by side are left to JMH, within one run. */
  private Stream<Run> full() {
    return Stream.of(
            each(run("InPlaceValidation"), "payload", "JSON", "LOG_LINES", "INCOMPRESSIBLE")
                .flatMap(run -> each(run, "memory", "HEAP", "DIRECT"))
                .flatMap(run -> each(run, "codec", CODECS))
                .flatMap(run -> each(run, "records", "1", "10", "125", "1000"))
                .flatMap(run -> each(run, "valueBytes", "100", "1024", "10240"))
                .flatMap(this::withEnoughBatches),
            each(run("RecordWalk"), "shape", "PLAIN", "KEY_AND_TWO_HEADERS"),
            each(run("AppendTimeStamp"), "valueBytes", "1024", "16384", "131072", "1048576"),
            each(run("RejectedBatch"), "codec", "gzip", "snappy", "lz4", "zstd")
                .flatMap(run -> each(run, "fault", FAULTS)),
            each(run("ColdStart"), "codec", CODECS)
                .flatMap(run -> each(run, "records", "10"))
                .flatMap(run -> each(run, "valueBytes", "1024"))
                .flatMap(this::withEnoughBatches),
            each(run("Rebuild"), "magic", "2", "1").flatMap(this::rebuilds),
            each(run("HotPartition"), "codec", CODECS)
                .flatMap(run -> each(run, "records", "1", "125", "1000"))
                .flatMap(run -> each(run, "valueBytes", "1024"))
                .flatMap(this::withEnoughBatches),
            each(run("MixedTraffic"), "codec", "snappy").flatMap(this::mixedCells),
            each(run("RuleCost"), "codec", CODECS).flatMap(this::ruleCells),
            Stream.of(run("ManyPartitions")))
        .flatMap(runs -> runs);
  }

  /**
   * Returns cells whose values can be skipped in compressed form, and one whose cannot. Others are
   * compared without other traffic.
   */
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
        .map(cell -> cell.value("others").equals("NONE") ? cell : contenders(cell, "CORE"));
  }

  /** Returns cells with small records, where the walk matters most, and with usual ones. */
  private Stream<Run> ruleCells(Run run) {
    return Stream.of(
            run.with("records", "1000").with("valueBytes", "100"),
            run.with("records", "125").with("valueBytes", "1024"))
        .flatMap(this::withEnoughBatches)
        .flatMap(cell -> each(cell, "recordShape", RULED_SHAPES))
        .map(this::withRules)
        .filter(cell -> !cell.parameters().getOrDefault(CONTENDER, List.of()).isEmpty());
  }

  /** Leaves out rules that the records of the cell would break. */
  private Run withRules(Run run) {
    RecordShape shape = RecordShape.valueOf(run.value("recordShape"));
    List<String> wanted = values(CONTENDER, names(RuleSet.values()));
    List<String> passed =
        Stream.of(RuleSet.values())
            .filter(rule -> rule.passes(shape) && wanted.contains(rule.name()))
            .map(Enum::name)
            .toList();
    return run.with(CONTENDER, passed);
  }

  /** Returns cells that recompress, and cells that convert magic 1, for which there is no floor. */
  private Stream<Run> rebuilds(Run run) {
    return run.value("magic").equals("2")
        ? each(run, "codecs", "lz4-zstd", "zstd-lz4", "gzip-zstd", "none-lz4")
        : each(
            contenders(run, CONVERTING),
            "codecs",
            "none-none",
            "gzip-gzip",
            "snappy-snappy",
            "lz4-lz4");
  }

  /** Raises the number of small batches above the benchmark's own, unless it is given. */
  private Stream<Run> withEnoughBatches(Run run) {
    int plainBytes =
        Integer.parseInt(run.value("records")) * Integer.parseInt(run.value("valueBytes"));
    int enough = Math.min(MOST_BATCHES, ENOUGH_PLAIN_BYTES / plainBytes);
    return enough <= BatchBenchmark.BATCHES
        ? Stream.of(run)
        : each(run, "batches", Integer.toString(enough));
  }

  private static Run run(String benchmark) {
    return new Run(benchmark, Map.of());
  }

  private Run contenders(Run run, String... ours) {
    return run.with(CONTENDER, values(CONTENDER, ours));
  }

  /** Returns the run with each value that was given for a parameter, or else with each of ours. */
  private Stream<Run> each(Run run, String parameter, String... ours) {
    return values(parameter, ours).stream().map(value -> run.with(parameter, value));
  }

  private List<String> values(String parameter, String... ours) {
    Collection<String> values = given.getParameter(parameter).orElse(List.of(ours));
    return List.copyOf(values);
  }

  private static String[] names(Enum<?>... constants) {
    return Stream.of(constants).map(Enum::name).toArray(String[]::new);
  }
}
