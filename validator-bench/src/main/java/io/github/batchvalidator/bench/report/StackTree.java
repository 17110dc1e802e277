// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * What a profiler has seen: frames below the frames that called them, each with how much was seen
 * in it and below.
 */
public final class StackTree {
  private final String frame;
  private final SortedMap<String, StackTree> callees = new TreeMap<>();
  private long weight;

  private StackTree(String frame) {
    this.frame = frame;
  }

  /**
   * Reads what async-profiler writes as {@code collapsed}: a line for each stack, frames from the
   * outermost on with semicolons between, and behind a space how much of it was seen.
   *
   * @param lines of one profile
   * @throws IllegalArgumentException if nothing was seen
   */
  public static StackTree ofCollapsed(List<String> lines) {
    StackTree root = new StackTree("all");
    for (String line : lines) {
      int space = line.lastIndexOf(' ');
      if (space > 0) {
        root.add(line.substring(0, space), Long.parseLong(line.substring(space + 1)));
      }
    }
    if (root.weight == 0) {
      throw new IllegalArgumentException("the profile is empty");
    }
    return root;
  }

  private void add(String stack, long seen) {
    StackTree at = this;
    at.weight += seen;
    for (String name : stack.replace('/', '.').split(";", -1)) {
      at = at.callees.computeIfAbsent(name, StackTree::new);
      at.weight += seen;
    }
  }

  /** Returns the name of the frame, class and method with points between. */
  public String frame() {
    return frame;
  }

  /** Returns how much was seen in the frame and below. */
  public long weight() {
    return weight;
  }

  /** Returns what the frame called, by name. */
  public Iterable<StackTree> callees() {
    return callees.values();
  }

  /**
   * Returns the part of all that was seen in some frames and below, 0 to 1.
   *
   * @param entry tells by its name whether a frame is one of them
   */
  public double share(Predicate<String> entry) {
    return (double) weightBelow(entry) / weight;
  }

  /**
   * Returns how much was seen in some frames and below.
   *
   * @param entry tells by its name whether a frame is one of them
   */
  public long weightBelow(Predicate<String> entry) {
    return entry.test(frame)
        ? weight
        : callees.values().stream().mapToLong(each -> each.weightBelow(entry)).sum();
  }
}
