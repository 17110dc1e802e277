// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark;

import io.github.batchvalidator.audit.print.StandardOutput;
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
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;

/** The {@code audit PATH...} command. */
@Command(
    name = "audit",
    subcommands = CompareCommand.class,
    description = "Checks Kafka log segments as ./check does, on Spark.",
    exitCodeList = {
      "0:clean",
      "1:faults were found",
      "2:wrong usage",
      "3:no complete answer: a file could not be read, there was nothing to read, the report could"
          + " not be written, or Spark failed; faults may have been found, too"
    })
public final class AuditCommand extends SparkCommand {
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

  AuditCommand() {}

  /**
   * Runs the command and exits the JVM.
   *
   * @param args the command-line arguments
   */
  public static void main(String[] args) {
    CommandLine line = commandLine(StandardOutput::isReadByProgram);
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

  /**
   * Returns the picocli command line, with error handlers set.
   *
   * @param isReadByProgram returns true if another program reads the output
   */
  static CommandLine commandLine(BooleanSupplier isReadByProgram) {
    return new CommandLine(new AuditCommand())
        .setExpandAtFiles(false)
        .setExecutionStrategy(arguments -> runLast(arguments, isReadByProgram))
        .setParameterExceptionHandler(AuditCommand::refuse)
        .setExecutionExceptionHandler((why, line, arguments) -> failed(why, line));
  }

  /** Runs a command. Refuses arguments before its name, which would be ignored. */
  private static int runLast(ParseResult arguments, BooleanSupplier isReadByProgram) {
    if (arguments.hasSubcommand() && !arguments.matchedArgs().isEmpty()) {
      CommandLine line = arguments.subcommand().commandSpec().commandLine();
      String name = line.getCommandName();
      throw new ParameterException(line, "write " + name + " first, or a path as ./" + name);
    }
    int exitCode = new RunLast().execute(arguments);
    CommandLine line = arguments.commandSpec().commandLine();
    if (line.getOut().checkError() && !isReadByProgram.getAsBoolean()) {
      line.getErr().println("audit: the report could not be written");
      return IO_ERROR;
    }
    return exitCode;
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

  @Override
  public Integer call() throws IOException {
    if (paths.isEmpty() && tiered.isEmpty()) {
      throw usageError("name directories or segment files to check");
    }
    Level checked = level();
    DataKeys read = keys();
    java.nio.file.Path policies = policy;
    List<java.nio.file.Path> copied = List.of();
    if (policies != null) {
      try {
        copied = filesOf(PolicyFile.load(policies, Rules.byDefault(checked)), policies);
      } catch (PolicyFileException e) {
        line().getErr().println("audit: --policy: the file is invalid");
        e.problems().forEach(each -> line().getErr().println(Messages.printable(each.toString())));
        return CommandLine.ExitCode.USAGE;
      }
    }
    try (JavaSparkContext spark = new JavaSparkContext(configuration())) {
      Configuration hadoop = spark.hadoopConfiguration();
      checkOutput(new Storage(hadoop));
      copied.forEach(file -> spark.addFile(file.toAbsolutePath().toString()));
      String policyName = policies == null ? null : String.valueOf(policies.getFileName());
      return audit(
          spark, new Rules(new Storage(hadoop), checked, policyName, compacted, profile, read));
    }
  }

  /**
   * Returns a policy file and its files of ids. Spark copies them all to one directory, where a
   * file has the name that links lead to.
   */
  private List<java.nio.file.Path> filesOf(PolicyFile rules, java.nio.file.Path policies)
      throws IOException {
    List<java.nio.file.Path> files = new ArrayList<>();
    files.add(policies);
    for (java.nio.file.Path ids : rules.idFiles()) {
      if (!ids.equals(ids.getFileName())) {
        throw usageError(
            "--policy: a file of ids must be in the directory of the policy file, and have a name"
                + " such as file:ids.txt, not file:"
                + ids);
      }
      files.add(policies.resolveSibling(ids));
    }
    for (java.nio.file.Path file : files) {
      if (!file.toRealPath().endsWith(String.valueOf(file.getFileName()))) {
        throw usageError("--policy: " + file + " is a link to a file of another name");
      }
    }
    return files;
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

  private int audit(JavaSparkContext spark, Rules rules) {
    List<Row> problems = new ArrayList<>();
    BiConsumer<String, String> problem = (name, why) -> problems.add(new Row.Failure(name, why));
    Inventory inventory = new Inventory(rules.storage(), rules.keys(), problem);
    tiered.forEach(inventory::addTiered);
    paths.forEach(inventory::add);
    inventory.notes().report(paths.size(), problem, this::say);
    int parallel = spark.defaultParallelism();
    TaskPlan plan = new TaskPlan(TaskPlan.usualBytes(inventory.bytes(), parallel));
    inventory.plan(plan);
    say(
        String.format(
            Locale.ROOT,
            "%d segments, %.3f GB, in %d tasks",
            inventory.segments(),
            inventory.bytes() / 1e9,
            plan.tasks().size()));
    try (SparkAudit audit =
        new SparkAudit(spark, rules, plan, TaskPlan.mostMerges(parallel), problems)) {
      RunSummary summary = audit.run(report());
      if (profile) {
        audit.profiles().print(line().getOut());
      }
      String target = output();
      if (target != null) {
        audit.write(target, summary);
      }
      return exitCode(summary.errors(), summary.tally().faults());
    }
  }

  /** Returns a report that also prints errors on stderr. */
  private Report report() {
    return new TextReport(line().getOut(), Style.PLAIN, Detail.NORMAL, CHECK_COMMAND) {
      @Override
      public void error(String file, String message) {
        say(file + ": " + message);
      }
    };
  }
}
