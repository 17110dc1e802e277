// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import io.github.batchvalidator.audit.compare.DigestFile;
import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.source.KnownFiles;
import io.github.batchvalidator.audit.source.LocalFile;
import io.github.batchvalidator.audit.source.Partition;
import io.github.batchvalidator.audit.source.PartitionDirectory;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.source.SegmentFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A search for the directories of partitions below the paths that a command names. */
final class PartitionSearch {
  private final List<String[]> problems = new ArrayList<>();
  private final List<PartitionDirectory> partitions = new ArrayList<>();
  private final List<String> digests = new ArrayList<>();
  private final KnownFiles knownDigests = new KnownFiles();
  private final long bytes;

  PartitionSearch(List<String> paths) {
    SegmentFiles files = new SegmentFiles((name, why) -> problems.add(new String[] {name, why}));
    for (String path : paths) {
      if (isDigest(path)) {
        addDigest(path);
      } else {
        files.add(path);
      }
    }
    Set<Partition> found = new LinkedHashSet<>();
    for (Segment segment : (Iterable<Segment>) files.segments()::iterator) {
      Partition partition = segment.partition();
      if (partition != null) {
        found.add(partition);
      } else if (!segment.isSearched()) {
        problems.add(new String[] {segment.name(), "not a directory"});
      }
    }
    found.forEach(each -> add(each));
    bytes = files.bytes();
  }

  private static boolean isDigest(String path) {
    try {
      return Files.isRegularFile(Path.of(path))
          && DigestFile.isDigest(new LocalFile(Path.of(path)));
    } catch (InvalidPathException e) {
      return false;
    }
  }

  /** Adds a digest, unless it is known by another path. */
  private void addDigest(String path) {
    try {
      if (knownDigests.add(Path.of(path))) {
        digests.add(path);
      }
    } catch (IOException e) {
      problems.add(new String[] {path, Messages.of(e)});
    }
  }

  private void add(Partition partition) {
    if (partition instanceof PartitionDirectory directory) {
      partitions.add(directory);
    }
  }

  /** Returns the name of each path that cannot be searched, and the cause. */
  List<String[]> problems() {
    return problems;
  }

  /** Returns the directories of partitions. */
  List<PartitionDirectory> partitions() {
    return partitions;
  }

  /** Returns the digest files. */
  List<String> digests() {
    return digests;
  }

  /** Returns the size of all segments. */
  long bytes() {
    return bytes;
  }
}
