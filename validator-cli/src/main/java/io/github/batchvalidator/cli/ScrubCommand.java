// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import io.github.batchvalidator.audit.Settings;
import io.github.batchvalidator.audit.scrub.ByteRate;
import io.github.batchvalidator.audit.scrub.Scrub;
import io.github.batchvalidator.audit.scrub.ScrubClock;
import io.github.batchvalidator.audit.scrub.ScrubJson;
import io.github.batchvalidator.audit.scrub.ScrubOptions;
import io.github.batchvalidator.audit.scrub.ScrubOutput;
import io.github.batchvalidator.audit.scrub.ScrubText;
import io.github.batchvalidator.policy.PolicyFileException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code check scrub} command. */
@Command(
    name = "scrub",
    description =
        "Checks the partitions of a running broker again and again at a bounded rate, without"
            + " pushing the broker's data out of the page cache. Starts with what was checked"
            + " longest ago. SIGTERM ends it.",
    exitCodeList = {
      "0:clean",
      "1:faults were found",
      "2:wrong usage",
      "3:no complete answer: something could not be read or written; faults may have been found,"
          + " too"
    })
final class ScrubCommand extends ProgramCommand {
  /** Together with the reads ahead of the walk, less than what a scrub keeps in memory. */
  private static final long SLICE_BYTES = 1L << 20;

  @Parameters(
      paramLabel = "DIR",
      arity = "0..*",
      description = "Log directories of brokers, or directories of partitions.")
  private List<String> directories = new ArrayList<>();

  @Option(
      names = "--rate",
      paramLabel = "RATE",
      description =
          "Maximum rate of reads, for example 20MB/s (default) or 16MiB/s. The units are kB, MB and"
              + " GB, or KiB, MiB and GiB.")
  private String rate = "20MB/s";

  @Option(names = "--once", description = "Ends after all partitions were checked once.")
  private boolean once;

  @Option(
      names = "--state",
      paramLabel = "FILE",
      description =
          "Remembers in this file what was checked, so that a scrub continues where the last one"
              + " ended.")
  private @Nullable Path stateFile;

  @Option(
      names = "--skip-unchanged",
      description =
          "Leaves out segments that were not written to since their last check, so damage by a disk"
              + " is not noticed.")
  private boolean skipsUnchanged;

  @Option(
      names = "--metrics-file",
      paramLabel = "FILE",
      description =
          "Writes metrics for Prometheus to this file, for the textfile collector of"
              + " node_exporter.")
  private @Nullable Path metricsFile;

  @Mixin private RuleOptions rules = new RuleOptions();

  @Option(
      names = "--json",
      description =
          "Prints JSON Lines on stdout: objects of type fault, error and partition, and one"
              + " of type summary after each pass.")
  private boolean json;

  private final BooleanSupplier isReadByProgram;

  ScrubCommand(BooleanSupplier isReadByProgram) {
    this.isReadByProgram = isReadByProgram;
  }

  @Override
  public Integer call() throws PolicyFileException {
    PrintWriter out = line().getOut();
    PrintWriter err = line().getErr();
    ScrubOutput output = json ? new ScrubJson(out, err) : new ScrubText(out, err);
    Scrub scrub = new Scrub(options(), ScrubClock.SYSTEM, output);
    try (Stop stop = new Stop(scrub)) {
      scrub.run();
      return stop.ended(exitCode(scrub));
    }
  }

  private int exitCode(Scrub scrub) {
    if (isReportLost(isReadByProgram) || scrub.isIncomplete()) {
      return CheckCommand.IO_ERROR;
    }
    return scrub.faults() > 0 ? CheckCommand.FAULTS : CheckCommand.CLEAN;
  }

  private ScrubOptions options() throws PolicyFileException {
    if (directories.isEmpty()) {
      throw usageError("name the log directories to scrub");
    }
    ByteRate limit = ByteRate.parse(rate);
    if (limit == null) {
      throw usageError(UsageError.illegal("--rate", rate));
    }
    Path state = written("--state", stateFile);
    Path metrics = written("--metrics-file", metricsFile);
    if (state != null && state.equals(metrics)) {
      throw usageError("--state and --metrics-file must be different files, not both " + state);
    }
    return new ScrubOptions(
        directories.stream().map(this::directory).distinct().toList(),
        limit,
        once,
        skipsUnchanged,
        rules.compacted(),
        state,
        metrics,
        settings());
  }

  private Settings settings() throws PolicyFileException {
    Settings standard = Settings.standard(1, rules.rules(line()));
    return new Settings(
        1, standard.windowBytes(), standard.maxWindowBytes(), SLICE_BYTES, standard.rules());
  }

  private Path directory(String name) {
    try {
      Path path = Path.of(name).toAbsolutePath().normalize();
      if (!name.isEmpty()) { // an unset shell variable rather than the current directory
        return path;
      }
    } catch (InvalidPathException e) {
      // refused below
    }
    throw usageError("not a directory: \"" + name + "\"");
  }

  /** Returns a file that the scrub replaces. */
  private @Nullable Path written(String option, @Nullable Path file) {
    if (file == null) {
      return null;
    }
    Path path = file.toAbsolutePath().normalize();
    Path parent = path.getParent();
    if (parent == null || !Files.isDirectory(parent) || Files.isDirectory(path)) {
      throw usageError(UsageError.illegal(option, file.toString()));
    }
    return path;
  }

  /** Stops a scrub when the JVM gets a signal to end, and ends the JVM with its exit code. */
  private static final class Stop implements AutoCloseable {
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread hook;
    private volatile int exitCode = CheckCommand.IO_ERROR;

    private Stop(Scrub scrub) {
      hook =
          new Thread(
              () -> {
                scrub.stop();
                try {
                  ended.await();
                } catch (InterruptedException e) {
                  // The exit code says that the scrub has not ended.
                }
                Runtime.getRuntime().halt(exitCode);
              },
              "stop");
      Runtime.getRuntime().addShutdownHook(hook);
    }

    private int ended(int code) {
      exitCode = code;
      return code;
    }

    @Override
    public void close() {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException stopping) {
        // The hook waits for the next line.
      }
      ended.countDown();
    }
  }
}
