// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.scrub;

import io.github.batchvalidator.audit.source.LocalDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The partitions below the directories that a user names. */
final class LogDirectories {
  private LogDirectories() {}

  /**
   * Returns the directories of the partitions of a log directory, or the directory itself if it is
   * that of a partition. A log directory may have the name of a partition, such as {@code kafka-1},
   * so only segments make a directory without partitions one itself. Leaves out directories that a
   * broker deletes, moves or does not know.
   */
  static List<Path> partitions(Path directory) throws IOException {
    Path real = directory.toRealPath();
    List<Path> below =
        LocalDirectory.list(real).stream().filter(PartitionFiles::isPartition).sorted().toList();
    boolean isItself =
        below.isEmpty() && PartitionFiles.isPartition(real) && !new PartitionFiles(real).isEmpty();
    return isItself ? List.of(real) : below;
  }
}
