// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import io.github.batchvalidator.testkit.broker.BrokerBuild;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What producers do in a slot, and to which topic.
 *
 * @param codec of the producers
 * @param topicCodec {@code compression.type} of the topic; {@code producer} keeps batches as they
 *     come
 * @param batching how large batches get
 * @param valueBytes of each record
 * @param recordsPerSecond of all producers together, or {@link #FULL_SPEED}
 * @param crowd how many partitions and producers
 */
record Cell(
    String codec,
    String topicCodec,
    Batching batching,
    int valueBytes,
    int recordsPerSecond,
    Crowd crowd) {
  /** As fast as the producers can. */
  static final int FULL_SPEED = -1;

  /** The topic's codec that leaves batches as they are. */
  static final String AS_PRODUCED = "producer";

  /**
   * The producers' limits of a batch.
   *
   * @param bytes {@code batch.size}
   * @param lingerMs {@code linger.ms}
   */
  record Batching(int bytes, int lingerMs) {
    /** Kafka's default size, sent at once. */
    static final Batching SMALL = new Batching(16 << 10, 0);

    /** The settings of a producer that aims at throughput. */
    static final Batching LARGE = new Batching(128 << 10, 20);

    @Override
    public String toString() {
      return (bytes >> 10) + "KiB/" + lingerMs + "ms";
    }
  }

  /**
   * How many there are.
   *
   * @param partitions of the topic
   * @param producers each in a separate JVM
   */
  record Crowd(int partitions, int producers) {
    /** One of each. */
    static final Crowd SINGLE = new Crowd(1, 1);
  }

  static Cell of(String codec, Batching batching, int valueBytes) {
    return new Cell(codec, AS_PRODUCED, batching, valueBytes, FULL_SPEED, Crowd.SINGLE);
  }

  Cell to(String otherCodec) {
    return new Cell(codec, otherCodec, batching, valueBytes, recordsPerSecond, crowd);
  }

  Cell at(int otherRecordsPerSecond) {
    return new Cell(codec, topicCodec, batching, valueBytes, otherRecordsPerSecond, crowd);
  }

  Cell of(Crowd other) {
    return new Cell(codec, topicCodec, batching, valueBytes, recordsPerSecond, other);
  }

  /**
   * Tells whether a broker takes part: one that inspects before the lock does if producers wait for
   * each other.
   */
  boolean includes(BrokerBuild contender) {
    return contender == BrokerBuild.KAFKA
        || contender == BrokerBuild.DROP_IN
        || crowd.producers() > 1;
  }

  /** Returns what tells the cell from others, as fields of a row of the results. */
  Map<String, String> fields() {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("codec", topicCodec.equals(AS_PRODUCED) ? codec : codec + "-" + topicCodec);
    fields.put("batch", batching.toString());
    fields.put("value", valueBytes % 1024 == 0 ? valueBytes / 1024 + "KiB" : valueBytes + "B");
    fields.put("load", recordsPerSecond == FULL_SPEED ? "full" : recordsPerSecond + "/s");
    fields.put("partitions", String.valueOf(crowd.partitions()));
    fields.put("producers", String.valueOf(crowd.producers()));
    return fields;
  }

  /** Returns the name as a part of a file's. */
  String fileName() {
    return String.join("-", fields().values()).replace('/', '-');
  }

  @Override
  public String toString() {
    return String.join(" ", fields().values());
  }
}
