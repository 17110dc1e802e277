// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import org.HdrHistogram.Histogram;

/**
 * The result of the producers of a slot. Their first requests count as records, but not towards
 * speed and latency.
 *
 * @param records all that were acknowledged
 * @param recordsPerSecond of the steady state
 * @param batchBytes mean size of a batch as it was sent
 * @param latencies from the time at which a request was due until its answer, in nanoseconds
 */
record Produced(long records, double recordsPerSecond, double batchBytes, Histogram latencies) {
  private static final String FIRST_WORD = "produced";
  private static final int WORDS = 5;

  /** Returns the line that a load generator prints. */
  String text() {
    return String.join(
        " ",
        FIRST_WORD,
        Long.toString(records),
        Double.toString(recordsPerSecond),
        Double.toString(batchBytes),
        Latencies.encode(latencies));
  }

  /** Tells whether a line is such a text, and not something that a library logged. */
  static boolean isText(String line) {
    return line.startsWith(FIRST_WORD + " ");
  }

  /**
   * Reads a line.
   *
   * @throws IllegalArgumentException if it is not a {@link #text}
   */
  static Produced parse(String line) {
    String[] words = line.split(" ", -1);
    if (!isText(line) || words.length != WORDS) {
      throw new IllegalArgumentException("no result of a load generator: " + line);
    }
    return new Produced(
        Long.parseLong(words[1]),
        Double.parseDouble(words[2]),
        Double.parseDouble(words[3]),
        Latencies.decode(words[4]));
  }
}
