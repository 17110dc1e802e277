// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark.inventory;

import io.github.batchvalidator.audit.compare.CopySource;
import io.github.batchvalidator.audit.source.PartitionDirectory;
import io.github.batchvalidator.spark.storage.Folder;
import io.github.batchvalidator.spark.storage.HadoopDirectory;
import io.github.batchvalidator.spark.storage.Storage;
import java.io.Serializable;
import java.util.Objects;

/** A reference to a copy of a partition, which a task can open. */
public sealed interface CopyRef extends Serializable {
  /** Returns the copy, which is not read yet. */
  CopySource open(Storage storage);

  /**
   * A directory.
   *
   * @param folder the directory
   */
  record InDirectory(Folder folder) implements CopyRef {
    @Override
    public CopySource open(Storage storage) {
      HadoopDirectory directory = new HadoopDirectory(storage, folder);
      return new CopySource.InDirectory(
          Objects.requireNonNull(PartitionDirectory.of(directory), "not a partition"));
    }
  }

  /**
   * A partition of a digest file.
   *
   * @param name the name of the file to show in reports
   * @param uri the absolute path of the file
   * @param partition the name of the partition
   * @param position where its first line starts
   */
  record InDigest(String name, String uri, String partition, long position) implements CopyRef {
    @Override
    public CopySource open(Storage storage) {
      return new CopySource.InDigest(storage.file(name, uri), partition, position);
    }
  }
}
