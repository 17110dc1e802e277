// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.compare;

import io.github.batchvalidator.audit.compare.CopyPart.State;
import io.github.batchvalidator.audit.report.CompareReason;
import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.source.PartitionDirectory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A comparison of partitions, one after the other. Confined to one thread. */
public final class PartitionCompare implements AutoCloseable {
  private final boolean compacted;
  private final CompareMemory memory;
  private final LongConsumer progress;
  private long bytes;
  private final BatchInspector inspector = new BatchInspector();

  /**
   * Creates a comparison.
   *
   * @param compacted true if all partitions are known to be compacted
   * @param memory for the copies
   * @param progress receives the number of bytes done
   */
  PartitionCompare(boolean compacted, CompareMemory memory, LongConsumer progress) {
    this.compacted = compacted;
    this.memory = memory;
    this.progress =
        done -> {
          bytes += done;
          progress.accept(done);
        };
  }

  /**
   * Creates a comparison with memory for a number of copies.
   *
   * @param compacted true if all partitions are known to be compacted
   * @param progress receives the number of bytes done
   */
  public PartitionCompare(boolean compacted, int copies, LongConsumer progress) {
    this(compacted, CompareMemory.of(1, copies), progress);
  }

  /** Compares the copies of a partition, of which there is at least one. */
  public CompareResult compare(List<CopySource> sources) {
    bytes = 0;
    String name = sources.get(0).partition();
    List<String[]> unread = new ArrayList<>();
    PartitionComparison found;
    try {
      found = compare(name, sources, (file, why) -> unread.add(new String[] {file, why}));
    } catch (InternalError e) { // reads of truncated mappings throw it
      unread.add(new String[] {name, Messages.of(e)});
      found = notCompared(name, sources.stream().map(CopySource::name).toList(), List.of());
    }
    return new CompareResult(found, unread, bytes);
  }

  private PartitionComparison compare(
      String name, List<CopySource> sources, BiConsumer<String, String> errors) {
    List<PartitionDirectory> directories = new ArrayList<>();
    for (CopySource source : sources) {
      if (source instanceof CopySource.InDirectory copy) {
        directories.add(copy.directory());
      }
    }
    return directories.size() == sources.size()
        ? compareDirectories(name, directories, errors)
        : compareDigests(name, sources, errors);
  }

  private PartitionComparison compareDirectories(
      String name, List<PartitionDirectory> partitions, BiConsumer<String, String> errors) {
    List<CopyFiles> copies = open(partitions, errors);
    List<String> names = copies.stream().map(CopyFiles::name).toList();
    PartitionComparison none =
        notComparable(name, names, copies.stream().map(CopyFiles::topicId).toList());
    if (none != null) {
      return none;
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

  /** Compares digests of which at least one was read from a file. */
  private PartitionComparison compareDigests(
      String name, List<CopySource> sources, BiConsumer<String, String> errors) {
    List<Digest> digests = digests(sources, errors);
    List<String> names = digests.stream().map(Digest::path).toList();
    PartitionComparison none =
        notComparable(name, names, digests.stream().map(Digest::topicId).toList());
    if (none != null) {
      return none;
    }
    boolean isCompacted = compacted || digests.stream().anyMatch(Digest::compacted);
    return new DigestComparison(name, digests, isCompacted).compare();
  }

  /** Returns the digests of a partition, all with ranges of the size of the first file. */
  private List<Digest> digests(List<CopySource> sources, BiConsumer<String, String> errors) {
    Digest[] digests = new Digest[sources.size()];
    long rangeSize = 0;
    for (int i = 0; i < digests.length; i++) {
      if (sources.get(i) instanceof CopySource.InDigest source) {
        Digest read = read(source, rangeSize, errors);
        digests[i] = read;
        rangeSize = read == null || rangeSize > 0 ? rangeSize : read.rangeSize();
      }
    }
    for (int i = 0; i < digests.length; i++) {
      if (sources.get(i) instanceof CopySource.InDirectory source && rangeSize > 0) {
        digests[i] = make(source, rangeSize, errors);
      }
    }
    return Arrays.stream(digests).filter(Objects::nonNull).toList();
  }

  private static @Nullable Digest read(
      CopySource.InDigest source, long rangeSize, BiConsumer<String, String> errors) {
    try {
      Digest digest = DigestFile.read(source);
      if (rangeSize == 0 || digest.rangeSize() == rangeSize) {
        return digest;
      }
      throw new IOException(
          source.partition()
              + " has ranges of "
              + digest.rangeSize()
              + " offsets, another digest of "
              + rangeSize
              + "; write one of them again");
    } catch (IOException e) {
      errors.accept(source.name(), Messages.of(e));
      return null;
    }
  }

  private @Nullable Digest make(
      CopySource.InDirectory source, long rangeSize, BiConsumer<String, String> errors) {
    DigestMaker.Scope scope = DigestMaker.Scope.all(rangeSize);
    try {
      return new DigestMaker(scope, inspector, memory.window(0), progress, errors)
          .make(new CopyFiles(source.directory()));
    } catch (IOException e) {
      errors.accept(source.name(), Messages.of(e));
      return null;
    }
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

  /** Returns the result for copies of several topics, or for less than two copies, or null. */
  private static @Nullable PartitionComparison notComparable(
      String name, List<String> copies, List<String> topicIds) {
    Map<String, String> ids = new LinkedHashMap<>();
    for (int i = 0; i < copies.size(); i++) {
      if (!topicIds.get(i).isEmpty()) {
        ids.putIfAbsent(topicIds.get(i), copies.get(i));
      }
    }
    if (ids.size() <= 1) {
      return copies.size() < 2 ? notCompared(name, copies, List.of()) : null;
    }
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
      String name, List<String> copies, List<Difference> differences) {
    return new PartitionComparison(
        name, copies, -1, -1, "", "", false, 0, 0, 0, 0, 0, 0, 0, differences);
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
      for (CopyFiles copy : copies) {
        copy.unread().forEach(why -> problems.add(new String[] {copy.name(), why}));
      }
    }

    private PartitionComparison run() {
      Bounds bounds = new Bounds(copies);
      List<CopyCursor> cursors = new ArrayList<>();
      try {
        for (CopyFiles copy : copies) {
          cursors.add(new CopyCursor(copy, memory.window(cursors.size()), progress));
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
      List<Difference> differences = QuorumTail.uncommitted(name, findings.end(), bounds.to());
      return new PartitionComparison(
          name,
          copies.stream().map(CopyFiles::name).toList(),
          bounds.from(),
          bounds.to() == Bounds.UNBOUNDED ? -1 : bounds.to(),
          bounds.fromText(),
          bounds.toText(),
          isCompacted,
          0,
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
