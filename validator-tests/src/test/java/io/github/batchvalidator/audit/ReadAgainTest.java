// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.batchvalidator.audit.report.StoredBatch.Control;
import io.github.batchvalidator.audit.source.Companion;
import io.github.batchvalidator.audit.source.Segment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Files that a broker writes while they are read: what another look explains is no fault. */
class ReadAgainTest {
  private static final byte[] NOTHING = {};
  private static final long PRODUCER = 5;
  private static final Control ABORT = new Control(Control.ABORT, 0);

  private final PassedBatches batches = new PassedBatches();

  /** Returns entries of a time index, each a timestamp and a relative offset. */
  private static byte[] times(long... fields) {
    ByteBuffer entries = ByteBuffer.allocate(fields.length / 2 * (Long.BYTES + Integer.BYTES));
    for (int i = 0; i < fields.length; i += 2) {
      entries.putLong(fields[i]).putInt((int) fields[i + 1]);
    }
    return entries.array();
  }

  /** Returns an entry of a transaction index. */
  private static byte[] aborted(long firstOffset, long lastOffset) {
    return ByteBuffer.allocate(Short.BYTES + 4 * Long.BYTES)
        .putShort((short) 0)
        .putLong(PRODUCER)
        .putLong(firstOffset)
        .putLong(lastOffset)
        .putLong(lastOffset + 1)
        .array();
  }

  private void assertFaults(String... expected) {
    batches.end();
    assertEquals(List.of(expected), batches.faults());
  }

  /** Passes batches of one record at the times 0, 9 and 9. */
  private void addThree() {
    batches.segment(0).stamp(0, 0).add(PRODUCER, 0, null);
    batches.stamp(9, 0).add(PRODUCER, 1, null).add(PRODUCER, 2, null);
  }

  @Test
  void anEntryThatHasChangedSinceIsNoFault() {
    batches.index(Companion.TIME_INDEX, times(7, 1), times(9, 1));
    addThree();
    assertFaults();
  }

  @Test
  void anEntryThatStaysWrongIs() {
    batches.index(Companion.TIME_INDEX, times(7, 1)).fresh();
    addThree();
    assertFaults("TIMEINDEX_TIMESTAMP_MISMATCH");
  }

  /** The timestamp is written, the offset is not yet, even at the first of the other looks. */
  @Test
  void halfAnEntryIsWaitedFor() {
    batches.index(Companion.TIME_INDEX, times(9, 0), times(9, 0), times(9, 1)).fresh();
    addThree();
    assertFaults();
  }

  @Test
  void halfAnEntryOfAnOldFileIsAFault() {
    batches.index(Companion.TIME_INDEX, times(9, 0), times(9, 0), times(9, 1));
    addThree();
    assertFaults("TIMEINDEX_TIMESTAMP_MISMATCH");
  }

  @Test
  void anEntryOutOfOrderIsReadAgain() {
    batches.index(Companion.TIME_INDEX, times(9, 1, 9, 1), times(9, 1, 9, 2));
    addThree();
    assertFaults();
  }

  /** Half of the next timestamp is written, the rest is not yet at the first of the other looks. */
  @Test
  void theRestOfTheNextEntryIsWaitedFor() {
    byte[] torn = times(9, 1, 8, 0);
    batches.index(Companion.TIME_INDEX, torn, torn, times(9, 1, 10, 2)).fresh();
    batches.segment(0).stamp(0, 0).add(PRODUCER, 0, null);
    batches.stamp(9, 0).add(PRODUCER, 1, null).stamp(10, 0).add(PRODUCER, 2, null);
    assertFaults();
  }

  @Test
  void halfTheNextEntryOfAnOldFileIsAFault() {
    byte[] torn = times(9, 1, 8, 0);
    batches.index(Companion.TIME_INDEX, torn, torn, times(9, 1, 10, 2));
    addThree();
    assertFaults("INDEX_OUT_OF_ORDER");
  }

  @Test
  void anEntryThatWasReadAgainIsCompared() {
    batches.index(Companion.TIME_INDEX, times(9, 1, 9, 1), times(9, 1, 8, 2));
    addThree();
    assertFaults("TIMEINDEX_TIMESTAMP_MISMATCH");
  }

  @Test
  void anEntryThatStaysOutOfOrderIsAFault() {
    batches.index(Companion.TIME_INDEX, times(9, 1, 9, 1));
    addThree();
    assertFaults("INDEX_OUT_OF_ORDER");
  }

  /** A broker also writes zeros in advance, but after the entries. */
  @Test
  void zerosBeforeAnotherEntryAreTimestamp0() {
    batches.index(Companion.TIME_INDEX, times(0, 0, 9, 1));
    addThree();
    assertFaults();
  }

