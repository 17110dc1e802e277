// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.recovery;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * An estimate of the bytes that Kafka recovers in a log directory after an unclean stop: for each
 * partition, the segment with the recovery point and all later segments.
 */
final class UnflushedBytes {
  private static final String CHECKPOINT = "recovery-point-offset-checkpoint";
  private static final String LOG = ".log";
  private static final int HEAD_LINES = 2;

  private UnflushedBytes() {}

  /** {@return the number of bytes; 0 if the directory cannot be read} */
  static long in(File logDirectory) {
    Map<String, Long> points = recoveryPoints(logDirectory);
    File[] partitions = logDirectory.listFiles(File::isDirectory);
    long bytes = 0;
    for (File each : partitions == null ? new File[0] : partitions) {
      bytes += ofPartition(each, points.getOrDefault(each.getName(), 0L));
    }
    return bytes;
  }

  private static Map<String, Long> recoveryPoints(File logDirectory) {
    Map<String, Long> points = new HashMap<>();
    try {
      Files.readAllLines(logDirectory.toPath().resolve(CHECKPOINT)).stream()
          .skip(HEAD_LINES)
          .map(line -> line.split(" ", -1))
          .filter(fields -> fields.length == 3)
          .forEach(fields -> points.put(fields[0] + "-" + fields[1], Long.valueOf(fields[2])));
    } catch (IOException | RuntimeException e) {
      points.clear(); // Kafka then recovers everything, too
    }
    return points;
  }

  private static long ofPartition(File partition, long recoveryPoint) {
    File[] segments = partition.listFiles((directory, name) -> name.endsWith(LOG));
    if (segments == null) {
      return 0;
    }
    Arrays.sort(segments);
    long bytes = 0;
    for (int i = segments.length - 1; i >= 0; i--) {
      bytes += segments[i].length();
      if (baseOffset(segments[i]) <= recoveryPoint) {
        break;
      }
    }
    return bytes;
  }

  private static long baseOffset(File segment) {
    String name = segment.getName();
    try {
      return Long.parseLong(name.substring(0, name.length() - LOG.length()));
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
