// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * The measurements of {@link BusyAppends}.
 *
 * @param appends accepted batches
 * @param fewest accepted batches of the slowest thread
 * @param longestMillis duration of the longest append, including waits for a worker or a processor
 * @param plainBytes uncompressed bytes of the accepted batches
 * @param millis duration of the load
 * @param workers number of workers in the pool after the load
 * @param workerBytes direct memory after the warm-up, whose single thread needs one worker
 * @param peakDirectBytes largest direct memory of the JVM
 * @param peakKib largest resident memory of the process
 * @param refused refused batches by exception, without the numbers in its message
 */
record BusyFigures(
    long appends,
    long fewest,
    long longestMillis,
    long plainBytes,
    long millis,
    long workers,
    long workerBytes,
    long peakDirectBytes,
    long peakKib,
    Map<String, Long> refused) {
  private static final String FIGURES = "figures: ";
  private static final String REFUSED = "refused: ";
  private static final double MILLIS_PER_SECOND = 1000;
  private static final double BYTES_PER_MEGABYTE = 1e6;

  /** Parses {@link #toLines}. Ignores other lines in the output of the JVM. */
  static BusyFigures parse(String output) {
    Map<String, Long> refused = new TreeMap<>();
    long[] figures = {};
    for (String line : output.lines().toList()) {
      if (line.startsWith(FIGURES)) {
        String[] words = line.substring(FIGURES.length()).split(" ", -1);
        figures = Arrays.stream(words).mapToLong(Long::parseLong).toArray();
      } else if (line.startsWith(REFUSED)) {
        String[] words = line.substring(REFUSED.length()).split(" ", 2);
        refused.put(words[1], Long.valueOf(words[0]));
      }
    }
    if (figures.length == 0) {
      throw new IllegalStateException(output);
    }
    int at = 0;
    return new BusyFigures(
        figures[at++],
        figures[at++],
        figures[at++],
        figures[at++],
        figures[at++],
        figures[at++],
        figures[at++],
        figures[at++],
        figures[at],
        refused);
  }

  /** {@return a line with all figures and a line for each reason of a refusal} */
  String toLines() {
    StringBuilder text = new StringBuilder(FIGURES);
    text.append(appends)
        .append(' ')
        .append(fewest)
        .append(' ')
        .append(longestMillis)
        .append(' ')
        .append(plainBytes);
    text.append(' ').append(millis).append(' ').append(workers).append(' ').append(workerBytes);
    text.append(' ').append(peakDirectBytes).append(' ').append(peakKib).append('\n');
    refused.forEach((why, count) -> text.append(REFUSED + count + ' ' + why + '\n'));
    return text.toString();
  }

  /** {@return the direct memory that all workers of the pool need} */
  long neededDirectBytes() {
    return workers * workerBytes;
  }

  /**
   * {@return true if no batch was refused, no thread starved, and direct memory was at most twice
   * what the workers need}
   */
  boolean isGood() {
    return refused.isEmpty() && fewest > 0 && peakDirectBytes <= 2 * neededDirectBytes();
  }

  /** {@return the number of refused batches} */
  long refusals() {
    return refused.values().stream().mapToLong(Long::longValue).sum();
  }

  double appendsPerSecond() {
    return appends * MILLIS_PER_SECOND / millis;
  }

  /** {@return uncompressed megabytes per second} */
  double megabytesPerSecond() {
    return plainBytes / BYTES_PER_MEGABYTE * MILLIS_PER_SECOND / millis;
  }
}
