// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options about what a batch may cost: a preset, and one option per limit. */
final class LimitOptions {
  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Option(
      names = "--limits",
      paramLabel = "PRESET",
      description =
          "What a batch may cost. unbounded-as-kafka, the default: only memory is bounded. "
              + "broker-default: what docs/decisions/010-limits.md gives reasons for. The "
              + "options below change single limits of the preset.")
  private String preset = "unbounded-as-kafka";

  @Option(
      names = "--limit-plain-bytes",
      paramLabel = "N",
      description = "Bytes that a batch may decompress to.")
  private @Nullable String plainBytes;

  @Option(
      names = "--limit-ratio",
      paramLabel = "N",
      description =
          "Bytes that each compressed byte may decompress to, beyond 1 MiB for the whole batch.")
  private @Nullable String ratio;

  @Option(
      names = "--limit-records",
      paramLabel = "N",
      description = "Records that a batch may have.")
  private @Nullable String records;

  @Option(
      names = "--limit-record-bytes",
      paramLabel = "N",
      description = "Bytes that a record of a compressed batch may have.")
  private @Nullable String recordBytes;

  @Option(
      names = "--limit-headers",
      paramLabel = "N",
      description = "Headers that a record may have.")
  private @Nullable String headers;

  @Option(
      names = "--limit-header-bytes",
      paramLabel = "N",
      description = "Bytes that the headers of a record may take.")
  private @Nullable String headerBytes;

  @Option(
      names = "--limit-codec-memory-bytes",
      paramLabel = "N",
      description = "Bytes that a codec may need for a window or a block.")
  private @Nullable String codecMemoryBytes;

  /** {@return what was chosen, or what picocli is to say} */
  Limits limits() {
    Limits limits = Limits.preset(preset);
    if (limits == null) {
      throw misused("--limits must be " + Limits.PRESET_NAMES + ", not " + preset);
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
      throw misused(option + " must be " + limit.legalValues() + ", not " + given);
    }
    return limits.with(limit, value);
  }

  private ParameterException misused(String message) {
    if (spec == null) {
      throw new IllegalStateException("not run by picocli");
    }
    return new ParameterException(spec.commandLine(), message);
  }
}
