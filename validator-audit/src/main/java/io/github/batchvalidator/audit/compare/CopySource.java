// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.compare;

import io.github.batchvalidator.audit.source.PartitionDirectory;

/** Where a copy of a partition comes from. */
sealed interface CopySource {
  /** Returns the path to show in reports. */
  String name();

  /**
   * A directory.
   *
   * @param partition the partition
   */
  record InDirectory(PartitionDirectory partition) implements CopySource {
    @Override
    public String name() {
      return partition.name();
    }
  }

  /**
   * A partition of a digest file.
   *
   * @param file the file
   * @param partition the name of the partition
   */
  record InDigest(DigestFile file, String partition) implements CopySource {
    @Override
    public String name() {
      return file.name();
    }
  }
}
