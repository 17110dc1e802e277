// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.batchvalidator.audit.report.PartitionSummary;
import io.github.batchvalidator.audit.report.StoredBatch.Control;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** Batches that cannot be read end what is known, until a snapshot or the next batches say more. */
class UnknownBatchesTest {
  private static final long PRODUCER = 7;
  private static final Control COMMIT = new Control(Control.COMMIT, 3);
  private static final Control ABORT = new Control(Control.ABORT, 3);
  private static final int SNAPSHOT_HEAD_BYTES = 10;
  private static final int SNAPSHOT_ENTRY_BYTES = 46;

  private final PassedBatches log = new PassedBatches();

  /** The producer is not in the snapshot, so its transaction has ended in the unknown part. */
  @Test
  void snapshotEndsTransactionsThatItLacks() {
    log.snapshot(10, snapshot(99, 9, -1)).segment(0).add(PRODUCER, 0, null).unreadable(8);
    log.add(99, 0, null).segment(10).add(PRODUCER, -1, COMMIT);
    PartitionSummary summary = log.end();
    assertEquals(List.of(), log.faults());
    assertEquals(1, summary.emptyMarkers());
    assertEquals(0, summary.committedTransactions());
  }

  /** Older brokers write one entry for several batches, of which the last one is unknown here. */
  @Test
  void openIndexEntryIsNotCompared() {
    byte[] index = ByteBuffer.allocate(8).putInt(2).putInt(0).array();
    log.segment(0, index).add(PRODUCER, 0, null).unreadable(3).add(PRODUCER, 4, null);
    log.end();
    assertEquals(List.of(), log.faults());
  }

  @Test
  void openIndexEntryIsComparedWithoutUnknownBatches() {
    byte[] index = ByteBuffer.allocate(8).putInt(2).putInt(0).array();
    log.segment(0, index).add(PRODUCER, 0, null).add(PRODUCER, 1, null);
    log.end();
    assertEquals(List.of("INDEX_OFFSET_MISMATCH"), log.faults());
  }

  /** The cleaner of older brokers writes the offset of the last record that is left. */
  @Test
  void anIndexEntryMayHaveTheLastOffsetThatCompactionLeft() {
    byte[] index = ByteBuffer.allocate(16).putInt(2).putInt(0).putInt(10).putInt(100).array();
    log.segment(0, index).addRecords(4, 3).addRecords(4, 4).addRecords(4, 2).end();
    assertEquals(List.of(), log.faults());
  }

  @Test
  void anIndexEntryInsideAWholeBatchIsAFault() {
    byte[] index = ByteBuffer.allocate(8).putInt(2).putInt(0).array();
    log.segment(0, index).addRecords(4, 4).end();
    assertEquals(List.of("INDEX_OFFSET_MISMATCH"), log.faults());
  }

  /** The last of three records has offset 2 or 3. */
  @Test
  void anIndexEntryBeforeTheLastRecordIsAFault() {
    byte[] index = ByteBuffer.allocate(8).putInt(1).putInt(0).array();
    log.segment(0, index).addRecords(4, 3).end();
    assertEquals(List.of("INDEX_OFFSET_MISMATCH"), log.faults());
  }

  /** A batch without records is indexed by its last offset. */
  @Test
  void anIndexEntryInsideABatchWithoutRecordsIsAFault() {
    byte[] index = ByteBuffer.allocate(8).putInt(2).putInt(0).array();
    log.segment(0, index).addRecords(4, 0).end();
    assertEquals(List.of("INDEX_OFFSET_MISMATCH"), log.faults());
  }

  /** A broker that starts again does not read the records before the start of the log. */
  @Test
  void transactionsBeforeTheStartOfTheLogMayBeForgotten() {
    log.logStart(5);
    abortAfterFiveRecords();
    assertEquals(List.of(), log.faults());
  }

  /** More records were deleted after the broker had loaded the log again. */
  @Test
  void transactionsBeforeAnEarlierStartOfTheLogMayBeForgotten() {
    log.logStart(8).snapshot(6, snapshotWithoutData(3)).segment(0, new byte[0]);
    for (int i = 0; i < 5; i++) {
      log.add(PRODUCER, i, null);
    }
    log.add(PRODUCER, -1, ABORT).end();
    assertEquals(List.of(), log.faults());
  }

  /** A broker reads the whole batch that has the start of the log. */
  @Test
  void theBatchWithTheStartOfTheLogIsKnown() {
    log.logStart(4);
    abortAfterFiveRecords();
    assertEquals(List.of("TXNINDEX_ENTRY_MISSING", "PRODUCER_SNAPSHOT_MISMATCH"), log.faults());
  }

  @Test
  void transactionsAreRememberedWithoutAStartOfTheLog() {
    abortAfterFiveRecords();
    assertEquals(List.of("TXNINDEX_ENTRY_MISSING", "PRODUCER_SNAPSHOT_MISMATCH"), log.faults());
  }

