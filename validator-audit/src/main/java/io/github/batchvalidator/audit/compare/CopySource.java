// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.compare;

import io.github.batchvalidator.audit.source.PartitionDirectory;
import io.github.batchvalidator.audit.source.StoredFile;

/** The origin of a copy of a partition. */
public sealed interface CopySource {
  /** Returns the name that a broker gives the directory, which all copies share. */
  String partition();

  /** Returns the path to show in reports. */
  String name();

  /**
   * A directory.
   *
   * @param directory the directory
   */
  record InDirectory(PartitionDirectory directory) implements CopySource {
    @Override
    public String partition() {
      return directory.directory();
    }

    @Override
    public String name() {
      return directory.name();
    }
  }

  /**
   * A partition of a digest file.
   *
   * @param file the file
   * @param partition the name of the partition
   * @param position where its first line starts
   */
  record InDigest(StoredFile file, String partition, long position) implements CopySource {
    @Override
    public String name() {
      return file.name();
    }
  }
}
