// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import io.github.batchvalidator.audit.SegmentRules;
import io.github.batchvalidator.policy.PolicyFile;
import io.github.batchvalidator.policy.PolicyFileException;
import io.github.batchvalidator.policy.PolicySection;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.TopicRules;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options that say what a fault is. */
final class RuleOptions {
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

  /** Returns true if offsets may be missing in all partitions. */
  boolean compacted() {
    return compacted;
  }

  /** Returns the policy file, or null if none is named. */
  @Nullable PolicyFile policies(CommandLine line) throws PolicyFileException {
    Path file = policyFile;
    return file == null ? null : PolicyFile.load(file, byDefault(line));
  }

  /** Returns the rules of each topic. */
  SegmentRules rules(CommandLine line) throws PolicyFileException {
    return new SegmentRules(policies(line), byDefault(line));
  }

  /**
   * Returns the rules without a policy file.
   *
   * @param line the command, for errors
   * @throws ParameterException if an option has an invalid value; picocli prints the message
   */
  PolicySection byDefault(CommandLine line) {
    boolean strict = level.equals("strict");
    if (!strict && !level.equals("kafka")) {
      throw new ParameterException(line, UsageError.illegal("--level", level));
    }
    if (strict && observe) {
      throw new ParameterException(
          line, "--observe requires --level kafka; --level strict reports findings as faults");
    }
    return new PolicySection(
        PolicySection.DEFAULT_NAME,
        List.of(),
        strict ? Level.STRICT : Level.KAFKA,
        observe,
        limits.limits(line),
        TopicRules.NONE);
  }
}
