// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.repair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.source.FileSegment;
import io.github.batchvalidator.audit.source.PartitionDirectory;
import io.github.batchvalidator.audit.source.Segment;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs that lose batches. */
class RunTest {
  private static final int BYTES = 100;

  @TempDir private Path data;

  @Test
  void aRunThatWasCutIsNoLongerAfterItIsSplit() {
    Path directory = data.resolve("orders-3");
    PartitionDirectory partition = Objects.requireNonNull(PartitionDirectory.of(directory));
    Segment segment = new FileSegment(directory.resolve("00000000000000000000.log"));
    Copy copy = new Copy(0, "a", partition, List.of(segment), false);
    Run run = new Run(copy, segment, StoredBatch.ofOffsets(0, BYTES, 0, 4));
    run.add(StoredBatch.ofOffsets(BYTES, BYTES, 5, 9));
    StoredBatch unsound = StoredBatch.ofOffsets(2 * BYTES, BYTES, 10, 14);
    run.add(unsound);
    run.cut(5);
    assertEquals(4, run.before(unsound).last());
    assertTrue(run.after(unsound).isEmpty());
  }
}
