// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that limit the cost of a batch: a preset, and one option per limit. */
final class LimitOptions {
  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Option(
      names = "--limits",
      paramLabel = "PRESET",
      completionCandidates = Candidates.Presets.class,
      description =
          "Limits on the cost of a batch. unbounded-as-kafka (default): only memory is bounded. "
              + "generous: also decompressed size, to 2 GiB. broker-default: also ratio, records "
              + "and headers. The options below override single limits of the preset.")
  private String preset = "unbounded-as-kafka";

  @Option(
      names = "--limit-plain-bytes",
      paramLabel = "N",
      description = "Maximum size of a decompressed batch, in bytes.")
  private @Nullable String plainBytes;

  @Option(
      names = "--limit-ratio",
      paramLabel = "N",
      description =
          "Maximum number of decompressed bytes per compressed byte. A batch that "
              + "decompresses to at most 1 MiB always passes this limit.")
  private @Nullable String ratio;

  @Option(
      names = "--limit-records",
      paramLabel = "N",
      description = "Maximum number of records in a batch.")
  private @Nullable String records;

  @Option(
      names = "--limit-record-bytes",
      paramLabel = "N",
      description = "Maximum size of a record of a compressed batch, in bytes.")
  private @Nullable String recordBytes;

  @Option(
      names = "--limit-headers",
      paramLabel = "N",
      description = "Maximum number of headers of a record.")
  private @Nullable String headers;

  @Option(
      names = "--limit-header-bytes",
      paramLabel = "N",
      description = "Maximum total size of the headers of a record, in bytes.")
  private @Nullable String headerBytes;

  @Option(
      names = "--limit-codec-memory-bytes",
      paramLabel = "N",
      description = "Maximum size of a window or block of a codec, in bytes.")
  private @Nullable String codecMemoryBytes;

  /**
   * Returns the selected limits.
   *
   * @throws ParameterException if an option has an invalid value; picocli prints the message
   */
  Limits limits() {
    Limits limits = Limits.preset(preset);
    if (limits == null) {
      throw usageError(UsageError.illegal("--limits", preset));
    }
    limits = with(limits, Limit.PLAIN_BYTES, "--limit-plain-bytes", plainBytes);
    limits = with(limits, Limit.RATIO, "--limit-ratio", ratio);
    limits = with(limits, Limit.RECORDS, "--limit-records", records);
    limits = with(limits, Limit.RECORD_BYTES, "--limit-record-bytes", recordBytes);
    limits = with(limits, Limit.HEADERS, "--limit-headers", headers);
    limits = with(limits, Limit.HEADER_BYTES, "--limit-header-bytes", headerBytes);
    return with(limits, Limit.CODEC_MEMORY_BYTES, "--limit-codec-memory-bytes", codecMemoryBytes);
  }

  private Limits with(Limits limits, Limit limit, String option, @Nullable String given) {
    if (given == null) {
      return limits;
    }
    Long value = limit.parse(given);
    if (value == null) {
      throw usageError(UsageError.illegal(option, given));
    }
    return limits.with(limit, value);
  }

  private ParameterException usageError(String message) {
    if (spec == null) {
      throw new IllegalStateException("not run by picocli");
    }
    return new ParameterException(spec.commandLine(), message);
  }
}