  @Test
  void theStartOfTheFirstSegmentEndsNothingThatIsKnown() {
    log.logStart(10).snapshot(10, snapshot(99, 9, -1)).snapshot(11, snapshot(99, 8, -1));
    log.segment(10).add(PRODUCER, 0, null).end();
    assertEquals(List.of("PRODUCER_SNAPSHOT_MISMATCH"), log.faults());
  }

  /** A broker that has forgotten an idle producer does not know the coordinator of its markers. */
  @Test
  void snapshotMayLackTheCoordinator() {
    log.snapshot(2, snapshot(PRODUCER, 1, -1)).segment(0);
    log.add(PRODUCER, -1, COMMIT).add(PRODUCER, 0, null).end();
    assertEquals(List.of(), log.faults());
  }

  /** The last marker may be in the unknown part. */
  @Test
  void coordinatorAfterUnknownBatchesIsNotCompared() {
    log.snapshot(3, snapshot(PRODUCER, 2, 8)).segment(0);
    log.add(PRODUCER, -1, COMMIT).unreadable(1).add(PRODUCER, 0, null).end();
    assertEquals(List.of(), log.faults());
  }

  @Test
  void coordinatorIsCompared() {
    log.snapshot(2, snapshot(PRODUCER, 1, 8)).segment(0);
    log.add(PRODUCER, -1, COMMIT).add(PRODUCER, 0, null).end();
    assertEquals(List.of("PRODUCER_SNAPSHOT_MISMATCH"), log.faults());
  }

  /** A broker that has forgotten an idle producer knows only its next marker. */
  @Test
  void snapshotMayLackTheDataBeforeAMarkerWithoutData() {
    log.snapshot(3, snapshotWithoutData(3)).segment(0);
    log.add(PRODUCER, 0, null).add(PRODUCER, -1, COMMIT).add(PRODUCER, -1, COMMIT).end();
    assertEquals(List.of(), log.faults());
  }

  /** A broker does not forget a producer with an open transaction. */
  @Test
  void snapshotMustHaveTheDataOfTheLastTransaction() {
    log.snapshot(2, snapshotWithoutData(3)).segment(0);
    log.add(PRODUCER, 0, null).add(PRODUCER, -1, COMMIT).end();
    assertEquals(List.of("PRODUCER_SNAPSHOT_MISMATCH"), log.faults());
  }

  /** The start of the transaction is not compared, because an earlier batch may be unknown. */
  @Test
  void snapshotMustHaveTheDataAfterAMarkerWithoutData() {
    log.snapshot(4, snapshotWithoutData(3)).segment(0).add(99, 0, null).unreadable(1);
    log.add(PRODUCER, -1, COMMIT).add(PRODUCER, 0, null).end();
    assertEquals(List.of("PRODUCER_SNAPSHOT_MISMATCH"), log.faults());
  }

  @Test
  void snapshotWithoutDataMustHaveTheCoordinatorOfTheMarker() {
    log.snapshot(3, snapshotWithoutData(-1)).segment(0);
    log.add(PRODUCER, 0, null).add(PRODUCER, -1, COMMIT).add(PRODUCER, -1, COMMIT).end();
    assertEquals(List.of("PRODUCER_SNAPSHOT_MISMATCH"), log.faults());
  }

  /** Passes a transaction without its entry of the index. The snapshot has only its marker. */
  private void abortAfterFiveRecords() {
    log.snapshot(6, snapshotWithoutData(3)).segment(0, new byte[0]);
    for (int i = 0; i < 5; i++) {
      log.add(PRODUCER, i, null);
    }
    log.add(PRODUCER, -1, ABORT).end();
  }

  /** Returns a snapshot of the producer with a marker and without batches of data. */
  private static byte[] snapshotWithoutData(int coordinatorEpoch) {
    return snapshot(PRODUCER, -1, -1, coordinatorEpoch);
  }

  /** Returns a snapshot of a producer with one batch, whose transaction started with it. */
  private static byte[] snapshot(long producer, long lastOffset, int coordinatorEpoch) {
    return snapshot(producer, 0, lastOffset, coordinatorEpoch);
  }

  private static byte[] snapshot(
      long producer, int lastSequence, long lastOffset, int coordinatorEpoch) {
    ByteBuffer bytes = ByteBuffer.allocate(SNAPSHOT_HEAD_BYTES + SNAPSHOT_ENTRY_BYTES);
    bytes.putShort((short) 1).putInt(0).putInt(1);
    bytes.putLong(producer).putShort((short) 0).putInt(lastSequence).putLong(lastOffset);
    bytes.putInt(0).putLong(0).putInt(coordinatorEpoch).putLong(lastOffset);
    CRC32C crc = new CRC32C();
    crc.update(bytes.array(), 6, bytes.capacity() - 6);
    return bytes.putInt(2, (int) crc.getValue()).array();
  }
}
