// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import io.github.batchvalidator.audit.CheckRun;
import io.github.batchvalidator.audit.SegmentRules;
import io.github.batchvalidator.audit.Settings;
import io.github.batchvalidator.audit.SliceMerge;
import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.FileSummary;
import io.github.batchvalidator.audit.report.PartitionSummary;
import io.github.batchvalidator.audit.report.Report;
import io.github.batchvalidator.audit.report.RunSummary;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.source.SegmentFiles;
import io.github.batchvalidator.lines.StoredBytes;
import io.github.batchvalidator.policy.PolicyFile;
import io.github.batchvalidator.policy.PolicySection;
import io.github.batchvalidator.rule.Reason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * {@code ./check --policy} over what was stored, as one segment for each topic. Faults that compare
 * batches with each other do not count: the batches of a segment do not belong together.
 */
final class CheckSide {
  private static final int MOST_BYTES = 1 << 20;
  private static final Map<String, Reason> REASONS = new HashMap<>();

  private final Path directory;
  private final Map<String, ByteArrayOutputStream> segments = new HashMap<>();
  private final List<Stored> batches = new ArrayList<>();

  static {
    for (Reason reason : Reason.values()) {
      REASONS.put(reason.name(), reason);
    }
  }

  /**
   * A stored batch.
   *
   * @param at the position in the segment of the topic
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Stored(String topic, int at, byte[] bytes) {}

  /** The reasons of the faults of a batch, and of its findings. */
  private record Found(Set<Reason> faults, Set<Reason> findings) {
    static Found nothing() {
      return new Found(new TreeSet<>(), new TreeSet<>());
    }
  }

  /** The report about a file: reasons by the positions of batches, and skipped bytes. */
  private record Reported(Map<Long, Found> found, List<Fault> skips) {
    static Reported nothing() {
      return new Reported(new HashMap<>(), new ArrayList<>());
    }

    boolean isSkipped(Stored batch) {
      return skips.stream()
          .anyMatch(
              fault ->
                  fault.position() <= batch.at
                      && batch.at < fault.position() + fault.skippedBytes());
    }

    /** Nothing is skipped unless a batch is damaged. */
    Judgment ofSkipped(Stored batch) {
      boolean isFirst = skips.stream().anyMatch(fault -> fault.position() == batch.at);
      return isFirst && StoredBytes.spans(batch.bytes).get(0).checksumIsRight()
          ? Judgment.differs("difference", "a sound batch is skipped: " + skips)
          : Judgment.same("skipped");
    }
  }

  CheckSide(Path directory) {
    this.directory = directory;
  }

  /** Adds a batch of magic 2 that a broker has stored. */
  void add(String topic, byte[] bytes) {
    ByteArrayOutputStream segment =
        segments.computeIfAbsent(topic, any -> new ByteArrayOutputStream());
    if (segment.size() < MOST_BYTES) {
      batches.add(new Stored(topic, segment.size(), bytes));
      segment.writeBytes(bytes);
    }
  }

  /** Receives the judgment of a stored batch. */
  @FunctionalInterface
  interface Receiver {
    void judged(Stored batch, Judgment judgment);
  }

  /** Checks all batches that were added, and forgets them. */
  void check(PolicyFile file, PolicySection byDefault, ModelPolicy model, Receiver receiver) {
    Map<String, Reported> reported = new HashMap<>();
    segments.forEach((topic, bytes) -> write(topic, bytes.toByteArray()));
    run(new SegmentRules(file, byDefault), reported);
    for (Stored batch : batches) {
      Reported of = reported.getOrDefault(file(batch.topic).toString(), Reported.nothing());
      receiver.judged(
          batch,
          of.isSkipped(batch)
              ? of.ofSkipped(batch)
              : judge(batch, of.found, model.sectionOf(batch.topic)));
    }
    segments.keySet().forEach(topic -> delete(file(topic)));
    segments.clear();
    batches.clear();
  }

  private Path file(String topic) {
    return directory.resolve(topic + "-0").resolve("00000000000000000000.log");
  }

  private void write(String topic, byte[] bytes) {
    try {
      Files.createDirectories(directory.resolve(topic + "-0"));
      Files.write(file(topic), bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Judgment judge(Stored batch, Map<Long, Found> found, ModelSection section) {
    Found of = found.getOrDefault((long) batch.at, Found.nothing());
    return new CheckJudge(section, batch.bytes, of.faults, of.findings).judge();
  }

  private void run(SegmentRules rules, Map<String, Reported> reported) {
    SegmentFiles files =
        new SegmentFiles(
            (name, why) -> {
              throw new IllegalStateException(name + ": " + why);
            });
    segments.keySet().forEach(topic -> files.add(file(topic).toString()));
    Iterable<Segment> all = () -> files.segments().iterator();
    try {
      SliceMerge merge = new SliceMerge(new Collecting(reported), true);
      new CheckRun(Settings.standard(1, rules), all, merge, bytes -> {}).run();
      merge.end(0, false);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private record Collecting(Map<String, Reported> reported) implements Report {
    @Override
    public void fault(String file, Fault fault) {
      Reported of = reported.computeIfAbsent(file, any -> Reported.nothing());
      if (fault.skippedBytes() > 0) {
        of.skips.add(fault);
      }
      Reason reason = REASONS.get(fault.reason());
      if (reason != null) {
        Found found = of.found.computeIfAbsent(fault.position(), any -> Found.nothing());
        (fault.finding() ? found.findings : found.faults).add(reason);
      }
    }

    @Override
    public void error(String file, String message) {
      throw new IllegalStateException(file + ": " + message);
    }

    @Override
    public void file(FileSummary file) {}

    @Override
    public void partition(PartitionSummary partition) {}

    @Override
    public void summary(RunSummary run) {}
  }
}
