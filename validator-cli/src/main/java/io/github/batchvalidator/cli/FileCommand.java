// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import io.github.batchvalidator.audit.SegmentRules;
import io.github.batchvalidator.audit.Settings;
import io.github.batchvalidator.audit.print.TextReport.Detail;
import io.github.batchvalidator.policy.PolicyFile;
import io.github.batchvalidator.policy.PolicyFileException;
import io.github.batchvalidator.policy.PolicySection;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.TopicRules;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A command that checks files, with the options that all commands share. */
@Command(
    exitCodeList = {
      "0:clean",
      "1:faults were found",
      "2:wrong usage",
      "3:no complete answer: a file could not be read, there was nothing to read, the report could "
          + "not be written, or the library of a codec failed; faults may have been found, too"
    })
abstract class FileCommand extends ProgramCommand {
  /** The maximum number of threads. */
  static final int MAX_THREADS = 256;

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

  @Option(
      names = {"-v", "--verbose"},
      description = "Prints all faults, each file and each partition.")
  private boolean verbose;

  @Option(
      names = {"-q", "--quiet"},
      description = "Prints only faults, findings and what is listed, salvaged or profiled.")
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
      names = "--compacted",
      description =
          "Accepts missing offsets in all partitions. Without it, a partition counts as compacted "
              + "if its files show that.")
  private boolean compacted;

  @Mixin private LimitOptions limits = new LimitOptions();

  private final BooleanSupplier isReadByProgram;

  /** The rules without a policy file. */
  private PolicySection byDefault = PolicySection.KAFKA;

  /**
   * Creates a command. Picocli sets its options and arguments.
   *
   * @param isReadByProgram returns true if another program reads the report and may end before the
   *     report does
   */
  FileCommand(BooleanSupplier isReadByProgram) {
    this.isReadByProgram = isReadByProgram;
  }

  /** Checks the values that picocli does not check, and runs the command. */
  @Override
  public final Integer call() throws InterruptedException, IOException, PolicyFileException {
    if (threads < 1 || threads > MAX_THREADS) {
      throw usageError(UsageError.illegal("--threads", String.valueOf(threads)));
    }
    if (quiet && verbose) {
      throw usageError("--quiet and --verbose exclude each other");
    }
    byDefault = byDefault();
    return run();
  }

  /** Runs the command and returns the exit code. */
  abstract int run() throws InterruptedException, IOException, PolicyFileException;

  final boolean isReadByProgram() {
    return isReadByProgram.getAsBoolean();
  }

  final List<String> paths() {
    return paths;
  }

  final TieredOptions tiered() {
    return tiered;
  }

  /** Returns true if nothing is named to check. */
  final boolean hasNoPath() {
    return paths.isEmpty() && tiered.directories().isEmpty();
  }

  final boolean compacted() {
    return compacted;
  }

  final Detail detail() {
    return verbose ? Detail.VERBOSE : quiet ? Detail.QUIET : Detail.NORMAL;
  }

  /** Returns the policy file, or null if none is named. */
  final @Nullable PolicyFile policies() throws PolicyFileException {
    Path file = policyFile;
    return file == null ? null : PolicyFile.load(file, byDefault);
  }

  /** Returns the settings of a run, with the rules that the options set. */
  final Settings settings() throws PolicyFileException {
    return Settings.standard(threads, new SegmentRules(policies(), byDefault));
  }

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
        limits.limits(line()),
        TopicRules.NONE);
  }
}
