// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.tiered;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.TieredReason;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Results of audits are kept for as long as a retry may need them, and no longer. */
class AuditedUploadsTest {
  private static final long HOUR_MS = 3_600_000;

  private final AtomicLong clock = new AtomicLong();
  private final AuditedUploads uploads = new AuditedUploads(HOUR_MS, clock::get);
  private final UploadFindings sound = new UploadFindings("");

  private static UploadState state(int id) {
    return new UploadState(List.of(), ByteBuffer.allocate(0), id, 0, 0, Map.of());
  }

  private static Path path(int id) {
    return Path.of(Integer.toString(id));
  }

  private static UploadFindings damaged() {
    UploadFindings damaged = new UploadFindings("");
    damaged.fault("f", Fault.of(TieredReason.TIERED_OBJECT_MISSING, 0, Fault.UNKNOWN, "index"));
    return damaged;
  }

  private void add(int from, int to) {
    for (int i = from; i < to; i++) {
      uploads.add(path(i), state(i), sound);
    }
  }

  /** While a storage is away, the segments of all partitions are tried again and again. */
  @Test
  void aThousandPartitionsMayWait() {
    UploadFindings damaged = damaged();
    uploads.add(path(0), state(0), damaged);
    add(1, 1001);
    assertSame(damaged, uploads.find(path(0), state(0)));
    for (int i = 1; i < 1001; i++) {
      assertSame(sound, uploads.find(path(i), state(i)));
    }
    assertEquals(1, uploads.damaged());
    assertNull(uploads.find(path(1000), state(1)));
  }

  @Test
  void theNumberOfResultsIsBounded() {
    add(0, 100_001);
    assertNull(uploads.find(path(0), state(0)));
    assertSame(sound, uploads.find(path(1), state(1)));
    assertSame(sound, uploads.find(path(100_000), state(100_000)));
  }

  /** Those of deleted partitions would otherwise stay. The clock goes back to see what is left. */
  @Test
  void oldResultsAreDropped() {
    add(0, 1);
    clock.set(TimeUnit.MINUTES.toNanos(1));
    add(1, 2);
    clock.set(TimeUnit.MINUTES.toNanos(75));
    add(2, 3);
    clock.set(0);
    assertNull(uploads.find(path(0), state(0)));
    assertSame(sound, uploads.find(path(1), state(1)));
    assertSame(sound, uploads.find(path(2), state(2)));
  }

  /** It counts for 15 minutes after the last retry, not after its audit. */
  @Test
  void aDamagedSegmentCountsUntilItIsStale() {
    UploadFindings damaged = damaged();
    uploads.add(path(0), state(0), damaged);
    clock.set(TimeUnit.MINUTES.toNanos(59));
    assertSame(damaged, uploads.find(path(0), state(0)));
    clock.set(TimeUnit.MINUTES.toNanos(73));
    add(1, 2);
    assertEquals(1, uploads.damaged());
    clock.set(TimeUnit.MINUTES.toNanos(74));
    assertEquals(0, uploads.damaged());
  }
}
