// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import io.github.batchvalidator.audit.CheckRun;
import io.github.batchvalidator.audit.Listing;
import io.github.batchvalidator.audit.SalvageRun;
import io.github.batchvalidator.audit.SegmentRules;
import io.github.batchvalidator.audit.Settings;
import io.github.batchvalidator.audit.SliceMerge;
import io.github.batchvalidator.audit.print.JsonReport;
import io.github.batchvalidator.audit.print.Lines;
import io.github.batchvalidator.audit.print.ListReport;
import io.github.batchvalidator.audit.print.Style;
import io.github.batchvalidator.audit.print.TextReport;
import io.github.batchvalidator.audit.print.TextReport.Detail;
import io.github.batchvalidator.audit.profile.RecordProfiler;
import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.report.Report;
import io.github.batchvalidator.audit.report.RunSummary;
import io.github.batchvalidator.audit.salvage.Salvage;
import io.github.batchvalidator.audit.source.SearchNotes;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.source.SegmentFiles;
import io.github.batchvalidator.audit.tiered.TieredFiles;
import io.github.batchvalidator.policy.PolicyFile;
import io.github.batchvalidator.policy.PolicyFileException;
import io.github.batchvalidator.policy.PolicySection;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.TopicRules;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** The {@code check [PATH...]} command. */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    versionProvider = CheckCommand.Version.class,
    sortOptions = false,
    description = {
      "Checks every record batch of Kafka log segments: structure, CRC, magic, offsets, sizes, "
          + "headers and timestamps. Decompresses all codecs and checks every record. Never writes "
          + "to a segment.",
      "A truncated tail is normal in a segment that a broker is writing to."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:clean",
      "1:faults were found",
      "2:wrong usage",
      "3:no complete answer: a file could not be read, there was nothing to read, the report could "
          + "not be written, or the library of a codec failed; faults may have been found, too"
    })
public final class CheckCommand implements Callable<Integer> {
  static final int CLEAN = 0;
  static final int FAULTS = 1;
  static final int IO_ERROR = 3;

  /**
   * The system property that the {@code check} script sets if stderr is a terminal. Java itself
   * cannot detect this.
   */
  private static final String STDERR_IS_TERMINAL = "check.stderrIsTerminal";

  /** The system property that the {@code check} script sets if stdout is a terminal. */
  private static final String STDOUT_IS_TERMINAL = "check.stdoutIsTerminal";

  /** The system property that the {@code check} script sets to the name it was called by. */
  private static final String COMMAND = "check.command";

  /** The maximum number of threads. */
  static final int MAX_THREADS = 256;

  @Spec private @Nullable CommandSpec spec;

  @Parameters(
      paramLabel = "PATH",
      arity = "0..*",
      description =
          "Segment files, or directories to search recursively for *.log files. Other files of"
              + " Kafka (*.index, *.snapshot, *-checkpoint and the like) are skipped. A directory"
              + " named TOPIC-PARTITION is also checked as a whole: offsets, indexes, leader"
              + " epochs, producers and transactions.")
  private List<String> paths = new ArrayList<>();

  @Mixin private TieredOptions tiered = new TieredOptions();

  @Option(names = "--sample", description = "Checks a small sample that ships with the program.")
  private boolean sample;

  @Option(
      names = {"-v", "--verbose"},
      description = "Prints all faults, each file and each partition.")
  private boolean verbose;

  @Option(
      names = {"-q", "--quiet"},
      description = "Prints only faults, findings and what is listed or salvaged.")
  private boolean quiet;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Number of threads, 1 to 256. Default: the number of processors.")
  private int threads = Math.min(MAX_THREADS, Runtime.getRuntime().availableProcessors());

  @Option(
      names = "--level",
      paramLabel = "LEVEL",
      completionCandidates = Candidates.Levels.class,
      description =
          "kafka (default): batches that Kafka rejects are faults. strict: batches that a careful "
              + "broker should reject are faults, too.")
  private String level = "kafka";

  @Option(
      names = "--observe",
      description =
          "Reports what level strict would reject as findings. Findings are not faults and do not "
              + "change the exit code.")
  private boolean observe;

