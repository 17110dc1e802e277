// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.scrub;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The metrics of a scrub in the text format of Prometheus, for the textfile collector of
 * node_exporter.
 *
 * <p>Ages are times rather than durations: an age in a file would stand still when the scrub ends.
 */
public final class ScrubMetrics {
  /** The names of all metrics, each with its labels. */
  public static final Map<String, List<String>> NAMES =
      Map.of(
          "batchvalidator_scrub_faults", List.of("directory", "reason"),
          "batchvalidator_scrub_unread_files", List.of("directory"),
          "batchvalidator_scrub_oldest_check_timestamp_seconds", List.of("directory"),
          "batchvalidator_scrub_partitions", List.of("directory"),
          "batchvalidator_scrub_read_bytes_total", List.of("directories", "from"),
          "batchvalidator_scrub_rate_limit_bytes", List.of("directories"),
          "batchvalidator_scrub_passes_total", List.of("directories"));

  private static final double MILLIS = 1e3;

  private final StringBuilder text = new StringBuilder();

  /** The sums of the partitions of a directory. */
  private static final class Sums {
    private final Map<String, Long> faults = new TreeMap<>();
    private long partitions;
    private long oldestMs = Long.MAX_VALUE;

    private void add(PartitionState state) {
      partitions++;
      oldestMs = Math.min(oldestMs, state.oldestMs());
      state.known().forEach((reason, count) -> faults.merge(reason, count, Long::sum));
    }
  }

  private ScrubMetrics() {}

  /**
   * Returns the text.
   *
   * @param partitions the states of the partitions, by the directory that the user named
   * @param unlisted the directories that could not be listed
   * @param reads the bytes that this process has read
   * @param passes the number of passes that this process has completed
   */
  static String text(
      Map<Path, List<PartitionState>> partitions,
      Set<Path> unlisted,
      ReadCounts reads,
      ByteRate rate,
      long passes) {
    Map<String, Sums> sums = new TreeMap<>();
    partitions.forEach(
        (directory, states) -> {
          Sums sum = sums.computeIfAbsent(labelValue(directory.toString()), key -> new Sums());
          states.forEach(sum::add);
          if (unlisted.contains(directory)) {
            sum.faults.merge(PartitionState.Result.UNREAD, 1L, Long::sum);
          }
        });
    ScrubMetrics metrics = new ScrubMetrics();
    metrics.directories(sums);
    metrics.process(String.join(",", sums.keySet()), reads, rate, passes);
    return metrics.text.toString();
  }

  private void directories(Map<String, Sums> sums) {
    header("faults", "gauge", "Faults that the last check of each partition found.");
    sums.forEach(
        (directory, sum) ->
            sum.faults.forEach(
                (reason, count) -> {
                  if (!reason.equals(PartitionState.Result.UNREAD)) {
                    line("faults", labels("directory", directory, "reason", reason), count);
                  }
                }));
    header("unread_files", "gauge", "Files that the last check could not read to their end.");
    sums.forEach(
        (directory, sum) ->
            line(
                "unread_files",
                labels("directory", directory),
                sum.faults.getOrDefault(PartitionState.Result.UNREAD, 0L)));
    header(
        "oldest_check_timestamp_seconds",
        "gauge",
        "When the partition that waits longest was checked, or first seen.");
    sums.forEach(
        (directory, sum) -> {
          if (sum.partitions > 0) {
            seconds("oldest_check_timestamp_seconds", directory, sum.oldestMs);
          }
        });
    header("partitions", "gauge", "Partitions in the directory.");
    sums.forEach(
        (directory, sum) -> line("partitions", labels("directory", directory), sum.partitions));
  }

  /** Adds the metrics of the process. Several scrubs of a node need different labels. */
  private void process(String directories, ReadCounts reads, ByteRate rate, long passes) {
    String own = labels("directories", directories);
    header("read_bytes_total", "counter", "Bytes of segments that were read.");
    for (ReadFrom from : ReadFrom.values()) {
      String labels = labels("directories", directories, "from", from.text());
      line("read_bytes_total", labels, reads.bytes(from));
    }
    header("rate_limit_bytes", "gauge", "Maximum number of bytes to read per second.");
    line("rate_limit_bytes", own, rate.bytesPerSecond());
    header("passes_total", "counter", "Completed passes over all partitions.");
    line("passes_total", own, passes);
  }

  private void header(String name, String type, String help) {
    text.append("# HELP batchvalidator_scrub_").append(name).append(' ').append(help).append('\n');
    text.append("# TYPE batchvalidator_scrub_").append(name).append(' ').append(type).append('\n');
  }

  private void line(String name, String labels, long value) {
    text.append("batchvalidator_scrub_").append(name).append(labels);
    text.append(' ').append(value).append('\n');
  }

  private void seconds(String name, String directory, long millis) {
    text.append("batchvalidator_scrub_").append(name).append(labels("directory", directory));
    text.append(String.format(Locale.ROOT, " %.3f%n", millis / MILLIS));
  }

  private static String labels(String... namesAndValues) {
    StringBuilder labels = new StringBuilder("{");
    for (int i = 0; i < namesAndValues.length; i += 2) {
      labels.append(i == 0 ? "" : ",").append(namesAndValues[i]);
      labels.append("=\"").append(namesAndValues[i + 1]).append('"');
    }
    return labels.append('}').toString();
  }

  private static String labelValue(String text) {
    return text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }
}
