// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.compare;

import io.github.batchvalidator.audit.compare.CopyPart.State;
import io.github.batchvalidator.audit.report.CompareReason;
import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.source.PartitionDirectory;
import io.github.batchvalidator.audit.walk.SegmentWindow;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;

/** A comparison of partitions, one after the other. Confined to one thread. */
final class PartitionCompare implements AutoCloseable {
  private static final int WINDOW_BYTES = 1 << 18;

  private final boolean compacted;
  private final int maxWindowBytes;
  private final LongConsumer progress;
  private final BatchInspector inspector = new BatchInspector();

  /** The windows of the cursors, which are used again for each partition. */
  private final List<SegmentWindow> windows = new ArrayList<>();

  /**
   * Creates a comparison.
   *
   * @param compacted true if all partitions are known to be compacted
   * @param maxWindowBytes the maximum size of the memory for each copy; a larger batch is mapped
   * @param progress receives the number of bytes done
   */
  PartitionCompare(boolean compacted, int maxWindowBytes, LongConsumer progress) {
    this.compacted = compacted;
    this.maxWindowBytes = maxWindowBytes;
    this.progress = progress;
  }

  /**
   * Compares the copies of a partition.
   *
   * @param errors receives the name of each file that cannot be read, and the cause
   */
  PartitionComparison compare(
      String name, List<PartitionDirectory> partitions, BiConsumer<String, String> errors) {
    List<CopyFiles> copies = open(partitions, errors);
    Map<String, String> ids = topicIds(copies);
    if (ids.size() > 1) {
      return otherTopics(name, copies, ids);
    }
    if (copies.size() < 2) {
      return notCompared(name, copies, List.of());
    }
    boolean isCompacted = compacted || copies.stream().anyMatch(CopyFiles::isCompacted);
    List<String[]> problems = new ArrayList<>();
    Attempt attempt = new Attempt(name, copies, isCompacted, problems);
    PartitionComparison result = attempt.run();
    if (!isCompacted && result.faults() > 0 && attempt.isCompactedNow()) {
      problems.clear();
      result = new Attempt(name, open(partitions, errors), true, problems).run();
    }
    problems.forEach(problem -> errors.accept(problem[0], problem[1]));
    return result;
  }

  private static List<CopyFiles> open(
      List<PartitionDirectory> partitions, BiConsumer<String, String> errors) {
    List<CopyFiles> copies = new ArrayList<>();
    for (PartitionDirectory partition : partitions) {
      try {
        copies.add(new CopyFiles(partition));
      } catch (IOException e) {
        errors.accept(partition.name(), Messages.of(e));
      }
    }
    return copies;
  }

  /** Returns each topic id that is known, and the first copy that has it. */
  private static Map<String, String> topicIds(List<CopyFiles> copies) {
    Map<String, String> ids = new LinkedHashMap<>();
    for (CopyFiles copy : copies) {
      if (!copy.topicId().isEmpty()) {
        ids.putIfAbsent(copy.topicId(), copy.name());
      }
    }
    return ids;
  }

  private static PartitionComparison otherTopics(
      String name, List<CopyFiles> copies, Map<String, String> ids) {
    List<CopyPart> parts = new ArrayList<>();
    for (int i = 0; i < copies.size(); i++) {
      parts.add(CopyPart.without(i, State.UNKNOWN, null));
    }
    CompareReason reason = CompareReason.COPY_TOPIC_ID_DIFFERS;
    List<String> texts = new ArrayList<>();
    ids.forEach((id, copy) -> texts.add(id + " in " + copy));
    String message = reason.describe(String.join(", ", texts));
    Difference difference = new Difference(reason, message, -1, -1, 0, true, parts);
    return notCompared(name, copies, List.of(difference));
  }

  private static PartitionComparison notCompared(
      String name, List<CopyFiles> copies, List<Difference> differences) {
    return new PartitionComparison(
        name, names(copies), -1, -1, "", "", false, 0, 0, 0, 0, 0, 0, differences);
  }

  private static List<String> names(List<CopyFiles> copies) {
    return copies.stream().map(CopyFiles::name).toList();
  }

  private SegmentWindow window(int index) {
    while (windows.size() <= index) {
      windows.add(new SegmentWindow(Math.min(WINDOW_BYTES, maxWindowBytes), maxWindowBytes));
    }
    return windows.get(index);
  }

  @Override
  public void close() {
    inspector.close();
  }

  /** One pass over the copies, with or without compaction. */
  private final class Attempt {
    private final String name;
    private final List<CopyFiles> copies;
    private final boolean isCompacted;
    private final Findings findings;

    private Attempt(
        String name, List<CopyFiles> copies, boolean isCompacted, List<String[]> problems) {
      this.name = name;
      this.copies = copies;
      this.isCompacted = isCompacted;
      findings =
          new Findings(copies, isCompacted, (file, why) -> problems.add(new String[] {file, why}));
    }

    private PartitionComparison run() {
      Bounds bounds = new Bounds(copies);
      List<CopyCursor> cursors = new ArrayList<>();
      try {
        for (CopyFiles copy : copies) {
          cursors.add(new CopyCursor(copy, window(cursors.size()), progress));
        }
        List<Side> sides = LogComparison.of(copies, cursors, inspector);
        LogComparison log = new LogComparison(sides, bounds, isCompacted, inspector, findings);
        log.run();
        return result(bounds, log);
      } finally {
        cursors.forEach(CopyCursor::close);
      }
    }

    private PartitionComparison result(Bounds bounds, LogComparison log) {
      List<Difference> differences = findings.end();
      return new PartitionComparison(
          name,
          names(copies),
          bounds.from(),
          bounds.to() == Bounds.UNBOUNDED ? -1 : bounds.to(),
          bounds.fromText(),
          bounds.toText(),
          isCompacted,
          log.batches(),
          log.bytes(),
          findings.partialRecords(),
          findings.incomparableBatches(),
          findings.uncomparedBatches(),
          findings.dropped(),
          differences);
    }

    /** Returns true if the copies turn out to be compacted. */
    private boolean isCompactedNow() {
      return findings.showsCompaction() || copies.stream().anyMatch(CopyFiles::isCompacted);
    }
  }
}