  @Option(
      names = "--policy",
      paramLabel = "FILE",
      description =
          "Checks each segment by the rules of its topic in a policy file. The topic is the name of"
              + " the directory without the partition. --level, --observe and --limits set what the"
              + " default section inherits.")
  private @Nullable Path policyFile;

  @Option(
      names = "--explain",
      paramLabel = "REASON|TOPIC",
      completionCandidates = Candidates.Reasons.class,
      description =
          "Explains the reason of a fault and checks nothing. With --policy, validates the policy "
              + "file and prints the rules of a topic; exits with 2 if the file is invalid.")
  private @Nullable String explained;

  @Option(
      names = "--compacted",
      description =
          "Accepts missing offsets in all partitions. Without it, a partition counts as compacted "
              + "if its files show that.")
  private boolean compacted;

  @Option(
      names = "--salvage",
      paramLabel = "OUT_DIR",
      description =
          "Copies the sound batches of each damaged segment to a new file of the same name in "
              + "OUT_DIR, and reports what was lost. Never writes into a directory of the input, "
              + "and never overwrites.")
  private @Nullable Path salvageDirectory;

  @Option(
      names = "--salvage-lost-markers",
      description =
          "With --salvage: also writes partitions that lose markers of transactions. Consumers may "
              + "then read records that were rolled back.")
  private boolean losesMarkers;

  @Mixin private ListOptions lists = new ListOptions();

  @Mixin private LimitOptions limits = new LimitOptions();

  @Option(
      names = "--json",
      description =
          "Prints JSON Lines on stdout: objects of type fault, finding, error, file, partition, "
              + "batch and record, then one of type summary.")
  private boolean json;

  @Option(
      names = "--profile",
      description =
          "Also prints what the records of each topic look like: codecs, first bytes, schema ids,"
              + " headers, sizes and timestamps, values that only one batch has, and a section for"
              + " a policy file.")
  private boolean profile;

  @Mixin private PrintOptions prints = new PrintOptions();

  private final BooleanSupplier isReadByProgram;

  /**
   * Creates a command. Picocli sets its options and arguments.
   *
   * @param isReadByProgram returns true if another program reads the report and may end before the
   *     report does
   */
  CheckCommand(BooleanSupplier isReadByProgram) {
    this.isReadByProgram = isReadByProgram;
  }

  /**
   * Runs the command and exits the JVM.
   *
   * @param args the command-line arguments
   */
  public static void main(String[] args) {
    CommandLine line = commandLine(StandardOutput::isReadByProgram);
    line.setOut(writer(FileDescriptor.out)).setErr(writer(FileDescriptor.err));
    int exitCode = execute(line, args);
    line.getOut().flush();
    line.getErr().flush();
    System.exit(exitCode);
  }

  /**
   * Returns 3 if an {@code Error} is thrown. The JVM would exit with 1 instead, which means faults.
   */
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

  /**
   * Returns the picocli command line, with error handlers set.
   *
   * @param isReadByProgram returns true if another program reads the output
   */
  static CommandLine commandLine(BooleanSupplier isReadByProgram) {
    return new CommandLine(new CheckCommand(isReadByProgram))
        .setExpandAtFiles(false)
        .setParameterExceptionHandler(CheckCommand::printUsageError)
        .setExecutionExceptionHandler(CheckCommand::failed);
  }

  private static int failed(Throwable why, CommandLine line, @Nullable ParseResult arguments) {
    line.getErr().println(Messages.printable("check: " + Messages.of(why)));
    return IO_ERROR;
  }

  /**
   * Prints a usage error without the help text. The help has about fifty lines and would hide the
   * error.
   */
  private static int printUsageError(CommandLine.ParameterException why, String... arguments) {
    PrintWriter err = why.getCommandLine().getErr();
    err.println(Messages.printable("check: " + UsageError.of(why)));
    err.println("see --help");
    return CommandLine.ExitCode.USAGE;
  }

  /** Returns what a user types to run the program. */
  static String command() {
    return System.getProperty(COMMAND, "java -jar check.jar");
  }

  private CommandLine line() {
    if (spec == null) {
      throw new IllegalStateException("not run by picocli");
    }
    return spec.commandLine();
  }

