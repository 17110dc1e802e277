// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options that limit the cost of a batch: a preset, and one option per limit. */
final class LimitOptions {
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
   * @param line the command, for errors
   * @throws ParameterException if an option has an invalid value; picocli prints the message
   */
  Limits limits(CommandLine line) {
    Limits limits = Limits.preset(preset);
    if (limits == null) {
      throw new ParameterException(line, UsageError.illegal("--limits", preset));
    }
    limits = with(line, limits, Limit.PLAIN_BYTES, plainBytes);
    limits = with(line, limits, Limit.RATIO, ratio);
    limits = with(line, limits, Limit.RECORDS, records);
    limits = with(line, limits, Limit.RECORD_BYTES, recordBytes);
    limits = with(line, limits, Limit.HEADERS, headers);
    limits = with(line, limits, Limit.HEADER_BYTES, headerBytes);
    return with(line, limits, Limit.CODEC_MEMORY_BYTES, codecMemoryBytes);
  }

  private static Limits with(CommandLine line, Limits limits, Limit limit, @Nullable String given) {
    if (given == null) {
      return limits;
    }
    Long value = limit.parse(given);
    if (value == null) {
      String option = "--limit-" + limit.name().toLowerCase(Locale.ROOT).replace('_', '-');
      throw new ParameterException(line, UsageError.illegal(option, given));
    }
    return limits.with(limit, value);
  }
}
