// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.audit.SliceMerge;
import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.Fault.Place;
import io.github.batchvalidator.audit.report.FileSummary;
import io.github.batchvalidator.audit.report.PartitionSummary;
import io.github.batchvalidator.audit.report.Report;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.source.Companion;
import io.github.batchvalidator.audit.source.StoredFile;
import io.github.batchvalidator.audit.walk.Slice;
import io.github.batchvalidator.audit.walk.SliceResult;
import io.github.batchvalidator.testing.BytesSegment;
import io.github.batchvalidator.testing.CountedFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Results of several threads come out in file order, and no thread waits forever. */
@Timeout(30)
class SliceMergeTest {
  /** A thread may be ahead of the first unfinished slice by so many. */
  private static final int AHEAD = 256;

  /** So many finished files may wait for their turn. */
  private static final int OPEN = 32;

  private static final int SLICE_BYTES = 100;

  private final List<String> told = new ArrayList<>();
  private final SliceMerge merge = new SliceMerge(new Told(), false);
  private final NoBytes segment = new NoBytes();
  private boolean closed;

  @Test
  void lastSliceFirst() throws Exception {
    merge.add(result(2, 20, 29));
    merge.add(result(1, 10, 19));
    assertEquals(List.of(), told);
    merge.add(result(0, 0, 9));
    assertEquals(List.of("SEGMENT 0", "SEGMENT 100", "SEGMENT 200"), told);
  }

  @Test
  void bordersAreComparedInFileOrder() throws Exception {
    merge.add(result(3, 30, 39));
    merge.add(result(2, 20, 29));
    merge.add(result(1, 9, 18));
    merge.add(result(0, 0, 9));
    assertEquals(
        List.of(
            "SEGMENT 0",
            "SEGMENT 100",
            "SEGMENT 200",
            "SEGMENT_BASE_OFFSET_WRONG 100",
            "SEGMENT 300"),
        told);
  }

  @Test
  void aThreadTooFarAheadWaits() throws Exception {
    for (int i = 1; i <= AHEAD; i++) {
      merge.add(result(i, 10L * i, 10L * i + 9));
    }
    Waiting ahead = new Waiting(() -> merge.add(result(AHEAD + 1, 9000, 9009)));
    ahead.awaitParked();
    assertEquals(List.of(), told);
    merge.add(result(0, 0, 9));
    ahead.end();
    assertEquals(AHEAD + 2, told.size());
    assertEquals("SEGMENT " + SLICE_BYTES * (AHEAD + 1), told.get(AHEAD + 1));
  }

  @Test
  void manyFaultsWaitForTheirTurn() throws Exception {
    SliceResult full = result(1, 10, 19);
    Waiting flushing = new Waiting(() -> merge.flush(full));
    flushing.awaitParked();
    merge.add(result(0, 0, 9));
    flushing.end();
    assertEquals(List.of("SEGMENT 0", "SEGMENT 100"), told);
    assertEquals(List.of(), full.faults());
    merge.add(full);
    assertEquals(2, told.size());
  }

  @Test
  void aWaitingThreadEndsIfAnotherFails() throws Exception {
    Waiting ahead = new Waiting(() -> merge.flush(result(1, 10, 19)));
    ahead.awaitParked();
    merge.abort();
    Throwable why = assertThrows(ExecutionException.class, ahead::end).getCause();
    assertTrue(why instanceof InterruptedException, String.valueOf(why));
    assertEquals(List.of(), told);
  }

  /** Whether it was read at all is left to chance. */
  @Test
  void slicesAfterAnErrorAreNotReported() throws Exception {
    SliceResult failed = result(1, 10, 19);
    failed.failed(new IOException("bad sector"));
    merge.add(result(2, 20, 29));
    merge.add(failed);
    assertEquals(List.of(), told);
    merge.add(result(0, 0, 9));
    SliceResult full = result(3, 30, 39);
    merge.flush(full);
    assertEquals(List.of(), full.faults());
    merge.add(full);
    assertEquals(List.of("SEGMENT 0", "SEGMENT 100", "error bad sector"), told);
  }

  @Test
  void nobodyWaitsOnceTheReportIsClosed() throws Exception {
    Waiting flushing = new Waiting(() -> merge.flush(result(1, 10, 19)));
    Waiting ahead = new Waiting(() -> merge.add(result(AHEAD + 1, 9000, 9009)));
    flushing.awaitParked();
    ahead.awaitParked();
    closed = true;
    merge.add(result(0, 0, 9));
    flushing.end();
    ahead.end();
    assertTrue(merge.isStopped());
    assertEquals(List.of("SEGMENT 0"), told);
    assertEquals(1, merge.end(0, false).tally().faults());
  }

  @Test
  void faultsOfAnUnfinishedSliceCountOnceTheReportIsClosed() throws Exception {
    SliceResult full = result(0, 0, 9);
    closed = true;
    merge.flush(full);
    merge.add(full);
    assertEquals(List.of("SEGMENT 0"), told);
    assertEquals(1, merge.end(0, false).tally().faults());
  }

