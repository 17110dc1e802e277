// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import io.github.batchvalidator.bench.broker.Cell.Crowd;

/**
 * The work of a load generator in a slot.
 *
 * @param port of the broker
 * @param topic of the cell
 * @param cell of which the generator needs not all
 * @param recordsPerSecond of all producers together; 0 for full speed
 * @param seconds the length
 * @param bytes the most bytes of values
 */
record LoadOrder(
    int port, String topic, Cell cell, double recordsPerSecond, double seconds, long bytes) {
  private static final int WORDS = 11;

  /** From one large batch to the next: with gzip, stock holds the lock a tenth of the time. */
  private static final double LARGE_PERIOD_NANOS = 1e8;

  private static final double NANOS_PER_SECOND = 1e9;

  /** Returns the line that a load generator reads. */
  String text() {
    return String.join(
        " ",
        Integer.toString(port),
        topic,
        cell.codec(),
        Integer.toString(cell.records()),
        Integer.toString(cell.valueBytes()),
        Integer.toString(cell.crowd().partitions()),
        Integer.toString(cell.crowd().producers()),
        Boolean.toString(cell.crowd().isBesideLarge()),
        Double.toString(recordsPerSecond),
        Double.toString(seconds),
        Long.toString(bytes));
  }

  /**
   * Reads a line.
   *
   * @throws IllegalArgumentException if it is not a {@link #text}
   */
  static LoadOrder parse(String line) {
    String[] words = line.split(" ", -1);
    if (words.length != WORDS) {
      throw new IllegalArgumentException("no order: " + line);
    }
    Crowd crowd =
        new Crowd(
            Integer.parseInt(words[5]), Integer.parseInt(words[6]), Boolean.parseBoolean(words[7]));
    Cell cell = Cell.of(words[2], Integer.parseInt(words[3]), Integer.parseInt(words[4])).of(crowd);
    return new LoadOrder(
        Integer.parseInt(words[0]),
        words[1],
        cell,
        Double.parseDouble(words[8]),
        Double.parseDouble(words[9]),
        Long.parseLong(words[10]));
  }

  /** Returns the number of partitions of a request, each with a batch. */
  int partitionsOfRequest() {
    return Math.max(1, cell.crowd().partitions() / cell.crowd().producers());
  }

  /** Returns the first partition of a producer's requests. */
  int firstPartition(int producer) {
    return producer * partitionsOfRequest() % cell.crowd().partitions();
  }

  /** Returns the records of a request. */
  int recordsOfRequest() {
    return cell.records() * partitionsOfRequest();
  }

  /**
   * Returns when the requests of a producer are due. The producers take turns.
   *
   * @param startNanos the start of the slot
   */
  Pace pace(int producer, long startNanos) {
    int producers = cell.crowd().producers();
    long most = bytes / producers / ((long) recordsOfRequest() * cell.valueBytes());
    double periodNanos = 0;
    if (recordsPerSecond > 0) {
      double requestsPerSecond = recordsPerSecond / recordsOfRequest() / producers;
      periodNanos = NANOS_PER_SECOND / requestsPerSecond;
      most = Math.min(most, Math.round(requestsPerSecond * seconds));
    }
    return new Pace(
        startNanos + Math.round(periodNanos * producer / producers),
        periodNanos,
        Math.max(1, most),
        Math.round(seconds * NANOS_PER_SECOND));
  }

  /**
   * Returns when the requests with one large batch are due.
   *
   * @param startNanos the start of the slot
   */
  Pace paceOfLarge(long startNanos) {
    double nanos = seconds * NANOS_PER_SECOND;
    return new Pace(
        startNanos,
        LARGE_PERIOD_NANOS,
        Math.max(1, Math.round(nanos / LARGE_PERIOD_NANOS)),
        Math.round(nanos));
  }
}
