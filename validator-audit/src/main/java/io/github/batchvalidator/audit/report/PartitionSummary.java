// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.report;

import java.io.Serializable;

/**
 * The results for the segments of a partition together. The counts do not include batches that
 * could not be read.
 *
 * @param name the name to show in reports
 * @param topic the topic
 * @param segments the number of segments
 * @param firstOffset the first offset, or -1 without batches
 * @param lastOffset the last offset, or -1 without batches
 * @param compacted true if the files show that the partition was compacted
 * @param producers the number of producer ids
 * @param forgottenProducers how many times a producer was forgotten to bound the memory; then not
 *     all of its sequence numbers were compared
 * @param committedTransactions the number of transactions with data and a commit marker
 * @param abortedTransactions the number of transactions with data and an abort marker
 * @param openTransactions the number of transactions without a marker
 * @param firstOpenOffset the first offset of the earliest open transaction, or -1
 * @param emptyMarkers the number of markers without data, which a transaction coordinator may write
 * @param faults the number of faults that concern more than one batch
 * @param droppedFaults how many more faults there were that are not in the report
 * @param segmentFaults the number of faults that concern one batch or one segment
 * @param unreadFiles the number of files that could not be read, or not to their end
 */
public record PartitionSummary(
    String name,
    String topic,
    int segments,
    long firstOffset,
    long lastOffset,
    boolean compacted,
    long producers,
    long forgottenProducers,
    long committedTransactions,
    long abortedTransactions,
    int openTransactions,
    long firstOpenOffset,
    long emptyMarkers,
    long faults,
    long droppedFaults,
    long segmentFaults,
    long unreadFiles)
    implements Serializable {
  /** Returns this summary with the faults of its segments and the number of its unread files. */
  public PartitionSummary withFiles(long faultsOfSegments, long unread) {
    return new PartitionSummary(
        name,
        topic,
        segments,
        firstOffset,
        lastOffset,
        compacted,
        producers,
        forgottenProducers,
        committedTransactions,
        abortedTransactions,
        openTransactions,
        firstOpenOffset,
        emptyMarkers,
        faults,
        droppedFaults,
        faultsOfSegments,
        unread);
  }

  /** Returns the number of all faults of the partition. */
  public long allFaults() {
    return faults + droppedFaults + segmentFaults;
  }
}