  /** A file system gives the inode of a deleted file that nobody has open to another file. */
  @Test
  void aFileStaysOpenUntilItIsReported() throws Exception {
    NoBytes first = new NoBytes();
    NoBytes second = new NoBytes();
    merge.add(new SliceResult(new Slice(1, second, 0, 0, null, true)));
    assertFalse(second.isClosed);
    merge.add(new SliceResult(new Slice(0, first, 0, 0, null, true)));
    assertTrue(first.isClosed);
    assertTrue(second.isClosed);
  }

  @Test
  void fewFilesStayOpen() throws Exception {
    for (int i = 1; i <= OPEN; i++) {
      merge.add(new SliceResult(new Slice(i, new NoBytes(), 0, 0, null, true)));
    }
    NoBytes last = new NoBytes();
    Waiting ahead =
        new Waiting(() -> merge.add(new SliceResult(new Slice(OPEN + 1, last, 0, 0, null, true))));
    ahead.awaitParked();
    merge.add(result(0, 0, 9));
    ahead.end();
    assertTrue(last.isClosed);
  }

  @Test
  void filesAreClosedOnceTheReportIs() throws Exception {
    NoBytes waiting = new NoBytes();
    NoBytes late = new NoBytes();
    merge.add(new SliceResult(new Slice(1, waiting, 0, 0, null, true)));
    closed = true;
    merge.add(result(0, 0, 9));
    merge.add(new SliceResult(new Slice(2, late, 0, 0, null, true)));
    assertTrue(waiting.isClosed);
    assertTrue(late.isClosed);
  }

  @Test
  void anIndexIsClosedWithItsSegment() throws Exception {
    openIndex();
    merge.add(new SliceResult(new Slice(4, segment, 0, 0, null, true)));
    assertEquals(0, segment.index.openStreams());
  }

  @Test
  void anIndexIsClosedIfItsSegmentVanishes() throws Exception {
    openIndex();
    SliceResult gone = new SliceResult(new Slice(4, segment, 0, 0, null, true));
    gone.failed(new NoSuchFileException("gone"));
    merge.add(gone);
    assertEquals(0, segment.index.openStreams());
  }

  @Test
  void anIndexIsClosedOnceTheReportIs() throws Exception {
    openIndex();
    closed = true;
    merge.add(result(4, 80, 89));
    assertEquals(0, segment.index.openStreams());
  }

  /** Adds batches with gaps between them, whose offsets are looked up. */
  private void openIndex() throws InterruptedException {
    for (int i = 0; i < 4; i++) {
      merge.add(result(i, 20L * i, 20L * i + 9));
    }
    assertEquals(1, segment.index.openStreams());
  }

  private SliceResult result(int index, long first, long last) {
    long from = (long) SLICE_BYTES * index;
    SliceResult result =
        new SliceResult(new Slice(index, segment, from, from + SLICE_BYTES, null, false));
    result.offsets(first, last);
    result.batches().add(StoredBatch.ofOffsets(from, SLICE_BYTES, first, last));
    result.fault(new Fault("SEGMENT", "", Place.of(from, first), false, Fault.Skipped.NONE, null));
    return result;
  }

  /** A thread that is expected to wait for the merge. */
  private static final class Waiting {
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private final Thread thread;

    private interface Work {
      void run() throws InterruptedException;
    }

    Waiting(Work work) {
      thread =
          new Thread(
              () -> {
                try {
                  work.run();
                  end.complete(null);
                } catch (InterruptedException | RuntimeException | Error e) {
                  end.completeExceptionally(e);
                }
              });
      thread.setDaemon(true);
      thread.start();
    }

    void awaitParked() throws InterruptedException {
      while (thread.getState() != Thread.State.WAITING) {
        assertFalse(end.isDone(), "did not wait");
        Thread.sleep(1);
      }
    }

    void end() throws Exception {
      end.get(10, TimeUnit.SECONDS);
    }
  }

  private final class Told implements Report {
    @Override
    public void fault(String file, Fault fault) {
      told.add(fault.reason() + " " + fault.position());
    }

    @Override
    public boolean isClosed() {
      return closed;
    }

    @Override
    public void error(String file, String message) {
      told.add("error " + message);
    }

    @Override
    public void file(FileSummary file) {
      told.add("file " + file.name());
    }

    @Override
    public void partition(PartitionSummary partition) {
      told.add("partition " + partition.name());
    }
  }

  private static final class NoBytes extends BytesSegment {
    private final CountedFile index = new CountedFile(new byte[0]);
    private boolean isClosed;

    NoBytes() {
      super("00000000000000000000.log", new byte[0]);
    }

    @Override
    public StoredFile companion(Companion kind) {
      return index;
    }

    @Override
    public boolean isSearched() {
      return true;
    }

    @Override
    public void close() {
      isClosed = true;
    }
  }
}
