// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;

/**
 * Compares what writers of compacted partitions were answered with what consumers read afterwards.
 *
 * <p>Of each key, the last acknowledged record is stored, or a later one of an unknown fate. Each
 * stored record is unchanged, and at its offset if it was acknowledged.
 */
final class CompactedVerdict {
  private static final String CHECKPOINT = "cleaner-offset-checkpoint";
  private static final String LOG = ".log";

  private CompactedVerdict() {}

  /**
   * Returns a sentence for each fault.
   *
   * @param sent by all writers, in the order of each writer
   * @param read by partition, in the order of the partition
   */
  static List<String> faults(List<Sent> sent, Map<TopicPartition, List<Stored>> read) {
    List<String> faults = new ArrayList<>();
    Map<RecordId, Sent> byId = new HashMap<>();
    sent.forEach(each -> byId.put(each.id(), each));
    Map<String, Integer> last = new HashMap<>();
    read.forEach(
        (partition, records) -> {
          for (Stored each : records) {
            Sent origin = byId.get(each.id());
            if (!each.intact() || origin == null || !origin.partition().equals(partition)) {
              faults.add(partition + ": changed: " + each);
            } else if (origin.fate() == Fate.ACKNOWLEDGED && origin.offset() != each.offset()) {
              faults.add("at another offset: " + origin + ", as " + each);
            }
            last.put(CompactedWriter.key(each.id()), each.id().sequence());
          }
        });
    for (Sent each : sent) {
      int found = last.getOrDefault(CompactedWriter.key(each.id()), -1);
      if (each.fate() == Fate.ACKNOWLEDGED && found < each.id().sequence()) {
        faults.add("lost: " + each);
      }
    }
    return faults;
  }

  /** Returns the compacted partitions of a broker that have segments to compact. */
  static List<String> uncompacted(Path data) throws IOException {
    Map<String, Long> compacted = checkpoint(data.resolve(CHECKPOINT));
    List<String> behind = new ArrayList<>();
    for (TopicPartition each : Topics.compacted()) {
      long active = activeSegment(data.resolve(each.toString()));
      if (compacted.getOrDefault(each.toString(), 0L) < active) {
        behind.add(each + " to " + compacted.get(each.toString()) + " of " + active);
      }
    }
    return behind;
  }

  private static Map<String, Long> checkpoint(Path file) throws IOException {
    Map<String, Long> offsets = new HashMap<>();
    if (Files.exists(file)) {
      // After the version and the number of lines: topic, partition, offset.
      for (String line : Files.readAllLines(file).stream().skip(2).toList()) {
        String[] words = line.split(" ", -1);
        offsets.put(words[0] + "-" + words[1], Long.parseLong(words[2]));
      }
    }
    return offsets;
  }

  private static long activeSegment(Path partition) throws IOException {
    try (Stream<Path> files = Files.list(partition)) {
      return files
          .map(each -> each.getFileName().toString())
          .filter(each -> each.endsWith(LOG))
          .mapToLong(each -> Long.parseLong(each.substring(0, each.length() - LOG.length())))
          .max()
          .orElse(0);
    }
  }
}
