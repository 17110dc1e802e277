// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.scrub;

import io.github.batchvalidator.audit.CheckRun;
import io.github.batchvalidator.audit.SliceMerge;
import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.report.RunSummary;
import io.github.batchvalidator.audit.report.Tally;
import io.github.batchvalidator.audit.source.LocalDirectory;
import io.github.batchvalidator.audit.source.PartitionDirectory;
import io.github.batchvalidator.audit.source.Segment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A check of the partitions of a running broker, pass after pass. Each pass checks all partitions
 * once, and starts with what was checked longest ago.
 *
 * <p>A partition is checked as a whole, as {@code ./check} does. If the scrub is stopped, the next
 * one continues with the last segment that was checked, or with the first one if there are faults
 * that only the end of the partition decides, or if the rules differ.
 *
 * <p>{@link #stop} may be called by any thread.
 */
public final class Scrub {
  /** A pass over a small directory takes no time. */
  private static final long MIN_PASS_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** File systems have a coarse clock. */
  private static final long CLOCK_MS = TimeUnit.SECONDS.toMillis(2);

  /** The results of a partition that a broker has deleted. */
  private static final RunSummary NOTHING = new RunSummary(0, 0, 0, 0, 0, false, new Tally());

  private final ScrubOptions options;
  private final ScrubClock clock;
  private final ScrubOutput output;
  private final ScrubFiles files;
  private final ReadCounts counts = new ReadCounts();
  private final Pace pace;
  private final ScrubSegment.Reads reads;
  private ScrubState state = new ScrubState();
  private Map<Path, List<PartitionState>> byDirectory = Map.of();

  /** The directories that could not be listed in this pass, and why. */
  private final Map<Path, String> problems = new HashMap<>();

  private volatile boolean stopped;
  private long passes;
  private long faults;
  private long errors;

  /**
   * Creates a scrub.
   *
   * @param clock the time, and the way to wait
   * @param output receives the results
   */
  public Scrub(ScrubOptions options, ScrubClock clock, ScrubOutput output) {
    this.options = options;
    this.clock = clock;
    this.output = output;
    files = new ScrubFiles(options, clock, output);
    pace = new Pace(options.rate(), clock, this::isStopped, this::tick);
    reads = new ScrubSegment.Reads(new Chunks(), pace, counts, clock);
  }

  /** Ends the scrub soon. The next scrub checks the current segment again. */
  public void stop() {
    stopped = true;
  }

  private boolean isStopped() {
    return stopped || output.isClosed();
  }

  private void tick() {
    files.writeSometimes(state, this::metrics);
  }

  private String metrics() {
    return ScrubMetrics.text(byDirectory, problems.keySet(), counts, options.rate(), passes);
  }

  /** Returns the number of faults that were found. */
  public long faults() {
    return faults;
  }

  /** Returns true if something could not be read or written. */
  public boolean isIncomplete() {
    return errors > 0 || files.isFailing();
  }

  /**
   * Scrubs until all partitions were checked once, or until it is stopped. Does nothing if another
   * scrub uses the state file, or if that file cannot be read: it would be replaced.
   */
  public void run() {
    try (StateLock lock = new StateLock(options.stateFile(), output)) {
      ScrubState before = lock.isRefused() ? null : files.readState();
      if (before == null) {
        errors++;
      } else {
        scrub(before);
      }
    }
  }

  private void scrub(ScrubState before) {
    state = before;
    boolean isMore = true;
    while (isMore && !isStopped()) {
      long start = clock.nanos();
      pass(start);
      isMore = !options.once();
      if (isMore) {
        pace.waitUntil(start + MIN_PASS_NANOS);
      }
    }
    files.write(state, this::metrics);
  }

  private void pass(long startNanos) {
    ScrubTotals totals = new ScrubTotals(startNanos);
    boolean isNew = state.passMs() == 0;
    if (isNew) {
      state.pass(clock.millis());
    }
    for (Path partition : waiting(partitions(totals), isNew)) {
      if (!isStopped()) {
        check(partition, totals);
        tick();
      }
    }
    if (!isStopped()) {
      passes++;
      state.pass(0);
      output.pass(totals.summary(clock.nanos()));
      files.write(state, this::metrics);
    }
  }

  /** Returns the directories of all partitions. */
  private Set<Path> partitions(ScrubTotals totals) {
    Map<Path, List<PartitionState>> all = new LinkedHashMap<>();
    Set<Path> found = new LinkedHashSet<>();
    for (Path directory : options.directories()) {
      List<PartitionState> states = new ArrayList<>();
      try {
        List<Path> partitions = LogDirectories.partitions(directory);
        if (partitions.isEmpty()) { // its disk may not be mounted
          throw new IOException("contains no partition");
        }
        state.keep(directory.toRealPath(), partitions);
        for (Path partition : partitions) {
          if (found.add(partition)) {
            states.add(state.of(partition, clock.millis()));
          }
        }
        problems.remove(directory);
      } catch (IOException e) {
        problem(directory, Messages.of(e), totals);
      }
      all.put(directory, states);
    }
    byDirectory = all;
    return found;
  }

  /** Reports a directory that cannot be listed, unless the last pass has reported the same. */
  private void problem(Path directory, String why, ScrubTotals totals) {
    totals.error();
    errors++;
    if (!why.equals(problems.put(directory, why))) {
      output.error(directory.toString(), why);
    }
  }

  /** Returns the partitions that this pass has not checked yet, the oldest check first. */
  private List<Path> waiting(Set<Path> partitions, boolean isNew) {
    long passMs = state.passMs();
    List<Path> waiting = new ArrayList<>();
    for (Path partition : partitions) {
      PartitionState each = state.of(partition, passMs);
      if (isNew) {
        each.notAfter(passMs - 1);
      }
      if (each.checkedMs() < passMs || !each.isCheckedBy(rules(partition))) {
        waiting.add(partition);
      }
    }
    waiting.sort(
        Comparator.comparing((Path path) -> !state.of(path, passMs).isStarted())
            .thenComparing(path -> state.of(path, passMs).checkedMs())
            .thenComparing(Comparator.naturalOrder()));
    return waiting;
  }

  private void check(Path directory, ScrubTotals totals) {
    PartitionState partition = state.of(directory, clock.millis());
    String rules = rules(directory);
    boolean isSkipping =
        options.skipsUnchanged() && partition.isCheckedBy(rules) && partition.last().isClean();
    String first = partition.start(clock.millis(), rules);
    PartitionReport report =
        new PartitionReport(directory, partition, counts, output, this::isStopped);
    SliceMerge merge = new SliceMerge(report, options.compacted());
    try {
      PartitionFiles found = new PartitionFiles(directory);
      report.watching(found.first(), merge::isKeepingFaults, merge::isCompacted);
      String from = isSkipping ? found.beforeFirstChanged(partition.checkedMs() - CLOCK_MS) : first;
      if (from != null) {
        String compacted = options.compacted() ? "" : partition.compactedFrom();
        boolean wasCompacted = !from.isEmpty() && !compacted.isEmpty();
        if (wasCompacted && compacted.equals(found.first())) {
          merge.compacted();
        } else if (wasCompacted) { // the compacted segments may be gone with the first one
          partition.restart();
          from = "";
        }
        Iterable<Segment> segments = found.segments(from, reads);
        new CheckRun(options.settings(), segments, merge, bytes -> {}).runHere();
      }
    } catch (NoSuchFileException deleted) {
      // Nothing is left to check.
    } catch (IOException | RuntimeException e) { // of one partition, so the next ones follow
      merge.error(directory.toString(), Messages.of(e));
    }
    RunSummary sum = merge.end(0, false);
    faults += report.faults();
    errors += report.errors();
    if (!isStopped()) {
      partition.end();
      totals.add(Files.notExists(directory) ? NOTHING : sum);
    }
  }

  /**
   * Returns a hash of what decides about the faults of a partition: level, policy, limits, and the
   * option for compacted partitions.
   */
  private String rules(Path partition) {
    String topic = PartitionDirectory.topic(new LocalDirectory(partition));
    String text = options.settings().rules().text(topic);
    return ScrubState.hash(options.compacted() ? "compacted, " + text : text);
  }
}
