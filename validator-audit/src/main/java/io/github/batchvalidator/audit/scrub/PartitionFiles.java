// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.scrub;

import io.github.batchvalidator.audit.source.LocalDirectory;
import io.github.batchvalidator.audit.source.PartitionDirectory;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.source.SegmentNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The files of a partition when its check started. Keeps one name per file. */
final class PartitionFiles {
  private static final boolean HAS_CHANGE_TIME =
      Path.of("").getFileSystem().supportedFileAttributeViews().contains("unix");
  private static final String TIME = HAS_CHANGE_TIME ? "unix:ctime" : "lastModifiedTime";

  private static final int LEAST_BLOCK_BYTES = 1 << 12;

  private final Path directory;
  private final int blockBytes;
  private final @Nullable PartitionDirectory partition;
  private final List<String> segments = new ArrayList<>();

  PartitionFiles(Path directory) throws IOException {
    this.directory = directory;
    partition = PartitionDirectory.of(directory);
    blockBytes = blockBytes(directory);
    new LocalDirectory(directory)
        .files().stream().filter(PartitionFiles::isStored).sorted().forEach(segments::add);
  }

  /**
   * Returns true if a directory has the name of a partition that a broker uses. One whose status
   * cannot be read counts, too: listing it fails, and that is reported.
   */
  static boolean isPartition(Path directory) {
    return PartitionDirectory.of(directory) != null
        && (Files.isDirectory(directory)
            || !(Files.exists(directory) || Files.notExists(directory)));
  }

  /** Returns true for segments and for snapshots of KRaft. */
  private static boolean isStored(String name) {
    return !name.isEmpty() && Character.isDigit(name.charAt(0)) && SegmentNames.isSearched(name);
  }

  /** Returns true for a name such as those of the files of a segment, an offset before a dot. */
  private static boolean isOfSegment(String name) {
    return Character.isDigit(name.charAt(0)) && name.indexOf('.') > 0;
  }

  boolean isEmpty() {
    return segments.isEmpty();
  }

  /** Returns the name of the first segment, or an empty text without segments. */
  String first() {
    return segments.isEmpty() ? "" : segments.get(0);
  }

  /**
   * Returns the segments, which are created as they are taken.
   *
   * @param first the name of the first segment, or an empty text for all
   */
  Iterable<Segment> segments(String first, ScrubSegment.Reads reads) {
    return () ->
        segments.stream()
            .filter(name -> name.compareTo(first) >= 0)
            .map(name -> segment(name, reads))
            .iterator();
  }

  private Segment segment(String name, ScrubSegment.Reads reads) {
    return new ScrubSegment(
        directory.resolve(name),
        SegmentNames.isSegment(name) ? partition : null,
        blockBytes,
        reads);
  }

  /** Returns the unit of direct reads. Looking for it takes longer than to open a file. */
  private static int blockBytes(Path directory) throws IOException {
    try {
      long bytes = Files.getFileStore(directory).getBlockSize();
      return (int) Math.max(LEAST_BLOCK_BYTES, Math.min(Chunks.CHUNK_BYTES, bytes));
    } catch (UnsupportedOperationException unknown) {
      return LEAST_BLOCK_BYTES;
    }
  }

  /**
   * Returns the name of the segment before the first one that has changed, so that the offsets
   * between both are compared, or null if none has changed. The status of a file changes when a
   * broker writes to it, and when compaction replaces it by one with an old time of modification.
   *
   * @param sinceMs a time in milliseconds since 1970
   */
  @Nullable String beforeFirstChanged(long sinceMs) throws IOException {
    String changed = null;
    for (Path file : LocalDirectory.list(directory)) {
      String name = String.valueOf(file.getFileName());
      boolean isFirst = changed == null || name.compareTo(changed) < 0;
      if (isFirst && isOfSegment(name) && changedMs(file) >= sinceMs && Files.isRegularFile(file)) {
        changed = name;
      }
    }
    if (changed == null) {
      return null;
    }
    String stem = changed.substring(0, changed.indexOf('.'));
    String before = "";
    for (String name : segments) {
      before = name.compareTo(stem) < 0 ? name : before;
    }
    return before;
  }

  private static long changedMs(Path file) throws IOException {
    try {
      Map<String, Object> found = Files.readAttributes(file, TIME);
      return found.values().iterator().next() instanceof FileTime time ? time.toMillis() : 0;
    } catch (NoSuchFileException gone) {
      return 0;
    }
  }
}
