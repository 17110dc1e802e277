// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * What came of a scenario.
 *
 * @param answers to the producer for each record, batch by batch
 * @param read what a consumer reads that takes all
 * @param committed what one reads that leaves out aborted transactions
 * @param partition where the log lies
 */
record Outcome(
    List<List<Answer>> answers,
    List<ConsumerRecord<byte[], byte[]>> read,
    List<ConsumerRecord<byte[], byte[]>> committed,
    Path partition) {}
