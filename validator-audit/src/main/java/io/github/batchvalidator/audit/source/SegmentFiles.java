// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.source;

import io.github.batchvalidator.audit.report.Messages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
 * <p>{@link LocalSearch} has the rules for links and special files. Each file is checked once: with
 * its partition if a search finds it, too. Named files that no search finds come last.
 */
public final class SegmentFiles {
  private final BiConsumer<String, String> problems;
  private final Predicate<Path> others;
  private final SearchNotes notes = new SearchNotes();
  private final List<Found> files = new ArrayList<>();

  /** The named files, which wait until all directories are searched. */
  private final List<Found> named = new ArrayList<>();

  /** The directories of the files, by the path that the user knows them by. */
  private final Map<Path, Folder> folders = new HashMap<>();

  private final KnownFiles known = new KnownFiles();
  private long bytes;

  /** A directory that contains segments. */
  private static final class Folder {
    private final Path path;
    private final LocalDirectory directory;
    private final @Nullable PartitionDirectory partition;

    private Folder(Path path) {
      this.path = path;
      directory = new LocalDirectory(path);
      partition = PartitionDirectory.of(directory);
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
      return new FileSegment(path(), isOfPartition ? folder.partition : null, searched);
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
        notes.skipped(name);
      } else {
        addNamed(path, Files.readAttributes(path, BasicFileAttributes.class));
      }
    } catch (IOException e) {
      problems.accept(name, Messages.of(e));
    } catch (InvalidPathException e) {
      problems.accept(name, "invalid path: " + e.getReason());
    }
  }

  private void addNamed(Path file, BasicFileAttributes attributes) {
    Path parent = file.getParent();
    Folder folder = folder(parent == null ? Path.of("") : parent);
    named.add(new Found(folder, String.valueOf(file.getFileName()), attributes.size(), false));
  }

  /** Adds the named files that no search has found. */
  private void endSearch() {
    for (Found file : named) {
      if (addFile(file)) {
        notes.named(file.folder.directory, file.name);
      }
    }
    named.clear();
  }

  private Folder folder(Path directory) {
    return folders.computeIfAbsent(directory, Folder::new);
  }

  private boolean addFile(Found file) {
    try {
      if (known.add(file.path())) {
        files.add(file);
        bytes += file.size;
        return true;
      }
    } catch (NoSuchFileException gone) {
      // A broker has deleted the file since it was found.
    } catch (IOException e) {
      problems.accept(file.path().toString(), Messages.of(e));
    }
    return false;
  }

  private void addBelow(Path directory) throws IOException {
    Search search = new Search();
    new LocalSearch(search, search).below(directory);
    search.found.sort(Found::compare);
    search.found.forEach(this::addFile);
    if (search.found.isEmpty() && !search.taken && !search.failed) {
      problems.accept(directory.toString(), "contains no *" + SegmentNames.EXTENSION + " file");
    }
  }

  /** Returns the paths that are not checked, or not as partitions. */
  public SearchNotes notes() {
    endSearch();
    return notes;
  }

  /**
   * Returns the segments, which are not open yet. They are created as they are taken from the
   * stream, because a segment takes several times the memory of its name.
   */
  public Stream<Segment> segments() {
    endSearch();
    return files.stream().map(Found::segment);
  }

  /** Returns the total size of the segments in bytes. */
  public long bytes() {
    endSearch();
    return bytes;
  }

  /** The files that a search of a directory finds. */
  private final class Search implements LocalSearch.Sink, Predicate<Path> {
    /**
     * The files found, each with its size at that time. A later size query may fail, because a
     * broker may delete a segment before it is read.
     */
    private final List<Found> found = new ArrayList<>();

    private boolean failed;

    /** True if a directory was not entered, because it belongs to another collection. */
    private boolean taken;

    @Override
    public boolean test(Path directory) {
      boolean isOther = others.test(directory);
      taken |= isOther;
      return isOther;
    }

    @Override
    public void found(Path directory, String name, long size) {
      Found file = new Found(folder(directory), name, size, true);
      notes.searched(file.folder.directory, name);
      found.add(file);
    }

    @Override
    public void problem(Path file, String why) {
      failed = true;
      problems.accept(file.toString(), why);
    }
  }
}