  @Override
  public Integer call() throws InterruptedException, IOException {
    if (threads < 1 || threads > MAX_THREADS) {
      throw usageError(UsageError.illegal("--threads", String.valueOf(threads)));
    }
    if (profile && json) {
      throw usageError("--profile prints text; leave out --json");
    }
    if (quiet && verbose) {
      throw usageError("--quiet and --verbose exclude each other");
    }
    if (salvageDirectory != null && salvageDirectory.toString().isEmpty()) {
      throw usageError("--salvage must name a directory without input: the path is empty");
    }
    if (sample && salvageDirectory != null) {
      throw usageError("--salvage needs a path; the sample has no damage");
    }
    if (losesMarkers && salvageDirectory == null) {
      throw usageError("--salvage-lost-markers needs --salvage");
    }
    if (sample && !(paths.isEmpty() && tiered.directories().isEmpty())) {
      throw usageError("--sample checks no other path");
    }
    if (prints.print(line())) {
      return CLEAN;
    }
    if (explained != null && policyFile == null) {
      return explain(explained);
    }
    PolicySection byDefault = byDefault();
    if (explained == null && !sample && paths.isEmpty() && tiered.directories().isEmpty()) {
      return usage();
    }
    PolicyFile file;
    try {
      file = policyFile == null ? null : PolicyFile.load(policyFile, byDefault);
    } catch (PolicyFileException e) {
      return refuse(e);
    }
    return explained == null || file == null
        ? check(new SegmentRules(file, byDefault))
        : explain(file, explained);
  }

  /** Prints the short usage, for a call that names nothing to check. */
  private int usage() {
    PrintWriter err = line().getErr();
    err.println("check: name segment files, or directories with *.log files");
    err.println("  " + command() + " PATH...     checks them");
    err.println(
        "  " + command() + " --sample    checks a small sample that ships with the program");
    err.println("  " + command() + " --help      lists all options");
    return CommandLine.ExitCode.USAGE;
  }

  private int check(SegmentRules rules) throws InterruptedException {
    List<String[]> problems = new ArrayList<>();
    TieredFiles remote =
        tiered.files(line(), (name, why) -> problems.add(new String[] {name, why}));
    SegmentFiles files =
        new SegmentFiles(
            (name, why) -> problems.add(new String[] {name, why}), remote::addIfTiered);
    paths.forEach(files::add);
    List<Segment> first = sample ? SampleSegment.all() : remote.segments(files.segments());
    Iterable<Segment> segments = () -> Stream.concat(first.stream(), files.segments()).iterator();
    Settings settings = Settings.standard(threads, rules);
    Salvage salvage =
        salvage(files.segments()); // all others are below the directories that are named
    printNotes(files.notes(), problems);
    boolean terminal = Boolean.getBoolean(STDERR_IS_TERMINAL);
    try (Progress progress =
            new Progress(line().getErr(), terminal, files.bytes() + remote.bytes()).start();
        RecordProfiler profiler = new RecordProfiler()) {
      ConsoleReport report =
          new ConsoleReport(report(), progress, line().getOut(), line().getErr());
      SliceMerge merge = new SliceMerge(report, compacted).listing(lists.listing());
      problems.forEach(problem -> merge.error(problem[0], problem[1]));
      if (salvage != null) {
        merge.salvaging();
      }
      long start = System.nanoTime();
      new CheckRun(settings, segments, merge, progress::add)
          .profiled(profile ? profiler : null)
          .run();
      if (salvage != null) {
        new SalvageRun(salvage, settings, losesMarkers).run(merge);
      }
      RunSummary summary = merge.end(System.nanoTime() - start, sample);
      if (profile) {
        profiler.take().print(line().getOut());
      }
      return exitCode(summary);
    }
  }

