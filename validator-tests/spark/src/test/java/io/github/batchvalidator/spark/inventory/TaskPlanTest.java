// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark.inventory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.spark.check.GroupPartitioner;
import io.github.batchvalidator.spark.storage.Folder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The work is divided evenly, and nothing is left out. */
class TaskPlanTest {
  private static final Folder FOLDER = new Folder("data/orders-0", "file:/data/orders-0");
  private static final long TASK = 1000;

  private static LogRef segment(long size) {
    return new LogRef(FOLDER, "00000000000000000000.log", size, null, true);
  }

  private static TaskPlan plan(int segments, long size) {
    TaskPlan plan = new TaskPlan(TASK);
    for (int i = 0; i < segments; i++) {
      plan.add(segment(size));
    }
    return plan;
  }

  @Test
  void eachSegmentIsCheckedOnce() {
    List<Integer> checked = new ArrayList<>();
    for (List<Work> task : plan(25, TASK / 3).tasks()) {
      task.forEach(work -> checked.add(((Work.Check) work).index()));
    }
    assertEquals(IntStream.range(0, 25).boxed().toList(), checked);
  }

  @Test
  void aLargePartitionIsTheWorkOfManyTasks() {
    assertEquals(10, plan(10, TASK * 4).tasks().size());
  }

  @Test
  void smallSegmentsShareATask() {
    assertEquals(10, plan(100, TASK / 10).tasks().size());
  }

  @Test
  void mergesTakeGroupsInOrder() {
    TaskPlan plan = new TaskPlan(TASK);
    for (int i = 0; i < 20; i++) {
      plan.startGroup();
      plan.add(segment(TASK));
    }
    int[] merges = plan.merges(4);
    assertEquals(21, merges.length);
    assertEquals(0, merges[0]);
    assertEquals(3, merges[20]);
    for (int i = 1; i < merges.length; i++) {
      assertTrue(merges[i] == merges[i - 1] || merges[i] == merges[i - 1] + 1);
    }
    assertEquals(1, new GroupPartitioner(new TaskPlan(TASK).merges(4)).numPartitions());
  }

  /** The driver keeps each task in its heap. */
  @Test
  void tasksAreNotTooMany() {
    long hundredTerabytes = 100_000_000_000_000L;
    assertEquals(5_000_000_000L, TaskPlan.usualBytes(hundredTerabytes, 200));
    assertEquals(1L << 28, TaskPlan.usualBytes(4_000_000_000_000L, 200));
    assertEquals(1L << 23, TaskPlan.usualBytes(0, 200));
  }

  @Test
  void aTaskHasAThousandSegmentsAtMost() {
    List<List<Work>> tasks = plan(1001, 0).tasks();
    assertEquals(List.of(1000, 1), tasks.stream().map(List::size).toList());
  }

  @Test
  void thePageNamesTheBoundsOfATask() throws IOException {
    long least = TaskPlan.usualBytes(0, 1) >> 20;
    long most = TaskPlan.usualBytes(1L << 40, 1) >> 20;
    String bounds =
        "A task takes segments of " + least + " to " + most + " MiB, or 1,000 segments.";
    assertTrue(Files.readString(Path.of("../../docs/spark.md")).contains(bounds));
  }
}
