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
import io.github.batchvalidator.policy.PolicyFile;
import io.github.batchvalidator.policy.PolicySection;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Verdict;
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
  private record Found(Set<Reason> faults, Set<Reason> findings) {}

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
    Map<String, Map<Long, Found>> found = new HashMap<>();
    segments.forEach((topic, bytes) -> write(topic, bytes.toByteArray()));
    run(new SegmentRules(file, byDefault), found);
    for (Stored batch : batches) {
      Found of = found.getOrDefault(file(batch.topic).toString(), Map.of()).get((long) batch.at);
      Found known = of == null ? new Found(new TreeSet<>(), new TreeSet<>()) : of;
      receiver.judged(batch, judge(batch, known, model.sectionOf(batch.topic)));
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

  private void run(SegmentRules rules, Map<String, Map<Long, Found>> found) {
    SegmentFiles files =
        new SegmentFiles(
            (name, why) -> {
              throw new IllegalStateException(name + ": " + why);
            });
    segments.keySet().forEach(topic -> files.add(file(topic).toString()));
    Iterable<Segment> all = () -> files.segments().iterator();
    try {
      SliceMerge merge = new SliceMerge(new Collecting(found), true);
      new CheckRun(Settings.standard(1, rules), all, merge, bytes -> {}).run();
      merge.end(0, false);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private record Collecting(Map<String, Map<Long, Found>> found) implements Report {
    @Override
    public void fault(String file, Fault fault) {
      Reason reason = REASONS.get(fault.reason());
      if (reason != null) {
        Found of =
            found
                .computeIfAbsent(file, any -> new HashMap<>())
                .computeIfAbsent(
                    fault.position(), any -> new Found(new TreeSet<>(), new TreeSet<>()));
        (fault.finding() ? of.findings : of.faults).add(reason);
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

  private static Judgment judge(Stored stored, Found found, ModelSection section) {
    Expectation expected =
        Expectation.of(
            section,
            new ModelBatch(stored.bytes, 0),
            true,
            new ModelStrict.Situation(false, true, false, 0),
            false);
    boolean isFaulty =
        found.faults.stream().anyMatch(r -> !r.isTopicRule() && r.level() != Level.STRICT);
    if (isFaulty || expected.limits != Expectation.Certainty.NO) {
      return Judgment.same("faults that brokers do not look for");
    }
    Set<Reason> faults = new TreeSet<>();
    Set<Reason> findings = new TreeSet<>();
    if (expected.isRefusedByTopic()) {
      if (expected.ofBatch != null) {
        faults.add(expected.ofBatch);
      }
      faults.addAll(expected.ofRecords.values());
    } else if (section.reports()) {
      (section.strict ? faults : findings).addAll(expected.topicTotals.keySet());
      (section.strict ? faults : findings).addAll(expected.strictTotals.keySet());
    }
    Set<Reason> reported = new TreeSet<>(found.faults);
    if (expected.isRefusedByTopic()) {
      reported.removeIf(reason -> !reason.isTopicRule());
    }
    String outcome = faults.isEmpty() ? findings.isEmpty() ? "sound" : "findings" : "faults";
    boolean isCut = expected.ofRecords.size() > Verdict.DEFAULT_RECORD_FAILURES;
    boolean isLikeModel =
        (isCut ? faults.containsAll(reported) : reported.equals(faults))
            && (expected.isRefusedByTopic() || found.findings.equals(findings));
    return isLikeModel || !expected.knowsStrict
        ? Judgment.same(outcome)
        : Judgment.differs(
            "difference",
            "faults "
                + reported
                + ", not "
                + faults
                + "; findings "
                + found.findings
                + ", not "
                + findings
                + "\n  section "
                + section.name);
  }
}
