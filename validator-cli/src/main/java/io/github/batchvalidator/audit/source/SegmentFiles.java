// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.source;

import io.github.batchvalidator.audit.report.Messages;
import java.io.IOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A collector of the files to check.
 *
 * <ul>
 *   <li>A named file is checked whatever its name, unless it matches {@link #NOT_A_SEGMENT}.
 *   <li>A named directory is searched recursively for {@code *.log} files and snapshots of KRaft.
 * </ul>
 *
 * <p>Symbolic links are followed. Each file is checked once.
 */
public final class SegmentFiles {
  static final String EXTENSION = ".log";

  /** The name of a segment in the directory of a partition. */
  private static final Pattern SEGMENT_NAME = Pattern.compile("[0-9]{20}\\.log");

  /** The names of the files that a search finds: segments, and snapshots of KRaft. */
  private static final Pattern SEARCHED =
      Pattern.compile(".*\\.log|[0-9]{20}-[0-9]{10}\\.checkpoint");

  /** Suffixes of files that the search ignores and a running broker may delete. */
  private static final List<String> DELETED_BY_BROKER =
      List.of(
          ".index",
          ".timeindex",
          ".txnindex",
          ".snapshot",
          ".tmp",
          ".deleted",
          ".cleaned",
          ".swap",
          ".checkpoint",
          ".part",
          "-checkpoint",
          "partition.metadata",
          ".kafka_cleanshutdown");

  /**
   * The names of files that a broker keeps beside segments, also while it replaces or deletes them.
   * Snapshots of a KRaft log ({@code *.checkpoint}) are not among them, because they consist of
   * batches.
   */
  private static final Pattern NOT_A_SEGMENT =
      Pattern.compile(
          "(.*\\.(index|timeindex|txnindex|snapshot)|.*-checkpoint|partition\\.metadata"
              + "|meta\\.properties|quorum-state|\\.lock|\\.kafka_cleanshutdown)"
              + "(\\.(tmp|deleted|cleaned|swap))?");

  private final BiConsumer<String, String> problems;
  private final Predicate<Path> others;
  private final List<String> skipped = new ArrayList<>();
  private final Map<Path, Segment> files = new LinkedHashMap<>();
  private final Map<Path, PartitionDirectory> partitions = new HashMap<>();
  private long bytes;

  /**
   * Creates an empty collection.
   *
   * @param problems receives the name of each path that cannot be read, and the cause
   */
  public SegmentFiles(BiConsumer<String, String> problems) {
    this(problems, directory -> false);
  }

  /**
   * Creates an empty collection.
   *
   * @param problems receives the name of each path that cannot be read, and the cause
   * @param others takes directories that the search must not enter, and returns true for these
   */
  public SegmentFiles(BiConsumer<String, String> problems, Predicate<Path> others) {
    this.problems = problems;
    this.others = others;
  }

  /** Adds a file, or the segments below a directory in name order. */
  public void add(String name) {
    try {
      Path path = Path.of(name);
      if (name.isEmpty()) { // an unset shell variable rather than the current directory
        problems.accept("\"\"", "empty path");
      } else if (Files.isDirectory(path)) {
        addBelow(path);
      } else if (NOT_A_SEGMENT.matcher(String.valueOf(path.getFileName())).matches()) {
        skipped.add(name);
      } else {
        addFile(
            new FileSegment(path),
            path,
            Files.readAttributes(path, BasicFileAttributes.class).size());
      }
    } catch (IOException e) {
      problems.accept(name, Messages.of(e));
    } catch (InvalidPathException e) {
      problems.accept(name, "invalid path: " + e.getReason());
    }
  }

  private void addFile(Segment segment, Path path, long size) {
    try {
      if (files.putIfAbsent(path.toRealPath(), segment) == null) {
        bytes += size;
      }
    } catch (IOException e) {
      problems.accept(path.toString(), Messages.of(e));
    }
  }

  private void addBelow(Path directory) throws IOException {
    SegmentVisitor visitor = new SegmentVisitor();
    EnumSet<FileVisitOption> options = EnumSet.of(FileVisitOption.FOLLOW_LINKS);
    Files.walkFileTree(directory, options, Integer.MAX_VALUE, visitor);
    visitor.found.forEach((path, size) -> addFile(found(path), path, size));
    if (visitor.found.isEmpty() && !visitor.taken && !visitor.failed) {
      problems.accept(directory.toString(), "contains no *" + EXTENSION + " file");
    }
  }

  /** Returns a segment, with its partition if the names of file and directory say so. */
  private Segment found(Path path) {
    Path directory = path.getParent();
    boolean isNumbered = SEGMENT_NAME.matcher(String.valueOf(path.getFileName())).matches();
    if (directory == null || !isNumbered) {
      return new FileSegment(path);
    }
    return new FileSegment(path, partitions.computeIfAbsent(directory, PartitionDirectory::of));
  }

  /** Returns the named files that are not segments, for example index files. */
  public List<String> skipped() {
    return skipped;
  }

  /** Returns the segments, which are not open yet. */
  public List<Segment> segments() {
    return List.copyOf(files.values());
  }

  /** Returns the total size of the segments in bytes. */
  public long bytes() {
    return bytes;
  }

  private final class SegmentVisitor extends SimpleFileVisitor<Path> {
    /**
     * The files found, each with its size at that time. A later size query may fail, because a
     * broker may delete a segment before it is read.
     */
    private final SortedMap<Path, Long> found = new TreeMap<>();

    private boolean failed;

    /** True if a directory was not entered, because it belongs to another collection. */
    private boolean taken;

    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
      if (!others.test(directory)) {
        return FileVisitResult.CONTINUE;
      }
      taken = true;
      return FileVisitResult.SKIP_SUBTREE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      if (!SEARCHED.matcher(String.valueOf(file.getFileName())).matches()) {
        return FileVisitResult.CONTINUE;
      }
      if (attributes.isRegularFile()) {
        found.put(file, attributes.size());
      } else if (attributes.isSymbolicLink()) {
        fail(file, "broken symbolic link");
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException why) {
      // A broker may delete these files at any time. The target of a link loop is visited anyway.
      boolean isGone =
          why instanceof NoSuchFileException
              && DELETED_BY_BROKER.stream().anyMatch(file.toString()::endsWith);
      if (!isGone && !(why instanceof FileSystemLoopException)) {
        fail(file, Messages.of(why));
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException why) {
      if (why != null) {
        fail(directory, Messages.of(why));
      }
      return FileVisitResult.CONTINUE;
    }

    private void fail(Path file, String why) {
      failed = true;
      problems.accept(file.toString(), why);
    }
  }
}
