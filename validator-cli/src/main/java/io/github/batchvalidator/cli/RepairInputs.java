// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import io.github.batchvalidator.audit.repair.Repair;
import io.github.batchvalidator.audit.report.MetadataLog;
import io.github.batchvalidator.audit.source.Partition;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.source.SegmentFiles;
import io.github.batchvalidator.audit.tiered.TieredFiles;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;

/** The copies of one partition that a user names. */
final class RepairInputs {
  private final Function<BiConsumer<String, String>, TieredFiles> storage;
  private final List<Found> found = new ArrayList<>();

  /** The copies below a path. A path may be named twice; the target of the repair rejects that. */
  private record Found(String path, Map<Partition, List<Segment>> partitions) {}

  /**
   * Creates an empty collection.
   *
   * @param storage creates empty collections of tiered segments
   */
  RepairInputs(Function<BiConsumer<String, String>, TieredFiles> storage) {
    this.storage = storage;
  }

  /** A problem of a path, as a message. */
  static final class UnusableException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UnusableException(String message) {
      super(message);
    }
  }

  /**
   * Adds a copy.
   *
   * @param path the directory of a partition, or a directory that has one
   * @param isTiered true if it is a directory of a tiered storage
   */
  void add(String path, boolean isTiered) {
    BiConsumer<String, String> problems =
        (name, why) -> {
          throw new UnusableException(name + ": " + why);
        };
    TieredFiles remote = storage.apply(problems);
    SegmentFiles files = new SegmentFiles(problems, remote::addIfTiered);
    if (isTiered) {
      remote.add(path);
    } else {
      files.add(path);
    }
    Map<Partition, List<Segment>> partitions = new LinkedHashMap<>();
    Stream.concat(remote.segments(Stream.of()).stream(), files.segments())
        .forEach(segment -> add(partitions, segment));
    if (partitions.isEmpty()) {
      throw new UnusableException(path + ": no directory named TOPIC-PARTITION with segments");
    }
    found.add(new Found(path, partitions));
  }

  private static void add(Map<Partition, List<Segment>> partitions, Segment segment) {
    Partition partition = segment.partition();
    if (partition != null) {
      partitions.computeIfAbsent(partition, key -> new ArrayList<>()).add(segment);
    }
  }

  /** Returns the copies. All of them are of one partition, which is not the metadata log. */
  List<Repair.Input> inputs() {
    String name = name();
    List<Repair.Input> inputs = new ArrayList<>();
    for (Found each : found) {
      List<Repair.Input> of = new ArrayList<>();
      each.partitions()
          .forEach(
              (partition, segments) -> {
                if (partition.directory().equals(name)) {
                  of.add(new Repair.Input(each.path(), partition, segments));
                }
              });
      if (of.size() != 1) {
        throw new UnusableException(
            each.path() + ": has " + (of.isEmpty() ? "no copy" : "several copies") + " of " + name);
      }
      inputs.addAll(of);
    }
    if (inputs.get(0).partition().topic().equals(MetadataLog.TOPIC)) {
      throw new UnusableException(
          name
              + ": a repair cannot build its snapshots; a broker fetches the log again; for a"
              + " controller, see \"Replace KRaft Controller Disk\" in Kafka's documentation");
    }
    return inputs;
  }

  /** Returns the name of the partition: that of a path which has no other one. */
  private String name() {
    for (Found each : found) {
      if (each.partitions().size() == 1) {
        return each.partitions().keySet().iterator().next().directory();
      }
    }
    String first = found.get(0).path();
    throw new UnusableException(first + ": has several partitions; name the directory of one");
  }
}
