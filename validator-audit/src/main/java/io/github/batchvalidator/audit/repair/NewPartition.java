// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.repair;

import io.github.batchvalidator.audit.CheckRun;
import io.github.batchvalidator.audit.Settings;
import io.github.batchvalidator.audit.SliceMerge;
import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.Report;
import io.github.batchvalidator.audit.report.RunSummary;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.source.SegmentFiles;
import io.github.batchvalidator.rule.Reason;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A check of a new directory before it gets its name. */
final class NewPartition {
  /** Faults of clients and coordinators. All copies have them, so no repair exists. */
  private static final Pattern STORED_SO =
      Pattern.compile("PRODUCER_(SEQUENCE|EPOCH)_.*|TRANSACTION_.*");

  private static final Set<String> RULES =
      Arrays.stream(Reason.values()).map(Reason::name).collect(Collectors.toSet());

  private final Path directory;
  private final Settings settings;
  private final boolean asStored;

  /**
   * Creates a check.
   *
   * @param asStored true if batches may break rules, as long as their checksum is right
   */
  NewPartition(Path directory, Settings settings, boolean asStored) {
    this.directory = directory;
    this.settings = settings;
    this.asStored = asStored;
  }

  /** The first fault that a repair must not leave. */
  private final class First implements Report {
    private @Nullable String found;

    private boolean isAccepted(String reason) {
      boolean isRule = asStored && !reason.equals(Reason.BATCH_CRC_MISMATCH.name());
      return STORED_SO.matcher(reason).matches() || (isRule && RULES.contains(reason));
    }

    @Override
    public void fault(String file, Fault fault) {
      if (found == null && !fault.finding() && !isAccepted(fault.reason())) {
        found =
            file + ", byte " + fault.position() + ": " + fault.reason() + ": " + fault.message();
      }
    }

    @Override
    public void error(String file, String message) {
      found = found == null ? file + ": " + message : found;
    }
  }

  /**
   * Fails if the directory is not sound.
   *
   * @param hasGaps true if offsets may be missing
   */
  void check(boolean hasGaps) throws IOException, InterruptedException {
    First first = new First();
    SliceMerge merge = new SliceMerge(first, hasGaps);
    SegmentFiles files = new SegmentFiles(merge::error);
    files.add(directory.toString());
    Iterable<Segment> segments = () -> files.segments().iterator();
    new CheckRun(settings, segments, merge, bytes -> {}).run();
    RunSummary run = merge.end(0, false);
    List<String> all = first.found == null ? List.of() : List.of(first.found);
    if (run.files() == 0 || !all.isEmpty()) {
      throw new IOException(
          "the new directory was not sound and is deleted; a copy may have changed: " + all);
    }
  }
}
