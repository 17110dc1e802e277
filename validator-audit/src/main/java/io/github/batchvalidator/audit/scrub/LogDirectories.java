// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.scrub;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The partitions below the directories that a user names. */
final class LogDirectories {
  private LogDirectories() {}

  /**
   * Returns the directories of the partitions of a log directory, or the directory itself if it is
   * that of a partition. Leaves out directories that a broker deletes, moves or does not know.
   */
  static List<Path> partitions(Path directory) throws IOException {
    Path real = directory.toRealPath();
    if (PartitionFiles.isPartition(real)) {
      return List.of(real);
    }
    try (Stream<Path> children = Files.list(real)) {
      return children.filter(PartitionFiles::isPartition).sorted().toList();
    }
  }
}
