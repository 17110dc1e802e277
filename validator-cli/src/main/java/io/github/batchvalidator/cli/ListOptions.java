// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import io.github.batchvalidator.audit.Listing;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that list what a segment contains. */
final class ListOptions {
  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Option(
      names = "--list",
      description =
          "Lists the batches of each file: offsets, codec, timestamps, producer, size. Faults "
              + "appear where they are, and the verdict at the end.")
  private boolean batches;

  @Option(
      names = "--records",
      description =
          "Also lists the records: offset, timestamp, sizes of key and value, keys of headers. "
              + "Records of magic 0 and 1 are not listed.")
  private boolean records;

  @Option(
      names = "--payload",
      description = "Also lists the first 256 bytes of each key and value. Requires --records.")
  private boolean payload;

  /**
   * Returns what to list.
   *
   * @throws ParameterException if an option lacks another one; picocli prints the message
   */
  Listing listing() {
    if (payload && !records && spec != null) {
      throw new ParameterException(spec.commandLine(), "--payload requires --records");
    }
    if (payload) {
      return Listing.PAYLOAD;
    }
    if (records) {
      return Listing.RECORDS;
    }
    return batches ? Listing.BATCHES : Listing.NONE;
  }
}
