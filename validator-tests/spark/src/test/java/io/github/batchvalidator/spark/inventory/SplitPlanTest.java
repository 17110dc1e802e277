// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark.inventory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.spark.ranges.GroupPartitioner;
import io.github.batchvalidator.spark.storage.Folder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The work is divided evenly, and nothing is left out. */
class SplitPlanTest {
  private static final Folder FOLDER = new Folder("data/orders-0", "file:/data/orders-0");
  private static final long RANGE = 1000;

  private static LogRef segment(long size) {
    return new LogRef(FOLDER, "00000000000000000000.log", size, null, true);
  }

  private static List<Work.Range> ranges(SplitPlan plan) {
    List<Work.Range> ranges = new ArrayList<>();
    for (List<Work> task : plan.tasks()) {
      task.forEach(work -> ranges.add((Work.Range) work));
    }
    return ranges;
  }

  @Test
  void rangesCoverTheSegment() {
    for (long size : new long[] {0, 1, 999, 1499, 1500, 2500, 10_001}) {
      SplitPlan plan = new SplitPlan(RANGE, RANGE);
      plan.add(segment(size));
      long at = 0;
      for (Work.Range range : ranges(plan)) {
        assertEquals(at, range.from());
        at = range.to();
        assertTrue(at == Long.MAX_VALUE || at - range.from() <= RANGE * 3 / 2, range::toString);
      }
      assertEquals(Long.MAX_VALUE, at);
    }
  }

  @Test
  void aLargePartitionIsTheWorkOfManyTasks() {
    SplitPlan plan = new SplitPlan(RANGE, RANGE);
    for (int i = 0; i < 10; i++) {
      plan.add(segment(RANGE * 4));
    }
    assertEquals(40, plan.tasks().size());
  }

  @Test
  void smallSegmentsShareATask() {
    SplitPlan plan = new SplitPlan(RANGE, RANGE);
    for (int i = 0; i < 100; i++) {
      plan.add(segment(RANGE / 10));
    }
    assertEquals(10, plan.tasks().size());
  }

  @Test
  void mergesTakeGroupsInOrder() {
    SplitPlan plan = new SplitPlan(RANGE, RANGE);
    for (int i = 0; i < 20; i++) {
      plan.startGroup();
      plan.add(segment(RANGE));
    }
    int[] merges = plan.merges(4);
    assertEquals(21, merges.length);
    assertEquals(0, merges[0]);
    assertEquals(3, merges[20]);
    for (int i = 1; i < merges.length; i++) {
      assertTrue(merges[i] == merges[i - 1] || merges[i] == merges[i - 1] + 1);
    }
    assertEquals(1, new GroupPartitioner(new SplitPlan(RANGE, RANGE).merges(4)).numPartitions());
  }

  /** The driver keeps each task in its heap. */
  @Test
  void tasksAreNotTooMany() {
    long hundredTerabytes = 100_000_000_000_000L;
    assertEquals(5_000_000_000L, SplitPlan.usualBytes(hundredTerabytes, 200));
    assertEquals(1L << 28, SplitPlan.usualBytes(4_000_000_000_000L, 200));
    assertEquals(1L << 23, SplitPlan.usualBytes(0, 200));
  }
}
