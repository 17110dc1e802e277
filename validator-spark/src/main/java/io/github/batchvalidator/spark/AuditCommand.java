// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark;

import io.github.batchvalidator.audit.print.Style;
import io.github.batchvalidator.audit.print.TextReport;
import io.github.batchvalidator.audit.print.TextReport.Detail;
import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.report.Report;
import io.github.batchvalidator.audit.report.RunSummary;
import io.github.batchvalidator.audit.tiered.DataKeys;
import io.github.batchvalidator.policy.PolicyFile;
import io.github.batchvalidator.policy.PolicyFileException;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.spark.check.Row;
import io.github.batchvalidator.spark.check.Rules;
import io.github.batchvalidator.spark.inventory.Inventory;
import io.github.batchvalidator.spark.inventory.TaskPlan;
import io.github.batchvalidator.spark.storage.Storage;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code audit PATH...} command. */
@Command(
    name = "audit",
    mixinStandardHelpOptions = true,
    versionProvider = AuditCommand.Version.class,
    sortOptions = false,
    description = "Checks Kafka log segments as ./check does, on Spark.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:clean",
      "1:faults were found",
      "2:wrong usage",
      "3:no complete answer: a file could not be read, there was nothing to read, or Spark failed; "
          + "faults may have been found, too"
    })
public final class AuditCommand implements Callable<Integer> {
  private static final int CLEAN = 0;
  private static final int FAULTS = 1;
  private static final int IO_ERROR = 3;

  /** The system property that says what a user types for {@code ./check}. */
  private static final String CHECK_COMMAND = "./check";

  private static final String MASTER = "spark.master";
  private static final String LOCAL = "local[*]";
  private static final String LOOPBACK = "127.0.0.1";

  @Spec private @Nullable CommandSpec spec;

  @Parameters(
      paramLabel = "PATH",
      arity = "0..*",
      description =
          "Segment files, or directories to search, on any file system of Hadoop. A directory named"
              + " TOPIC-PARTITION is also checked as a whole.")
  private List<String> paths = new ArrayList<>();

  @Option(
      names = "--tiered",
      paramLabel = "DIR",
      description =
          "Also checks the segments that a tiered storage keeps below DIR. May be repeated.")
  private List<String> tiered = new ArrayList<>();

  @Option(
      names = "--key",
      paramLabel = "FILE",
      description = "A private key for encrypted tiered segments, in PEM form. May be repeated.")
  private List<java.nio.file.Path> keys = new ArrayList<>();

  @Option(
      names = "--level",
      paramLabel = "LEVEL",
      description = "kafka (default) or strict, as for ./check.")
  private String level = "kafka";

  @Option(
      names = "--policy",
      paramLabel = "FILE",
      description = "Checks each segment by the rules of its topic in a policy file.")
  private java.nio.file.@Nullable Path policy;

  @Option(names = "--compacted", description = "Accepts missing offsets in all partitions.")
  private boolean compacted;

  @Option(
      names = "--profile",
      description = "Also prints what the records of each topic look like.")
  private boolean profile;

  @Option(
      names = "--output",
      paramLabel = "DIR",
      description = "Writes the rows of ./check --json to a new directory.")
  private @Nullable String output;

  AuditCommand() {}

  /**
   * Runs the command and exits the JVM.
   *
   * @param args the command-line arguments
   */
  public static void main(String[] args) {
    CommandLine line = commandLine();
    line.setOut(new PrintWriter(System.out, false, StandardCharsets.UTF_8));
    line.setErr(new PrintWriter(System.err, true, StandardCharsets.UTF_8));
    int exitCode = execute(line, args);
    line.getOut().flush();
    System.exit(exitCode);
  }

  /** Returns 3 if an {@code Error} is thrown. The JVM would exit with 1, which means faults. */
  private static int execute(CommandLine line, String... args) {
    try {
      return line.execute(args);
    } catch (Error e) {
      return failed(e, line);
    }
  }

  /** Returns the picocli command line, with error handlers set. */
  static CommandLine commandLine() {
    return new CommandLine(new AuditCommand())
        .setExpandAtFiles(false)
        .setParameterExceptionHandler(AuditCommand::refuse)
        .setExecutionExceptionHandler((why, line, arguments) -> failed(why, line));
  }

  private static int failed(Throwable why, CommandLine line) {
    line.getErr().println(Messages.printable("audit: " + Messages.of(why)));
    return IO_ERROR;
  }

  private static int refuse(ParameterException why, String... arguments) {
    PrintWriter err = why.getCommandLine().getErr();
    err.println(Messages.printable("audit: " + String.valueOf(why.getMessage())));
    err.println("see --help");
    return CommandLine.ExitCode.USAGE;
  }