  @Test
  void zerosBeforeAnotherEntryAreAFaultOfOtherTimestamps() {
    batches.index(Companion.TIME_INDEX, times(0, 0, 9, 1)).segment(0);
    batches.stamp(5, 0).add(PRODUCER, 0, null).stamp(9, 0).add(PRODUCER, 1, null);
    assertFaults("TIMEINDEX_TIMESTAMP_MISMATCH");
  }

  @Test
  void zerosThatAreWrittenInAdvanceAreNoEntries() {
    batches.index(Companion.TIME_INDEX, times(0, 0, 0, 0)).segment(0);
    batches.stamp(5, 0).add(PRODUCER, 0, null);
    assertFaults();
  }

  /** A broker appends the marker before the entry. */
  @Test
  void theEntryOfAnAbortIsWaitedFor() {
    batches
        .index(Companion.OFFSET_INDEX, NOTHING)
        .index(Companion.TXN_INDEX, NOTHING, NOTHING, aborted(0, 1))
        .fresh()
        .segment(0)
        .add(PRODUCER, 0, null)
        .add(PRODUCER, -1, ABORT);
    assertFaults();
  }

  @Test
  void theEntryOfAnAbortIsMissingInAnOldFile() {
    batches
        .index(Companion.OFFSET_INDEX, NOTHING)
        .index(Companion.TXN_INDEX, NOTHING, NOTHING, aborted(0, 1))
        .segment(0)
        .add(PRODUCER, 0, null)
        .add(PRODUCER, -1, ABORT);
    assertFaults("TXNINDEX_ENTRY_MISSING");
  }

  /** The indexes are those of another segment, or gone. */
  @Test
  void aSegmentThatWasReplacedNeedsNoEntries() {
    batches
        .look(Segment.Look.REPLACED)
        .index(Companion.OFFSET_INDEX, NOTHING)
        .segment(0)
        .add(PRODUCER, 0, null)
        .add(PRODUCER, -1, ABORT);
    assertFaults();
  }

  /** The second content is the index of a compacted segment, which a broker has put in place. */
  @Test
  void theIndexOfAReplacementIsNotCompared() {
    batches
        .index(Companion.OFFSET_INDEX, NOTHING)
        .index(Companion.TXN_INDEX, NOTHING, aborted(0, 0))
        .fresh()
        .segment(0)
        .look(Segment.Look.REPLACED)
        .add(PRODUCER, 0, null)
        .add(PRODUCER, -1, ABORT);
    assertFaults();
  }

  @Test
  void anEntryBeforeAMarkerThatCannotBeReadIsUnknown() {
    batches
        .index(Companion.OFFSET_INDEX, NOTHING)
        .index(Companion.TXN_INDEX, aborted(0, 0))
        .segment(0)
        .add(PRODUCER, 0, null)
        .add(PRODUCER, -1, new Control(Control.UNREADABLE, 0));
    assertFaults("TRANSACTION_MARKER_UNREADABLE", "TXNINDEX_ENTRY_UNKNOWN");
  }

  /** A broker replaces segments by compacted ones with more offsets, and then deletes them. */
  @Test
  void segmentsThatWereReplacedDoNotOverlap() {
    batches.segment(0);
    batches.add(PRODUCER, 0, null).add(PRODUCER, 1, null).add(PRODUCER, 2, null);
    batches.look(Segment.Look.REPLACED).segment(1);
    assertFaults();
  }

  @Test
  void otherSegmentsDo() {
    batches.segment(0);
    batches.add(PRODUCER, 0, null).add(PRODUCER, 1, null).add(PRODUCER, 2, null);
    batches.segment(1);
    assertFaults("PARTITION_SEGMENTS_OVERLAP");
  }

  @Test
  void aLeaderEpochThatIsNewInTheCheckpointIsNoFault() {
    batches.leaderEpochs(text("0\n1\n0 0\n"), text("0\n2\n0 0\n1 1\n")).segment(0);
    batches.stamp(0, 0).add(PRODUCER, 0, null).stamp(0, 1).add(PRODUCER, 1, null);
    assertFaults();
  }

  @Test
  void aLeaderEpochThatTheCheckpointLacksIs() {
    batches.leaderEpochs(text("0\n1\n0 0\n")).segment(0);
    batches.stamp(0, 0).add(PRODUCER, 0, null).stamp(0, 1).add(PRODUCER, 1, null);
    assertFaults("EPOCH_CHECKPOINT_MISMATCH");
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
