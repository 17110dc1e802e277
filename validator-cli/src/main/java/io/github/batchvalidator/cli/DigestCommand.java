// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import io.github.batchvalidator.audit.compare.Digest;
import io.github.batchvalidator.audit.compare.DigestRun;
import io.github.batchvalidator.audit.report.Messages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code check digest} command. */
@Command(
    name = "digest",
    description =
        "Writes the hashes of partitions to a small file, for a comparison with replicas on other"
            + " machines: one hash for each range of offsets, some kilobytes for a gigabyte.",
    exitCodeList = {
      "0:written",
      "1:written, and bytes are damaged",
      "2:wrong usage",
      "3:no complete answer: a file could not be read or written, or no partition was found"
    })
final class DigestCommand extends PartitionCommand {
  /** Ranges of a few offsets would make the digest larger than the data. */
  static final long MIN_RANGE = 16;

  private static final Pattern OFFSETS = Pattern.compile("([0-9]{1,18})-([0-9]{1,18})");

  @Option(
      names = "--into",
      paramLabel = "FILE",
      required = true,
      description = "The new file. It must not exist.")
  private Path target = Path.of("");

  @Option(
      names = "--range",
      paramLabel = "N",
      description =
          "Number of offsets of a range, at least 16. Default: 16384. Digests to compare need the"
              + " same number.")
  private long range = Digest.RANGE_SIZE;

  @Option(
      names = "--offsets",
      paramLabel = "FIRST-LAST",
      description = "Reads these offsets only, to look closer at a range that differs.")
  private @Nullable String offsets;

  private long errors;

  @Override
  int run(PartitionSearch found) throws InterruptedException {
    if (range < MIN_RANGE) {
      throw usageError(UsageError.illegal("--range", String.valueOf(range)));
    }
    if (target.toString().isEmpty() || Files.exists(target)) {
      throw usageError("--into must be a file that does not exist, not " + target);
    }
    found.problems().forEach(problem -> error(problem[0], problem[1]));
    found.digests().forEach(file -> error(file, "a digest already"));
    if (found.partitions().isEmpty()) {
      error(paths().get(0), "contains no partition");
      return CheckCommand.IO_ERROR;
    }
    boolean terminal = Boolean.getBoolean(Session.STDERR_IS_TERMINAL);
    try (Progress progress = new Progress(line().getErr(), terminal, found.bytes()).start()) {
      DigestRun digest = digest(found, progress);
      digest.run(threads(), target);
      AtomicInteger code = new AtomicInteger();
      progress.whileHidden(line().getOut(), () -> code.set(exitCode(digest)));
      return code.get();
    } catch (IOException e) {
      error(target.toString(), Messages.of(e));
      return CheckCommand.IO_ERROR;
    }
  }

  private DigestRun digest(PartitionSearch found, Progress progress) {
    long first = 0;
    long last = Long.MAX_VALUE - 1;
    if (offsets != null) {
      Matcher given = OFFSETS.matcher(offsets);
      boolean isRange = given.matches();
      first = isRange ? Long.parseLong(given.group(1)) : 0;
      last = isRange ? Long.parseLong(given.group(2)) : -1;
      if (last < first) {
        throw usageError(UsageError.illegal("--offsets", offsets));
      }
    }
    return new DigestRun(
        found.partitions(),
        range,
        first,
        last + 1,
        (file, why) -> progress.whileHidden(line().getOut(), () -> error(file, why)),
        progress::add);
  }

  private int exitCode(DigestRun digest) {
    if (offsets != null && !digest.hasOffsets()) { // it would equal any other such digest
      error(paths().get(0), "does not have the offsets " + offsets);
    }
    String damaged = digest.faults() > 0 ? ", bytes are damaged: run check" : "";
    line().getOut().println("digests of partitions: " + digest.written() + damaged);
    if (errors > 0) {
      return CheckCommand.IO_ERROR;
    }
    return digest.faults() > 0 ? CheckCommand.FAULTS : CheckCommand.CLEAN;
  }

  private void error(String file, String why) {
    errors++;
    line().getErr().println(Messages.printable("check: " + file + ": " + why));
  }
}
