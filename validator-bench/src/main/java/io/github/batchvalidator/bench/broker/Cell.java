// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What producers do in a slot, and to which topic.
 *
 * @param codec of the producers
 * @param topicCodec {@code compression.type} of the topic; {@code producer} keeps batches as they
 *     come
 * @param records of each batch
 * @param valueBytes of each record
 * @param percent of the rate that the stock broker can take at most, or {@link #FULL_SPEED}
 * @param crowd how many partitions and producers
 */
record Cell(
    String codec, String topicCodec, int records, int valueBytes, int percent, Crowd crowd) {
  /** As fast as the broker answers. */
  static final int FULL_SPEED = 0;

  /** The topic's codec that leaves batches as they are. */
  static final String AS_PRODUCED = "producer";

  /**
   * How many there are.
   *
   * @param partitions of the topic
   * @param producers each with a connection
   * @param isBesideLarge true if one more producer sends {@link #LARGE} batches to the first
   *     partition at a fixed rate; its latencies do not count
   */
  record Crowd(int partitions, int producers, boolean isBesideLarge) {
    /** Enough connections for a broker that never waits for its clients, and no shared lock. */
    static final Crowd USUAL = new Crowd(4, 4);

    Crowd(int partitions, int producers) {
      this(partitions, producers, false);
    }
  }

  /** Batches that take long to validate: 5 MiB each. */
  static final Cell LARGE = of("gzip", 5_000, 1 << 10);

  static Cell of(String codec, int records, int valueBytes) {
    return new Cell(codec, AS_PRODUCED, records, valueBytes, FULL_SPEED, Crowd.USUAL);
  }

  Cell to(String otherCodec) {
    return new Cell(codec, otherCodec, records, valueBytes, percent, crowd);
  }

  Cell at(int otherPercent) {
    return new Cell(codec, topicCodec, records, valueBytes, otherPercent, crowd);
  }

  Cell of(Crowd other) {
    return new Cell(codec, topicCodec, records, valueBytes, percent, other);
  }

  /** Returns the cell with the same topic and batches whose rate is the maximum. */
  Cell maximum() {
    return at(FULL_SPEED);
  }

  /**
   * Tells whether brokers and producers have separate processors. Producers that share a partition
   * have all of them: a broker with one processor has nothing to do while a lock is held.
   */
  boolean isPinned() {
    return crowd.producers() <= crowd.partitions();
  }

  /** Tells whether the topic keeps batches as they come, so that the broker rebuilds none. */
  boolean isInPlace() {
    return topicCodec.equals(AS_PRODUCED);
  }

  /** Returns the name for readers, which leaves out the usual crowd. */
  String label() {
    Map<String, String> fields = fields();
    String label = "%s, %s, %s".formatted(fields.get("codec"), fields.get("batch"), load());
    return crowd.equals(Crowd.USUAL)
        ? label
        : "%s, %d partitions, %d producers%s"
            .formatted(
                label,
                crowd.partitions(),
                crowd.producers(),
                crowd.isBesideLarge() ? " beside one of large gzip batches" : "")
            .replace(" 1 partitions", " 1 partition");
  }

  private String load() {
    return percent == FULL_SPEED ? "full speed" : percent + " %";
  }

  /** Returns what tells the cell from others, as fields of a row of the results. */
  Map<String, String> fields() {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("codec", isInPlace() ? codec : codec + "-" + topicCodec);
    String value = valueBytes % 1024 == 0 ? valueBytes / 1024 + "KiB" : valueBytes + "B";
    fields.put("batch", records + "x" + value);
    fields.put("load", percent == FULL_SPEED ? "full" : percent + "%");
    fields.put("partitions", String.valueOf(crowd.partitions()));
    fields.put("producers", crowd.producers() + (crowd.isBesideLarge() ? "-and-large" : ""));
    return fields;
  }

  /** Returns the name as a part of a file's. */
  String fileName() {
    return String.join("-", fields().values()).replace("%", "");
  }

  @Override
  public String toString() {
    return String.join(" ", fields().values());
  }
}
