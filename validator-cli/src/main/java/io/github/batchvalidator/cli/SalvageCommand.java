// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.salvage.Salvage;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.policy.PolicyFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code check salvage} command. */
@Command(
    name = "salvage",
    description =
        "Checks segments, and copies the sound batches of each damaged one to a new file of the"
            + " same name. Reports what was lost. Never writes into a directory of the input, and"
            + " never overwrites.")
final class SalvageCommand extends FileCommand {
  private static final String WRONG_TARGET = "--into must name a directory without input: ";

  @Option(
      names = "--into",
      paramLabel = "OUT_DIR",
      required = true,
      description = "The directory of the new files, which is created if it does not exist.")
  private Path target = Path.of("");

  @Option(
      names = "--lose-markers",
      description =
          "Also writes partitions that lose markers of transactions. Consumers may then read"
              + " records that were rolled back.")
  private boolean losesMarkers;

  @Option(names = "--json", description = "Prints JSON Lines on stdout, as check does.")
  private boolean json;

  SalvageCommand(BooleanSupplier isReadByProgram) {
    super(isReadByProgram);
  }

  @Override
  int run() throws InterruptedException, PolicyFileException {
    if (target.toString().isEmpty()) {
      throw usageError(WRONG_TARGET + "the path is empty");
    }
    if (hasNoPath()) {
      throw usageError("name what to salvage");
    }
    Session session = new Session(this).json(json);
    return session.salvaging(salvage(session.localSegments()), losesMarkers).run();
  }

  /** Returns the writer of the new files. Refuses a directory that has input. */
  private Salvage salvage(Stream<Segment> segments) {
    try {
      List<Path> inputs = new ArrayList<>();
      List<String> searched = new ArrayList<>(paths());
      searched.addAll(tiered().directories());
      for (String path : searched) {
        if (Files.isDirectory(Path.of(path))) {
          inputs.add(Path.of(path).toRealPath());
        }
      }
      Set<Path> folders = new HashSet<>();
      for (Segment segment : (Iterable<Segment>) segments::iterator) {
        addFolders(Path.of(segment.name()).toAbsolutePath(), folders);
      }
      Salvage salvage = new Salvage(target, inputs, folders);
      salvage.checkDirectory();
      return salvage;
    } catch (IOException e) {
      throw usageError(WRONG_TARGET + Messages.of(e));
    }
  }

  /** Adds the directory of a file, and that of the file which links lead to. */
  private static void addFolders(Path file, Set<Path> folders) throws IOException {
    try {
      folders.add(file.resolveSibling("").toRealPath());
    } catch (NoSuchFileException gone) {
      return; // a broker has deleted the directory since the search
    }
    try {
      folders.add(file.toRealPath().resolveSibling(""));
    } catch (IOException unread) {
      return; // a broken link is no input, and the check reports it
    }
  }
}
