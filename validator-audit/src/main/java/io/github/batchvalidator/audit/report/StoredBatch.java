// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.report;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * The header of a stored batch whose checksum is right.
 *
 * @param position the position of the first byte in the segment
 * @param bytes the size in bytes
 * @param magic 0, 1 or 2
 * @param codec the codec
 * @param baseOffset the offset of the first record; of a compressed message of magic 0 or 1,
 *     computed from its last offset and the number of messages
 * @param lastOffset the offset of the last record
 * @param recordCount the number of records
 * @param baseTimestamp the timestamp of the first record, or {@link #NONE}
 * @param maxTimestamp the largest timestamp, or {@link #NONE}
 * @param leaderEpoch the leader epoch of the partition, or {@link #NONE}
 * @param producerId the producer id, or {@link #NONE}
 * @param producerEpoch the epoch of the producer, or {@link #NONE}
 * @param baseSequence the sequence number of the first record, or {@link #NONE}
 * @param transactional true if the batch belongs to a transaction
 * @param control what the batch controls, or null for a batch of data
 */
public record StoredBatch(
    long position,
    int bytes,
    byte magic,
    Codec codec,
    long baseOffset,
    long lastOffset,
    int recordCount,
    long baseTimestamp,
    long maxTimestamp,
    int leaderEpoch,
    long producerId,
    short producerEpoch,
    int baseSequence,
    boolean transactional,
    @Nullable Control control)
    implements Serializable {
  /** Sentinel: the batch has no such number. */
  public static final int NONE = -1;

  /**
   * The first record of a control batch.
   *
   * @param type the type in the key: 0 for an abort marker, 1 for a commit marker, 2 and above for
   *     records of KRaft, {@link #NO_RECORD} or {@link #UNREADABLE}
   * @param coordinatorEpoch the epoch of the transaction coordinator that wrote a marker
   */
  public record Control(int type, int coordinatorEpoch) implements Serializable {
    /** The cleaner has removed the record. */
    public static final int NO_RECORD = -1;

    /** The key or value is too short, or has an unknown version. */
    public static final int UNREADABLE = -2;

    public static final int ABORT = 0;
    public static final int COMMIT = 1;
    public static final int SNAPSHOT_HEADER = 3;
    public static final int SNAPSHOT_FOOTER = 4;

    /** Returns true for a marker that ends a transaction. */
    public boolean endsTransaction() {
      return type == ABORT || type == COMMIT;
    }
  }

  /** Returns one or more batches of which only the offsets are known. */
  public static StoredBatch ofOffsets(long position, int bytes, long first, long last) {
    return new StoredBatch(
        position,
        bytes,
        BatchLayout.MAGIC_V2,
        Codec.NONE,
        first,
        last,
        (int) (last - first + 1),
        NONE,
        NONE,
        NONE,
        NONE,
        (short) NONE,
        NONE,
        false,
        null);
  }

  /** Returns this batch at another offset, with as many offsets. */
  public StoredBatch withBaseOffset(long offset) {
    return new StoredBatch(
        position,
        bytes,
        magic,
        codec,
        offset,
        offset + (lastOffset - baseOffset),
        recordCount,
        baseTimestamp,
        maxTimestamp,
        leaderEpoch,
        producerId,
        producerEpoch,
        baseSequence,
        transactional,
        control);
  }

  /** Returns true if the producer numbers its records. */
  public boolean hasSequence() {
    return producerId >= 0 && baseSequence >= 0 && control == null;
  }

  /** Returns the sequence number of the last record. After the largest one, numbers start at 0. */
  public int lastSequence() {
    return (int) ((baseSequence + (lastOffset - baseOffset)) & Integer.MAX_VALUE);
  }

  /** Returns the sequence number that follows the batch. */
  public int nextSequence() {
    return (lastSequence() + 1) & Integer.MAX_VALUE;
  }
}
