// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.PartitionSummary;
import io.github.batchvalidator.audit.report.RunSummary;
import io.github.batchvalidator.audit.scrub.ByteRate;
import io.github.batchvalidator.audit.scrub.ReadFrom;
import io.github.batchvalidator.audit.scrub.Scrub;
import io.github.batchvalidator.audit.scrub.ScrubClock;
import io.github.batchvalidator.audit.scrub.ScrubOptions;
import io.github.batchvalidator.audit.scrub.ScrubOutput;
import io.github.batchvalidator.policy.PolicySection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A scrub of a directory, and its results. Its clock moves only while the scrub waits. */
final class Scrubbed implements ScrubOutput, ScrubClock {
  /** Small enough that a segment of the tests has several slices. */
  private static final long SLICE_BYTES = 2000;

  private static final int WINDOW_BYTES = 512;
  private static final int MAX_WINDOW_BYTES = 1 << 16;
  private static final int LARGE_SLICE_BYTES = 1 << 20;

  private final Path data;
  private final List<String> faults = new ArrayList<>();
  private final List<String> errors = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private final List<PartitionSummary> partitions = new ArrayList<>();
  private final List<RunSummary> passes = new ArrayList<>();
  private Consumer<Scrub> watcher = scrub -> {};
  private @Nullable Scrub scrub;
  private boolean skips;
  private boolean compacted;
  private SegmentRules rules = new SegmentRules(null, PolicySection.KAFKA);
  private boolean isLarge;
  private String rate = "1GB/s";
  private @Nullable Path state;
  private @Nullable Path metrics;
  private long nowMs;
  private long nanos;

  /**
   * Creates a scrub.
   *
   * @param age the age that files of the test have, of which fresh ones are read from the cache
   */
  Scrubbed(Path data, Duration age) {
    this.data = data;
    nowMs = System.currentTimeMillis() + age.toMillis();
  }

  /** Returns a scrub of files that look old. */
  static Scrubbed of(Path data) {
    return new Scrubbed(data, Duration.ofHours(1));
  }

  Scrubbed rate(String next) {
    rate = next;
    return this;
  }

  Scrubbed state(Path file) {
    state = file;
    return this;
  }

  Scrubbed metrics(Path file) {
    metrics = file;
    return this;
  }

  Scrubbed skipping() {
    skips = true;
    return this;
  }

  /** Says that all partitions are compacted. */
  Scrubbed compacted() {
    compacted = true;
    return this;
  }

  Scrubbed rules(SegmentRules next) {
    rules = next;
    return this;
  }

  /** Reads in windows and slices as large as those of the command. */
  Scrubbed large() {
    isLarge = true;
    return this;
  }

  /** Sets what is called after each wait, and after each partition. */
  Scrubbed watched(Consumer<Scrub> next) {
    watcher = next;
    return this;
  }

  /** Moves the clock. */
  Scrubbed later(Duration time) {
    nowMs += time.toMillis();
    nanos += time.toNanos();
    return this;
  }

  Scrubbed once() {
    return run(true);
  }

  /** Runs until the watcher stops it. */
  Scrubbed forever() {
    return run(false);
  }

  private Scrubbed run(boolean once) {
    Settings settings =
        new Settings(
            1,
            isLarge ? MAX_WINDOW_BYTES : WINDOW_BYTES,
            MAX_WINDOW_BYTES,
            isLarge ? LARGE_SLICE_BYTES : SLICE_BYTES,
            rules);
    ByteRate limit = Objects.requireNonNull(ByteRate.parse(rate));
    scrub =
        new Scrub(
            new ScrubOptions(
                List.of(data), limit, once, skips, compacted, state, metrics, settings),
            this,
            this);
    scrub.run();
    return this;
  }

  Scrub scrub() {
    return Objects.requireNonNull(scrub);
  }

  @Override
  public void fault(String file, Fault fault, ReadFrom from) {
    faults.add(
        fault.reason()
            + " "
            + Path.of(file).getFileName()
            + "@"
            + fault.position()
            + " from "
            + from.text());
  }

  @Override
  public void error(String file, String message) {
    errors.add(Path.of(file).getFileName() + ": " + message);
  }

  @Override
  public void note(String text) {
    notes.add(text);
  }

  @Override
  public void partition(PartitionSummary partition) {
    partitions.add(partition);
    watcher.accept(scrub());
  }

  @Override
  public void pass(RunSummary pass) {
    passes.add(pass);
  }

  @Override
  public boolean isClosed() {
    return false;
  }

  @Override
  public long millis() {
    return nowMs;
  }

  @Override
  public long nanos() {
    return nanos;
  }

  @Override
  public void sleep(long time) {
    later(Duration.ofNanos(time));
    watcher.accept(scrub());
  }

  List<String> faults() {
    return faults;
  }

  List<String> errors() {
    return errors;
  }

  List<String> notes() {
    return notes;
  }

  List<RunSummary> passes() {
    return passes;
  }

  List<PartitionSummary> partitions() {
    return partitions;
  }

  /** Returns the names of the partitions in the order of their checks. */
  List<String> names() {
    return partitions.stream()
        .map(each -> Objects.toString(Path.of(each.name()).getFileName()))
        .toList();
  }

  /** Returns the value of a metric, given its name and labels. */
  static double metric(Path file, String name) throws Exception {
    return Files.readAllLines(file).stream()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
        .findFirst()
        .orElseThrow(() -> new AssertionError(name));
  }
}
