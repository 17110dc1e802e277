// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.recovery;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * An estimate of the bytes of a partition that Kafka has yet to recover after an unclean stop: the
 * segment with the recovery point and all later segments. Not thread-safe.
 */
final class UnflushedBytes {
  private static final String CHECKPOINT = "recovery-point-offset-checkpoint";
  private static final String METADATA_LOG = "__cluster_metadata-0";
  private static final String DELETE = "-delete";

  /** The end of a directory's name that the checkpoint leaves out. */
  private static final Pattern SUFFIX = Pattern.compile("\\.[^.]+-(future|stray)$");

  private static final String LOG = ".log";
  private static final int HEAD_LINES = 2;

  private final File last;
  private long bytes;

  private UnflushedBytes(File[] sortedSegments, long recoveryPoint) {
    last = sortedSegments[sortedSegments.length - 1];
    for (int i = sortedSegments.length - 1; i >= 0; i--) {
      bytes += sortedSegments[i].length();
      if (baseOffset(sortedSegments[i]) <= recoveryPoint) {
        break;
      }
    }
  }

  /**
   * {@return true if the progress of recovery includes a partition}
   *
   * <p>Kafka recovers the metadata log after a clean stop, too. It does not recover partitions that
   * it deletes.
   *
   * @param partition the directory of the partition
   */
  static boolean isCounted(File partition) {
    String name = partition.getName();
    return !name.equals(METADATA_LOG) && !name.endsWith(DELETE);
  }

  /** {@return the estimates of a log directory by partition; none if it cannot be read} */
  static Map<File, UnflushedBytes> in(File logDirectory) {
    Map<String, Long> points = recoveryPoints(logDirectory);
    File[] partitions = logDirectory.listFiles(each -> each.isDirectory() && isCounted(each));
    Map<File, UnflushedBytes> found = new HashMap<>();
    for (File each : partitions == null ? new File[0] : partitions) {
      File[] segments = each.listFiles((directory, name) -> name.endsWith(LOG));
      if (segments != null && segments.length > 0) {
        Arrays.sort(segments);
        String key = SUFFIX.matcher(each.getName()).replaceFirst("");
        found.put(each, new UnflushedBytes(segments, points.getOrDefault(key, 0L)));
      }
    }
    return found;
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

  private static long baseOffset(File segment) {
    String name = segment.getName();
    try {
      return Long.parseLong(name.substring(0, name.length() - LOG.length()));
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /**
   * Subtracts a recovered segment. Nothing is left after the last segment, even if Kafka removed
   * some of the others.
   *
   * @param file a file of the segment with any suffix
   * @param recovered the bytes of the segment
   */
  void subtract(File file, long recovered) {
    String name = last.getName();
    String ofLast = name.substring(0, name.length() - LOG.length() + 1);
    bytes = file.getName().startsWith(ofLast) ? 0 : Math.max(0, bytes - recovered);
  }

  /** {@return true if nothing is left to recover} */
  boolean isDone() {
    return bytes == 0 || !last.exists(); // a cut renames all later segments
  }

  long bytes() {
    return bytes;
  }
}
