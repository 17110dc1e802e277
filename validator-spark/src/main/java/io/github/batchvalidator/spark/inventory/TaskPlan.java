// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark.inventory;

import java.util.ArrayList;
import java.util.List;

/**
 * A division of the work into tasks of about the same number of bytes, and of the results into
 * merges.
 *
 * <p>A large segment has its own task. Small segments share one.
 */
public final class TaskPlan {
  private static final long LEAST_BYTES = 1L << 23;
  private static final long USUAL_BYTES = 1L << 28;

  /** The maximum number of tasks that are larger than usual, to bound the heap of the driver. */
  private static final long MAX_TASKS = 20_000;

  private static final int TASKS_PER_CORE = 4;

  /** The maximum number of segments of a task, because each takes requests. */
  private static final int MAX_SEGMENTS = 1000;

  private final long taskBytes;
  private final List<List<Work>> tasks = new ArrayList<>();
  private List<Work> task = new ArrayList<>();
  private long bytesOfTask;
  private int group;
  private int index;

  /** The bytes of the groups so far, by the number of the group. */
  private final List<Long> groupEnds = new ArrayList<>();

  private long bytes;

  /**
   * Creates an empty plan.
   *
   * @param taskBytes the number of bytes at which a task has enough segments
   */
  public TaskPlan(long taskBytes) {
    this.taskBytes = taskBytes;
    groupEnds.add(0L);
  }

  /**
   * Returns the number of bytes that a task should read: enough tasks for all cores, and few enough
   * for the driver.
   *
   * @param bytes the number of bytes of all segments
   * @param parallel the number of tasks that run at once
   */
  public static long usualBytes(long bytes, int parallel) {
    long share = bytes / ((long) TASKS_PER_CORE * parallel);
    long usual = Math.max(LEAST_BYTES, Math.min(USUAL_BYTES, share));
    return Math.max(usual, bytes / MAX_TASKS);
  }

  /** Returns the maximum number of merges if a number of tasks run at once. */
  public static int mostMerges(int parallel) {
    return TASKS_PER_CORE * parallel;
  }

  /** Starts a group: the segments of a partition, and the lone segments after them. */
  void startGroup() {
    group++;
    index = 0;
    groupEnds.add(bytes);
  }

  /** Starts the group of a partition in a tiered storage. */
  void announce(TieredGroup partition) {
    startGroup();
    task.add(new Work.Announce(group, partition));
  }

  /** Adds a segment. */
  void add(SegmentRef segment) {
    task.add(new Work.Check(group, index, segment));
    index++;
    bytes += segment.size();
    groupEnds.set(group, bytes);
    bytesOfTask += segment.size();
    if (bytesOfTask >= taskBytes || task.size() >= MAX_SEGMENTS) {
      tasks.add(task);
      task = new ArrayList<>();
      bytesOfTask = 0;
    }
  }

  /** Returns the work of each task. */
  public List<List<Work>> tasks() {
    if (!task.isEmpty()) {
      tasks.add(task);
      task = new ArrayList<>();
    }
    return tasks;
  }

  /**
   * Returns the merge of each group. Merges take groups in order, and about the same number of
   * bytes each.
   *
   * @param most the maximum number of merges
   */
  public int[] merges(int most) {
    int[] merges = new int[group + 1];
    long each = Math.max(1, (bytes + most - 1) / most);
    int merge = 0;
    long start = 0;
    for (int i = 0; i < merges.length; i++) {
      merges[i] = merge;
      if (groupEnds.get(i) - start >= each) {
        merge++;
        start = groupEnds.get(i);
      }
    }
    return merges;
  }
}
