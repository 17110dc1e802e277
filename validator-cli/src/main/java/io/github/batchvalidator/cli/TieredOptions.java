// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.tiered.DataKeys;
import io.github.batchvalidator.audit.tiered.TieredFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options for segments in tiered storages. */
final class TieredOptions {
  @Option(
      names = "--tiered",
      paramLabel = "DIR",
      description =
          "Also checks the segments that a tiered storage keeps in a directory, in the layout of"
              + " Kafka's LocalTieredStorage or of Aiven's plugin. With PATHs of the local log,"
              + " also checks that no offset is missing in between. A search finds such"
              + " directories, too.")
  private List<String> directories = new ArrayList<>();

  @Option(
      names = "--key",
      paramLabel = "FILE",
      description =
          "A private key of Aiven's plugin, in PEM form, for segments that are encrypted. May be "
              + "given more than once.")
  private List<Path> keys = new ArrayList<>();

  /** Returns the directories that are named. */
  List<String> directories() {
    return directories;
  }

  /**
   * Returns a collection of the segments in the directories.
   *
   * @param line the command line, for errors
   * @param problems receives the name of each path that cannot be read, and the cause
   */
  TieredFiles files(CommandLine line, BiConsumer<String, String> problems) {
    TieredFiles files = none(line, problems);
    directories.forEach(files::add);
    return files;
  }

  /** Returns an empty collection, as above. */
  TieredFiles none(CommandLine line, BiConsumer<String, String> problems) {
    return new TieredFiles(problems, keys(line));
  }

  private DataKeys keys(CommandLine line) {
    try {
      return DataKeys.read(keys);
    } catch (IOException e) {
      throw new ParameterException(
          line, "--key must be " + UsageError.legalValues("--key") + ": " + Messages.of(e), e);
    }
  }
}
