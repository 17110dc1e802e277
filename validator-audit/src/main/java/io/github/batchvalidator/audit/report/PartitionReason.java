// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.report;

import java.util.Locale;

/**
 * The reasons for faults of a partition, which no batch shows by itself. The name of a constant is
 * its stable id.
 */
public enum PartitionReason implements AuditReason {
  /** Offsets between two batches are missing, in a partition that was not compacted. */
  PARTITION_OFFSETS_MISSING("offsets %d to %d are missing"),
  /** A segment starts at or below the last offset of the segment before it. */
  PARTITION_SEGMENTS_OVERLAP("the segment starts at offset %d, the segment before it ends at %d"),
  /** The leader epoch of a batch is below that of an earlier batch. */
  PARTITION_LEADER_EPOCH_DECREASED("the leader epoch is %d, that of an earlier batch is %d"),

  /** The leader epoch of a batch is above that of a later batch, or negative. */
  PARTITION_LEADER_EPOCH_INVALID("the leader epoch is %d; %s"),
  /** Other files name offsets after the last batch. */
  PARTITION_TAIL_MISSING("the log ends before offset %d, but %s"),

  /** The file with the topic id cannot be parsed. */
  PARTITION_METADATA_UNREADABLE("line %d: %s"),
  /** The file with the vote of a KRaft node cannot be parsed. */
  QUORUM_STATE_UNREADABLE("%s"),

  /** The checkpoint of leader epochs cannot be parsed. */
  EPOCH_CHECKPOINT_UNREADABLE("line %d: %s"),
  /** The epochs or offsets of the checkpoint do not increase. */
  EPOCH_CHECKPOINT_OUT_OF_ORDER("line %d: epoch %d from offset %d follows epoch %d from offset %d"),
  /** The checkpoint contradicts the leader epoch of a batch. */
  EPOCH_CHECKPOINT_MISMATCH(
      "the batch at offset %d (%s, byte %d) has leader epoch %d, the checkpoint has %d"),

  /** The size of an index is no multiple of its entries. */
  INDEX_SIZE_INVALID("the index has %d bytes, its entries have %d bytes each"),
  /** An entry is not between the entries around it, or is zero and other entries follow. */
  INDEX_OUT_OF_ORDER("entry %d is not between the entries before and after it"),
  /** No batch starts at the position of an entry. */
  INDEX_POSITION_INVALID("entry %d: no batch starts at byte %d"),
  /** The offset of an entry is not the last offset of its batch. */
  INDEX_OFFSET_MISMATCH("entry %d has offset %d, the batch at its position ends at %d"),
  /** No batch ends at the offset of an entry. */
  TIMEINDEX_OFFSET_INVALID("entry %d: no batch ends at offset %d"),
  /** The timestamp of an entry is not the largest one of its batch. */
  TIMEINDEX_TIMESTAMP_MISMATCH("entry %d has timestamp %d, the batch at offset %d has %d"),
  /** An entry has a version that no known Kafka writes. */
  TXNINDEX_VERSION_UNKNOWN("entry %d has version %d"),
  /** An aborted transaction has no entry. */
  TXNINDEX_ENTRY_MISSING("producer %d aborted offsets %d to %d, which the index does not have"),
  /** No transaction ends at the last offset of an entry. */
  TXNINDEX_ENTRY_UNKNOWN("entry %d: producer %d aborted no transaction at offset %d"),
  /** An entry has another producer or other offsets than the log. */
  TXNINDEX_ENTRY_MISMATCH("entry %d: the %s is %d, the log has %d"),

  /** Sequence numbers of a producer are missing, in a partition that was not compacted. */
  PRODUCER_SEQUENCE_MISSING("producer %d, epoch %d: sequence %d follows %d"),
  /** Sequence numbers of a producer are stored twice. */
  PRODUCER_SEQUENCE_REPEATED("producer %d, epoch %d: sequence %d follows %d"),
  /** The epoch of a producer is below that of an earlier batch. */
  PRODUCER_EPOCH_DECREASED("producer %d: epoch %d follows epoch %d"),
  /** A producer starts an epoch with another sequence number than 0. */
  PRODUCER_SEQUENCE_NOT_ZERO("producer %d, epoch %d: the first sequence is %d"),

  /** A batch without a transaction is stored inside a transaction of its producer. */
  TRANSACTION_INTERRUPTED("producer %d writes without a transaction, one is open since offset %d"),
  /** The end of a transaction cannot be read. */
  TRANSACTION_MARKER_UNREADABLE("the marker of the transaction cannot be read"),
  /** The epoch of a transaction coordinator is below that of an earlier marker. */
  TRANSACTION_COORDINATOR_EPOCH_DECREASED("producer %d: coordinator epoch %d follows %d"),

  /** A snapshot of producers cannot be parsed. */
  PRODUCER_SNAPSHOT_UNREADABLE("%s"),
  /** A snapshot contradicts the log. */
  PRODUCER_SNAPSHOT_MISMATCH("producer %d: the %s is %d, the log has %d"),

  /** A snapshot of KRaft does not start with a header. */
  METADATA_SNAPSHOT_HEADER_MISSING("the first batch is not a snapshot header"),
  /** A snapshot of KRaft does not end with a footer, so its write was not completed. */
  METADATA_SNAPSHOT_FOOTER_MISSING("the last batch is not a snapshot footer");

  private final String sentence;

  PartitionReason(String sentence) {
    this.sentence = sentence;
  }

  @Override
  public String describe(Object... operands) {
    return String.format(Locale.ROOT, sentence, operands);
  }
}
