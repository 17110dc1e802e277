// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** The command line: {@code check [PATH...]}. */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    versionProvider = CheckCommand.Version.class,
    sortOptions = false,
    description = {
      "Inspects every record batch of Kafka log segments: structure, CRC, magic, offsets, sizes, "
          + "headers, timestamps and every record, through all codecs. Reads only.",
      "Do not be surprised by a truncated tail in a segment that a broker is writing to."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:clean",
      "1:faults were found",
      "2:wrong usage",
      "3:something could not be read, whether or not faults were found, there was nothing to "
          + "read, the report could not be written, or the library of a codec does not work here"
    })
public final class CheckCommand implements Callable<Integer> {
  static final int CLEAN = 0;
  static final int FAULTS = 1;
  static final int IO_ERROR = 3;

  /** Set by the script that starts the program: Java cannot tell where stderr goes. */
  private static final String STDERR_IS_TERMINAL = "check.stderrIsTerminal";

  private static final int MAX_THREADS = 256;

  @Spec private @Nullable CommandSpec spec;

  @Parameters(
      paramLabel = "PATH",
      arity = "0..*",
      description =
          "Files, and directories, which are searched for *.log through all levels. What Kafka "
              + "keeps beside segments (*.index, *.snapshot, *-checkpoint and the like) is passed "
              + "over. Without a path a small sample is checked.")
  private List<String> paths = new ArrayList<>();

  @Option(
      names = "--threads",
      paramLabel = "N",
      description =
          "How many threads to use, 1 to 256; as many as there are processors by default.")
  private int threads = Math.min(MAX_THREADS, Runtime.getRuntime().availableProcessors());

  @Option(
      names = "--level",
      paramLabel = "LEVEL",
      description =
          "kafka, the default: what Kafka refuses is a fault. strict: what it lets pass and a "
              + "careful broker should not, too. docs/rules.md lists both.")
  private String level = "kafka";

  @Option(
      names = "--observe",
      description =
          "Tells what level strict would refuse as findings, which are no faults and do not "
              + "change the exit code.")
  private boolean observe;

  @Mixin private LimitOptions limits = new LimitOptions();

  @Option(
      names = "--json",
      description =
          "JSON Lines on stdout: objects of type fault, finding, error and file, and a summary at "
              + "the end.")
  private boolean json;

  /** Creates a command without arguments; picocli sets them. */
  public CheckCommand() {}

  /**
   * Runs and exits.
   *
   * @param args as given by the shell
   */
  public static void main(String[] args) {
    CommandLine line = commandLine();
    line.setOut(writer(FileDescriptor.out)).setErr(writer(FileDescriptor.err));
    int exitCode = execute(line, args);
    line.getOut().flush();
    line.getErr().flush();
    System.exit(exitCode);
  }

  /** What the JVM itself would end with stands for faults here. */
  private static int execute(CommandLine line, String... args) {
    try {
      return line.execute(args);
    } catch (Error e) {
      return failed(e, line, null);
    }
  }

  private static PrintWriter writer(FileDescriptor descriptor) {
    return new PrintWriter(new FileOutputStream(descriptor), false, StandardCharsets.UTF_8);
  }

  /** Returns what parses the arguments and runs the command. */
  static CommandLine commandLine() {
    return new CommandLine(new CheckCommand())
        .setExpandAtFiles(false)
        .setParameterExceptionHandler(CheckCommand::misusedBy)
        .setExecutionExceptionHandler(CheckCommand::failed);
  }

  private static int failed(Throwable why, CommandLine line, @Nullable ParseResult arguments) {
    line.getErr().println(Messages.printable("check: " + Messages.of(why)));
    return IO_ERROR;
  }

  /** The help would be fifty lines behind the one that matters. */
  private static int misusedBy(CommandLine.ParameterException why, String... arguments) {
    PrintWriter err = why.getCommandLine().getErr();
    err.println(Messages.printable("check: " + why.getMessage()));
    CommandLine.UnmatchedArgumentException.printSuggestions(why, err);
    err.println("see --help");
    return CommandLine.ExitCode.USAGE;
  }

  private CommandLine line() {
    if (spec == null) {
      throw new IllegalStateException("not run by picocli");
    }
    return spec.commandLine();
  }

  @Override
  public Integer call() throws InterruptedException {
    if (threads < 1 || threads > MAX_THREADS) {
      throw misused("--threads must be 1 to " + MAX_THREADS + ", not " + threads);
    }
    Policy policy = policy();
    List<String[]> problems = new ArrayList<>();
    SegmentFiles files = new SegmentFiles((name, why) -> problems.add(new String[] {name, why}));
    paths.forEach(files::add);
    tellPassedOver(files, problems);
    boolean sample = paths.isEmpty();
    List<Segment> segments = sample ? SampleSegment.all() : files.segments();
    boolean terminal = Boolean.getBoolean(STDERR_IS_TERMINAL);
    try (Progress progress = new Progress(line().getErr(), terminal, files.bytes()).start()) {
      ConsoleReport report =
          new ConsoleReport(report(segments), progress, line().getOut(), line().getErr());
      SliceMerge merge = new SliceMerge(report);
      problems.forEach(problem -> merge.error(problem[0], problem[1]));
      long start = System.nanoTime();
      new CheckRun(Settings.standard(threads, policy), segments, merge, progress::add).run();
      return exitCode(merge.end(System.nanoTime() - start, sample));
    }
  }

  /** They do not change the exit code, unless nothing else was named. */
  private void tellPassedOver(SegmentFiles files, List<String[]> problems) {
    List<String> names = files.passedOver();
    if (names.isEmpty()) {
      return;
    }
    String first = names.get(0);
    if (names.size() == paths.size()) {
      problems.add(new String[] {first, "no segment; name *.log files or their folder"});
      return;
    }
    String note = "check: no segment, passed over: " + first;
    String more = names.size() == 1 ? "" : " and " + (names.size() - 1) + " more";
    line().getErr().println(Messages.printable(note + more));
  }

  private Policy policy() {
    boolean strict = level.equals("strict");
    if (!strict && !level.equals("kafka")) {
      throw misused("--level must be kafka or strict, not " + level);
    }
    if (strict && observe) {
      throw misused("--observe is for --level kafka: --level strict refuses what it would tell");
    }
    return Policy.builder(Origin.STORED)
        .level(strict ? Level.STRICT : Level.KAFKA)
        .observing(observe)
        .limits(limits.limits())
        .build();
  }

  private CommandLine.ParameterException misused(String message) {
    return new CommandLine.ParameterException(line(), message);
  }

  private Report report(List<Segment> segments) {
    return json
        ? new JsonReport(line().getOut())
        : new TextReport(line().getOut(), segments.stream().map(Segment::name).toList());
  }

  private int exitCode(RunSummary run) {
    if (line().getOut().checkError()) {
      line().getErr().println("check: the report could not be written");
      return IO_ERROR;
    }
    if (run.errors() > 0) {
      return IO_ERROR;
    }
    return run.tally().faults() > 0 ? FAULTS : CLEAN;
  }

  /** Tells the version that the build wrote into the jar. */
  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() throws IOException {
      String version = CheckCommand.class.getPackage().getImplementationVersion();
      return new String[] {"check " + (version == null ? "(not from a jar)" : version)};
    }
  }
}
