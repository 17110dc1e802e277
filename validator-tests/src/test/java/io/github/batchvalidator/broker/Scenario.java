// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import io.github.batchvalidator.rule.Codec;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * What clients do with one topic of one partition.
 *
 * @param topic its name
 * @param config of the topic
 * @param codec of the producer
 * @param producing how the producer sends
 * @param batches what is sent, each list as one batch
 * @param refusedBatches how many of them a broker refuses
 */
record Scenario(
    String topic,
    Map<String, String> config,
    Codec codec,
    Producing producing,
    List<List<ProducerRecord<byte[], byte[]>>> batches,
    int refusedBatches) {
  /** How a producer sends. */
  enum Producing {
    /** Without a producer id. */
    PLAIN,
    IDEMPOTENT,
    /** Each batch is a transaction; every third is aborted. */
    TRANSACTIONAL
  }

  /** Returns true if the topic keeps another codec than the producer's. */
  boolean isRebuilt() {
    return config.containsKey("compression.type");
  }

  /** Returns true if the topic keeps the time of the append. */
  boolean keepsAppendTime() {
    return config.containsKey("message.timestamp.type");
  }

  /** Returns true if the transaction of a batch is aborted. */
  boolean aborts(int batch) {
    return producing == Producing.TRANSACTIONAL && batch % 3 == 1;
  }
}
