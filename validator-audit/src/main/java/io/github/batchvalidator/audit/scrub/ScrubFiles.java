// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.scrub;

import io.github.batchvalidator.audit.report.Messages;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The files that a scrub writes: its state and its metrics. Each is written every few seconds at
 * most. The first failure of a file in a row is reported, and its next write is tried again.
 */
final class ScrubFiles {
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final ScrubOptions options;
  private final ScrubClock clock;
  private final ScrubOutput output;
  private final Set<Path> failing = new HashSet<>();
  private long writtenNanos;

  ScrubFiles(ScrubOptions options, ScrubClock clock, ScrubOutput output) {
    this.options = options;
    this.clock = clock;
    this.output = output;
    writtenNanos = clock.nanos();
  }

  /**
   * Reads the state of an earlier scrub. A damaged file is reported and not used. Returns null if
   * the file cannot be read, which is reported, too.
   */
  @Nullable ScrubState readState() {
    Path file = options.stateFile();
    if (file == null) {
      return new ScrubState();
    }
    try {
      return ScrubState.read(file);
    } catch (ScrubState.DamagedException e) {
      output.note(
          "the state file "
              + file
              + " is not used: "
              + e.getMessage()
              + "; all partitions count"
              + " as never checked");
      return new ScrubState();
    } catch (IOException e) {
      output.error(file.toString(), Messages.of(e) + "; nothing was checked");
      return null;
    }
  }

  /** Writes the files if the last time is some seconds ago. */
  void writeSometimes(ScrubState state, Supplier<String> metrics) {
    if (clock.nanos() - writtenNanos >= PERIOD_NANOS) {
      write(state, metrics);
    }
  }

  /** Writes the files. */
  void write(ScrubState state, Supplier<String> metrics) {
    writtenNanos = clock.nanos();
    attempt(options.stateFile(), state::write);
    attempt(options.metricsFile(), file -> ScrubState.replace(file, metrics.get(), false));
  }

  /** Writes a file. */
  private interface Write {
    void to(Path file) throws IOException;
  }

  private void attempt(@Nullable Path file, Write write) {
    if (file == null) {
      return;
    }
    try {
      write.to(file);
      failing.remove(file);
    } catch (IOException e) {
      if (failing.add(file)) {
        output.error(file.toString(), "not written: " + Messages.of(e));
      }
    }
  }

  /** Returns true if a file could not be written the last time. */
  boolean isFailing() {
    return !failing.isEmpty();
  }
}
