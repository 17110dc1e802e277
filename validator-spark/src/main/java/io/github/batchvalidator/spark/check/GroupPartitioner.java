// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark.check;

import java.util.Arrays;
import org.apache.spark.Partitioner;

/** A partitioner that keeps the groups in their order. */
public final class GroupPartitioner extends Partitioner {
  private static final long serialVersionUID = 1;

  /** The number of the merge of each group. */
  private final int[] merges;

  public GroupPartitioner(int... merges) {
    this.merges = merges.clone();
  }

  @Override
  public int numPartitions() {
    return merges[merges.length - 1] + 1;
  }

  @Override
  public int getPartition(Object key) {
    return merges[((ChunkKey) key).group()];
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof GroupPartitioner that && Arrays.equals(merges, that.merges);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(merges);
  }
}
