// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import io.github.batchvalidator.audit.repair.Repair;
import io.github.batchvalidator.audit.repair.RepairOptions;
import io.github.batchvalidator.audit.repair.RepairTarget;
import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.policy.PolicyFileException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code check repair} command. */
@Command(
    name = "repair",
    description =
        "Builds a sound directory of a partition from copies that may be damaged: each batch from a"
            + " sound copy, with new indexes and producer snapshots. Refuses if sound copies"
            + " differ, or if no copy has an offset. Never writes into a copy.",
    exitCodeList = {
      "0:the new directory is complete and sound",
      "1:nothing was written, because copies differ or offsets are lost",
      "2:wrong usage",
      "3:nothing was written, because a file could not be read or written; or the report could not"
          + " be written"
    })
final class RepairCommand extends FileCommand {
  @Option(
      names = "--from",
      paramLabel = "DIR",
      description =
          "A copy: the directory of a partition, with the checkpoint files beside it if there are"
              + " any. Repeat it for each copy. --tiered names a copy in a tiered storage.")
  private List<String> copies = new ArrayList<>();

  @Option(
      names = "--into",
      paramLabel = "OUT_DIR",
      required = true,
      description = "The directory in which a new directory TOPIC-PARTITION is made.")
  private Path target = Path.of("");

  @Option(
      names = "--prefer",
      paramLabel = "DIR",
      description = "The copy to take where sound copies differ. Without it, nothing is written.")
  private @Nullable String preferred;

  @Option(
      names = "--lose-records",
      description = "Also writes a partition that lacks offsets because no copy has them.")
  private boolean losesRecords;

  @Option(
      names = "--lose-markers",
      description =
          "Also writes a partition that may lack markers of transactions. Consumers may then read"
              + " records that were rolled back.")
  private boolean losesMarkers;

  @Option(
      names = "--as-stored",
      description =
          "Also takes batches that break a rule but have a right checksum, byte by byte as all"
              + " copies have them.")
  private boolean asStored;

  @Option(
      names = "--not-compacted",
      description =
          "Says that the topic was never compacted, so that offsets which a copy lacks between"
              + " sound batches are taken from another copy.")
  private boolean uncompacted;

  @Option(names = "--json", description = "Prints JSON Lines on stdout, as check does.")
  private boolean json;

  RepairCommand(BooleanSupplier isReadByProgram) {
    super(isReadByProgram);
  }

  @Override
  int run() throws InterruptedException, PolicyFileException {
    if (!paths().isEmpty()) {
      throw usageError("name each copy with --from, not " + paths().get(0));
    }
    if (copies.isEmpty() && tiered().directories().isEmpty()) {
      throw usageError("name the copies to repair from with --from");
    }
    if (target.toString().isEmpty()) {
      throw usageError("--into must name a directory: the path is empty");
    }
    if (uncompacted && compacted()) {
      throw usageError("--compacted and --not-compacted exclude each other");
    }
    List<Repair.Input> inputs = inputs();
    RepairTarget into = target(inputs);
    Session session = new Session(this).json(json);
    RepairOptions options =
        new RepairOptions(
            preferred, losesRecords, losesMarkers, compacted(), uncompacted, asStored);
    return session.repairing(new Repair(inputs, options, session.settings()), into).run();
  }

  private List<Repair.Input> inputs() {
    RepairInputs inputs = new RepairInputs(problems -> tiered().none(line(), problems));
    try {
      copies.forEach(copy -> inputs.add(copy, false));
      tiered().directories().forEach(copy -> inputs.add(copy, true));
      List<Repair.Input> found = inputs.inputs();
      String copy = preferred;
      if (copy != null && found.stream().noneMatch(input -> input.name().equals(copy))) {
        throw usageError("--prefer must be one of the copies, written as there, not " + copy);
      }
      return found;
    } catch (RepairInputs.UnusableException e) {
      throw usageError(String.valueOf(e.getMessage()));
    }
  }

  private RepairTarget target(List<Repair.Input> inputs) {
    try {
      String partition = inputs.get(0).partition().directory();
      List<Path> directories = new ArrayList<>();
      for (Repair.Input input : inputs) {
        directories.add(Path.of(input.partition().name()));
      }
      return RepairTarget.of(target, partition, directories);
    } catch (IOException e) {
      throw usageError("--into: " + Messages.of(e));
    }
  }
}
