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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A collector of the files to check.
 *
 * <ul>
 *   <li>A named file is checked whatever its name, unless it matches {@link SegmentNames#isOther}.
 *   <li>A named directory is searched recursively for {@code *.log} files and snapshots of KRaft.
 * </ul>
 *
 * <p>Symbolic links are followed. Each file is checked once.
 */
public final class SegmentFiles {
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

  private final BiConsumer<String, String> problems;
  private final Predicate<Path> others;
  private final List<String> skipped = new ArrayList<>();
  private final List<Found> files = new ArrayList<>();

  /** The directories of the files, by the path that the user knows them by. */
  private final Map<Path, Folder> folders = new HashMap<>();

  /** The names of the files by the real path of their directory. */
  private final Map<Path, Set<String>> known = new HashMap<>();

  private long bytes;

  /** A directory that contains segments. */
  private static final class Folder {
    private final Path path;
    private final @Nullable PartitionDirectory partition;

    private Folder(Path path) {
      this.path = path;
      partition = PartitionDirectory.of(new LocalDirectory(path));
    }
  }

  /**
   * A file to check. It takes less memory than a path or a segment.
   *
   * @param searched true if a search found the file, false if the user named it
   */
  private record Found(Folder folder, String name, long size, boolean searched) {
    private Path path() {
      return folder.path.resolve(name);
    }

    /** Returns a new segment, with its partition if the names of file and directory say so. */
    private Segment segment() {
      boolean isOfPartition = searched && SegmentNames.isSegment(name);
      return new FileSegment(path(), isOfPartition ? folder.partition : null);
    }

    private static int compare(Found one, Found other) {
      return one.folder == other.folder
          ? one.name.compareTo(other.name)
          : one.path().compareTo(other.path());
    }
  }

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
      } else if (SegmentNames.isOther(String.valueOf(path.getFileName()))) {
        skipped.add(name);
      } else {
        addFile(found(path, Files.readAttributes(path, BasicFileAttributes.class), false));
      }
    } catch (IOException e) {
      problems.accept(name, Messages.of(e));
    } catch (InvalidPathException e) {
      problems.accept(name, "invalid path: " + e.getReason());
    }
  }

  private Found found(Path path, BasicFileAttributes attributes, boolean searched) {
    Path parent = path.getParent();
    Path directory = parent == null ? Path.of("") : parent;
    Folder folder = folders.computeIfAbsent(directory, Folder::new);
    return new Found(folder, String.valueOf(path.getFileName()), attributes.size(), searched);
  }

  private void addFile(Found file) {
    Path path = file.path();
    try {
      Path real = path.toRealPath();
      Path directory = real.resolveSibling("");
      String name = String.valueOf(real.getFileName());
      if (known
          .computeIfAbsent(directory, folder -> new HashSet<>())
          .add(name.equals(file.name) ? file.name : name)) {
        files.add(file);
        bytes += file.size;
      }
    } catch (IOException e) {
      problems.accept(path.toString(), Messages.of(e));
    }
  }

  private void addBelow(Path directory) throws IOException {
    SegmentVisitor visitor = new SegmentVisitor();
    EnumSet<FileVisitOption> options = EnumSet.of(FileVisitOption.FOLLOW_LINKS);
    Files.walkFileTree(directory, options, Integer.MAX_VALUE, visitor);
    visitor.found.sort(Found::compare);
    visitor.found.forEach(this::addFile);
    if (visitor.found.isEmpty() && !visitor.taken && !visitor.failed) {
      problems.accept(directory.toString(), "contains no *" + SegmentNames.EXTENSION + " file");
    }
  }

  /** Returns the named files that are not segments, for example index files. */
  public List<String> skipped() {
    return skipped;
  }

  /**
   * Returns the segments, which are not open yet. They are created as they are taken from the
   * stream, because a segment takes several times the memory of its name.
   */
  public Stream<Segment> segments() {
    return files.stream().map(Found::segment);
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
    private final List<Found> found = new ArrayList<>();

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
      if (!SegmentNames.isSearched(String.valueOf(file.getFileName()))) {
        return FileVisitResult.CONTINUE;
      }
      if (attributes.isRegularFile()) {
        found.add(found(file, attributes, true));
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
