// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.audit.CheckRun;
import io.github.batchvalidator.audit.SegmentRules;
import io.github.batchvalidator.audit.Settings;
import io.github.batchvalidator.audit.SliceMerge;
import io.github.batchvalidator.audit.print.JsonReport;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.policy.PolicySection;
import io.github.batchvalidator.testing.BytesSegment;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A broker that preallocates its segments leaves up to a gigabyte of zeros in the last one. */
class ZeroTailTest {
  private static final int ZEROS = 8 << 20;

  /** The bytes that are read in addition: some windows of the search, the walk and the check. */
  private static final int MORE = 1 << 20;

  private final byte[] batches = SegmentBytes.of(5, 4).toByteArray();

  @Test
  void aTailOfZerosIsReadOnce() throws InterruptedException {
    assertReadOnce(Arrays.copyOf(batches, batches.length + ZEROS));
    assertReadOnce(new byte[ZEROS]);
  }

  @Test
  void aTailAfterADamagedBatchIsReadOnce() throws InterruptedException {
    byte[] bytes = Arrays.copyOf(batches, batches.length + ZEROS);
    bytes[batches.length - 1] ^= 1;
    assertReadOnce(bytes);
  }

  @Test
  void aTailCountsAsProgress() throws InterruptedException {
    byte[] bytes = Arrays.copyOf(batches, batches.length + ZEROS);
    AtomicLong done = new AtomicLong();
    check(new BytesSegment("some.log", bytes), done);
    assertEquals(bytes.length, done.get());
  }

  private static void assertReadOnce(byte[] bytes) throws InterruptedException {
    BytesSegment segment = new BytesSegment("some.log", bytes);
    check(segment, new AtomicLong());
    assertTrue(segment.bytesRead() < bytes.length + MORE, () -> segment.bytesRead() + " bytes");
  }

  private static void check(Segment segment, AtomicLong done) throws InterruptedException {
    SliceMerge merge = new SliceMerge(new JsonReport(new PrintWriter(new StringWriter())), false);
    Settings settings = Settings.standard(1, new SegmentRules(null, PolicySection.KAFKA));
    new CheckRun(settings, List.of(segment), merge, done::addAndGet).run();
    assertEquals(1, merge.end(0, false).tally().faults());
  }
}
