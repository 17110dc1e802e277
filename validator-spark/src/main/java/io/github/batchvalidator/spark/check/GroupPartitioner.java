// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark.check;

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
}
