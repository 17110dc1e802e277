// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import io.github.batchvalidator.audit.print.Lines;
import io.github.batchvalidator.audit.print.NextSteps;
import io.github.batchvalidator.audit.print.StandardOutput;
import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.policy.PolicyFile;
import io.github.batchvalidator.policy.PolicyFileException;
import io.github.batchvalidator.policy.PolicySection;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;

/** The {@code check [PATH...]} command, and what all commands have in common. */
@Command(
    name = "check",
    description = {
      "Checks every record batch of Kafka log segments: structure, CRC, magic, offsets, sizes, "
          + "headers and timestamps. Decompresses all codecs and checks every record. Never writes "
          + "to a segment.",
      "A truncated tail is normal in a segment that a broker is writing to."
    })
public final class CheckCommand extends FileCommand {
  static final int CLEAN = 0;
  static final int FAULTS = 1;
  static final int IO_ERROR = 3;

  /** The names of the other commands, and the options that print them. */
  private static final Pattern OF_COMMANDS =
      Pattern.compile(
          "salvage|repair|profile|scrub|compare|digest"
              + "|-[a-zA-Z]*h[a-zA-Z]*|--help|--completion|--man-page");

  @Option(names = "--sample", description = "Checks a small sample that ships with the program.")
  private boolean sample;

  @Option(
      names = "--explain",
      paramLabel = "REASON|TOPIC",
      completionCandidates = Candidates.Reasons.class,
      description =
          "Explains the reason of a fault and checks nothing. With --policy, validates the policy "
              + "file and prints the rules of a topic; exits with 2 if the file is invalid.")
  private @Nullable String explained;

  @Mixin private ListOptions lists = new ListOptions();

  @Option(
      names = "--json",
      description =
          "Prints JSON Lines on stdout: objects of type fault, finding, error, file, partition, "
              + "batch and record, then one of type summary.")
  private boolean json;

  @Mixin private PrintOptions prints = new PrintOptions();

  CheckCommand(BooleanSupplier isReadByProgram) {
    super(isReadByProgram);
  }

  /**
   * Runs the command and exits the JVM.
   *
   * @param args the command-line arguments
   */
  public static void main(String[] args) {
    CommandLine line = commandLine(StandardOutput::isReadByProgram, args);
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
   * Returns the picocli command line with error handlers set. It has the other commands only if the
   * call names or prints them, because picocli takes 20 ms to read their options.
   *
   * @param isReadByProgram returns true if another program reads the output
   * @param args the command-line arguments
   */
  static CommandLine commandLine(BooleanSupplier isReadByProgram, String... args) {
    CommandLine line = new CommandLine(new CheckCommand(isReadByProgram));
    if (Arrays.stream(args).anyMatch(word -> OF_COMMANDS.matcher(word).matches())) {
      line.addSubcommand(new SalvageCommand(isReadByProgram));
      line.addSubcommand(new CompareCommand(isReadByProgram));
      line.addSubcommand(new RepairCommand(isReadByProgram));
      line.addSubcommand(new DigestCommand());
      line.addSubcommand(new ProfileCommand(isReadByProgram));
      line.addSubcommand(new ScrubCommand(isReadByProgram));
    }
    return line.setExpandAtFiles(false)
        .setExecutionStrategy(CheckCommand::runLast)
        .setParameterExceptionHandler(CheckCommand::printUsageError)
        .setExecutionExceptionHandler(CheckCommand::failed);
  }

  /** Runs a command. Refuses arguments before its name, which would be ignored. */
  private static int runLast(ParseResult arguments) {
    if (arguments.hasSubcommand() && !arguments.matchedArgs().isEmpty()) {
      CommandLine line = arguments.subcommand().commandSpec().commandLine();
      String name = line.getCommandName();
      throw new ParameterException(line, "write " + name + " first, or a path as ./" + name);
    }
    return new RunLast().execute(arguments);
  }

  private static int failed(Throwable why, CommandLine line, @Nullable ParseResult arguments) {
    PrintWriter err = line.getErr();
    if (why instanceof PolicyFileException refused) {
      err.println("check: --policy: the file is invalid");
      refused.problems().forEach(problem -> err.println(Messages.printable(problem.toString())));
      return CommandLine.ExitCode.USAGE;
    }
    err.println(Messages.printable("check: " + Messages.of(why)));
    return IO_ERROR;
  }

  /**
   * Prints a usage error without the help text. The help has about fifty lines and would hide the
   * error.
   */
  private static int printUsageError(ParameterException why, String... arguments) {
    CommandLine line = why.getCommandLine();
    line.getErr().println(Messages.printable("check: " + UsageError.of(why)));
    String command = line.getParent() == null ? "" : line.getCommandName() + " ";
    line.getErr().println("see " + command + "--help");
    return CommandLine.ExitCode.USAGE;
  }

  @Override
  int run() throws InterruptedException, IOException, PolicyFileException {
    if (sample && !hasNoPath()) {
      throw usageError("--sample checks no other path");
    }
    if (prints.print(line())) {
      return CLEAN;
    }
    if (explained != null) {
      return explain(explained);
    }
    if (!sample && hasNoPath()) {
      return usage();
    }
    Session session = new Session(this).json(json).listing(lists.listing());
    return (sample ? session.sample() : session).run();
  }

  /** Prints the short usage, for a call that names nothing to check. */
  private int usage() {
    String command = Session.command();
    PrintWriter err = line().getErr();
    err.println("check: name segment files, or directories with *.log files");
    err.println("  " + command + " PATH...     checks them");
    err.println("  " + command + " --sample    checks a small sample that ships with the program");
    err.println("  " + command + " --help      lists all options");
    return CommandLine.ExitCode.USAGE;
  }

  private int explain(String name) throws IOException, PolicyFileException {
    PolicyFile file = policies();
    if (file != null) {
      return explain(file, name);
    }
    List<String> page = RulePage.of(name);
    if (page == null) {
      throw usageError(UsageError.illegal("--explain", name));
    }
    Lines lines = new Lines(line().getOut());
    page.forEach(paragraph -> lines.wrapped(0, paragraph));
    NextSteps.of(name.toUpperCase(Locale.ROOT)).forEach(each -> lines.wrapped(0, "next: " + each));
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

  /** A provider of the version that the build wrote into the jar. */
  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() throws IOException {
      String version = CheckCommand.class.getPackage().getImplementationVersion();
      return new String[] {"check " + (version == null ? "(not from a jar)" : version)};
    }
  }
}
