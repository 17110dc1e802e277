// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark.check;

import java.io.Serializable;

/**
 * The place of a chunk in the report.
 *
 * @param group the number of the group
 * @param index the number of the segment in the group, or -1 for the group itself
 * @param number the number of the chunk in the results of the segment
 */
public record ChunkKey(int group, int index, int number)
    implements Serializable, Comparable<ChunkKey> {
  /** The index of the chunk of a group itself, which precedes its segments. */
  static final int GROUP = -1;

  @Override
  public int compareTo(ChunkKey other) {
    if (group != other.group) {
      return Integer.compare(group, other.group);
    }
    return index == other.index
        ? Integer.compare(number, other.number)
        : Integer.compare(index, other.index);
  }
}