  /** Returns the writer of salvaged segments, or null if none was asked for. */
  private @Nullable Salvage salvage(Stream<Segment> segments) {
    Path target = salvageDirectory;
    if (target == null) {
      return null;
    }
    try {
      List<Path> inputs = new ArrayList<>();
      List<String> searched = new ArrayList<>(paths);
      searched.addAll(tiered.directories());
      for (String path : searched) {
        if (Files.isDirectory(Path.of(path))) {
          inputs.add(Path.of(path).toRealPath());
        }
      }
      Set<Path> folders = new HashSet<>();
      for (Segment segment : (Iterable<Segment>) segments::iterator) {
        Path file = Path.of(segment.name()).toAbsolutePath();
        folders.add(file.resolveSibling("").toRealPath());
        folders.add(file.toRealPath().resolveSibling("").toRealPath());
      }
      Salvage salvage = new Salvage(target, inputs, folders);
      salvage.checkDirectory();
      return salvage;
    } catch (IOException e) {
      throw usageError("--salvage must name a directory without input: " + Messages.of(e));
    }
  }

  /**
   * Prints what is not checked as a user may expect. If no path is left, adds a problem instead.
   */
  private void printNotes(SearchNotes notes, List<String[]> problems) {
    List<String> skipped = notes.skipped();
    if (!skipped.isEmpty() && skipped.size() == paths.size()) {
      problems.add(new String[] {skipped.get(0), SearchNotes.NOTHING_LEFT});
      return;
    }
    for (String note : notes.lines()) {
      line().getErr().println(Messages.printable("check: " + note));
    }
  }

  /** Returns the rules that the options set. */
  private PolicySection byDefault() {
    boolean strict = level.equals("strict");
    if (!strict && !level.equals("kafka")) {
      throw usageError(UsageError.illegal("--level", level));
    }
    if (strict && observe) {
      throw usageError(
          "--observe requires --level kafka; --level strict reports findings as faults");
    }
    return new PolicySection(
        PolicySection.DEFAULT_NAME,
        List.of(),
        strict ? Level.STRICT : Level.KAFKA,
        observe,
        limits.limits(),
        TopicRules.NONE);
  }

  private int refuse(PolicyFileException why) {
    PrintWriter err = line().getErr();
    err.println("check: --policy: the file is invalid");
    why.problems().forEach(problem -> err.println(Messages.printable(problem.toString())));
    return CommandLine.ExitCode.USAGE;
  }

  private int explain(String reason) throws IOException {
    List<String> page = RulePage.of(reason);
    if (page == null) {
      throw usageError(UsageError.illegal("--explain", reason));
    }
    Lines lines = new Lines(line().getOut());
    page.forEach(paragraph -> lines.wrapped(0, paragraph));
    return CLEAN;
  }

  private int explain(PolicyFile file, String topic) {
    PolicySection section = file.sectionOf(topic);
    boolean isExempt = PolicyFile.isInternal(topic) && section.equals(file.ofHost());
    String name = isExempt ? "none, because no section names this internal topic" : section.name();
    PrintWriter out = line().getOut();
    out.println(Messages.printable("topic " + topic + ": section " + name));
    section.settings().forEach((key, value) -> out.println(Messages.printable(key + "=" + value)));
    PrintWriter err = line().getErr();
    file.warnings().forEach(warning -> err.println("check: warning: " + warning));
    return CLEAN;
  }

  private CommandLine.ParameterException usageError(String message) {
    return new CommandLine.ParameterException(line(), message);
  }

  private Report report() {
    if (json) {
      return new JsonReport(line().getOut());
    }
    Detail detail = verbose ? Detail.VERBOSE : quiet ? Detail.QUIET : Detail.NORMAL;
    Style style = Style.of(Boolean.getBoolean(STDOUT_IS_TERMINAL));
    TextReport text = new TextReport(line().getOut(), style, detail, command());
    return lists.listing() == Listing.NONE
        ? text
        : new ListReport(line().getOut(), style, text.withoutFaults());
  }

  private int exitCode(RunSummary run) {
    if (line().getOut().checkError() && !isReadByProgram.getAsBoolean()) {
      line().getErr().println("check: the report could not be written");
      return IO_ERROR;
    }
    if (run.errors() > 0) {
      return IO_ERROR;
    }
    return run.tally().faults() > 0 ? FAULTS : CLEAN;
  }

  /** A provider of the version that the build wrote into the jar. */
  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() throws IOException {
      String version = CheckCommand.class.getPackage().getImplementationVersion();
      return new String[] {"check " + (version == null ? "(not from a jar)" : version)};
    }
  }
}