  private CommandLine line() {
    if (spec == null) {
      throw new IllegalStateException("not run by picocli");
    }
    return spec.commandLine();
  }

  private ParameterException usageError(String message) {
    return new ParameterException(line(), message);
  }

  @Override
  public Integer call() throws IOException {
    if (paths.isEmpty() && tiered.isEmpty()) {
      throw usageError("name directories or segment files to check");
    }
    Level checked = level();
    DataKeys read = keys();
    java.nio.file.Path policies = policy;
    if (policies != null) {
      try {
        PolicyFile.load(policies, Rules.byDefault(checked));
      } catch (PolicyFileException e) {
        line().getErr().println("audit: --policy: the file is invalid");
        e.problems().forEach(each -> line().getErr().println(Messages.printable(each.toString())));
        return CommandLine.ExitCode.USAGE;
      }
    }
    try (JavaSparkContext spark = new JavaSparkContext(configuration())) {
      Configuration hadoop = spark.hadoopConfiguration();
      checkOutput(new Storage(hadoop));
      String policyName = null;
      if (policies != null) {
        spark.addFile(policies.toAbsolutePath().toString());
        policyName = String.valueOf(policies.getFileName());
      }
      return audit(
          spark, new Rules(new Storage(hadoop), checked, policyName, compacted, profile, read));
    }
  }

  private Level level() {
    for (Level each : List.of(Level.KAFKA, Level.STRICT)) {
      if (level.equals(each.name().toLowerCase(Locale.ROOT))) {
        return each;
      }
    }
    throw usageError("--level must be kafka or strict, not " + level);
  }

  private DataKeys keys() {
    try {
      return DataKeys.read(keys);
    } catch (IOException e) {
      throw new ParameterException(
          line(),
          "--key must be a file with a private RSA key in PEM form (PKCS #8): " + Messages.of(e),
          e);
    }
  }

  /** Returns the configuration of {@code spark-submit}, or that of an embedded Spark. */
  private static SparkConf configuration() {
    SparkConf configuration = new SparkConf();
    configuration.setIfMissing("spark.app.name", "batch-validator-audit");
    if (!configuration.contains(MASTER)) {
      configuration.set(MASTER, LOCAL);
      configuration.setIfMissing("spark.ui.enabled", "false");
      configuration.setIfMissing("spark.driver.host", LOOPBACK);
      configuration.setIfMissing("spark.driver.bindAddress", LOOPBACK);
    }
    return configuration;
  }

  private void checkOutput(Storage storage) throws IOException {
    String target = output;
    if (target != null) {
      org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(target);
      if (storage.of(path).exists(path)) {
        throw usageError("--output must be a directory that does not exist, not " + target);
      }
    }
  }

  private int audit(JavaSparkContext spark, Rules rules) {
    PrintWriter err = line().getErr();
    List<Row> problems = new ArrayList<>();
    BiConsumer<String, String> problem = (name, why) -> problems.add(new Row.Failure(name, why));
    Inventory inventory = new Inventory(rules.storage(), rules.keys(), problem);
    tiered.forEach(inventory::addTiered);
    paths.forEach(inventory::add);
    Consumer<String> notes = note -> err.println(Messages.printable("audit: " + note));
    inventory.notes().report(paths.size(), problem, notes);
    int parallel = spark.defaultParallelism();
    TaskPlan plan = new TaskPlan(TaskPlan.usualBytes(inventory.bytes(), parallel));
    inventory.plan(plan);
    err.printf(
        Locale.ROOT,
        "audit: %d segments, %.3f GB, in %d tasks%n",
        inventory.segments(),
        inventory.bytes() / 1e9,
        plan.tasks().size());
    try (SparkAudit audit =
        new SparkAudit(spark, rules, plan, TaskPlan.mostMerges(parallel), problems)) {
      RunSummary summary = audit.run(report());
      if (profile) {
        audit.profiles().print(line().getOut());
      }
      String target = output;
      if (target != null) {
        audit.write(target, summary);
      }
      return summary.errors() > 0 ? IO_ERROR : summary.tally().faults() > 0 ? FAULTS : CLEAN;
    }
  }

  /** Returns a report that also prints errors on stderr. */
  private Report report() {
    PrintWriter err = line().getErr();
    return new TextReport(line().getOut(), Style.PLAIN, Detail.NORMAL, CHECK_COMMAND) {
      @Override
      public void error(String file, String message) {
        err.println(Messages.printable("audit: " + file + ": " + message));
      }
    };
  }

  /** A provider of the version that the build wrote into the jar. */
  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = AuditCommand.class.getPackage().getImplementationVersion();
      return new String[] {"audit " + (version == null ? "(not from a jar)" : version)};
    }
  }
}
