// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds the files to check: those that are named, whatever their names but for what a broker keeps
 * beside segments, and all {@code *.log} below the directories that are named. Symbolic links are
 * followed. Each file counts once.
 */
final class SegmentFiles {
  private static final String EXTENSION = ".log";

  /** What files are called that a running broker removes, and that are no segments. */
  private static final List<String> REMOVED =
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
   * What a broker keeps beside its segments, also while it replaces or removes it. Checkpoints of a
   * KRaft log ({@code *.checkpoint}) consist of batches and are none of these.
   */
  private static final Pattern NO_SEGMENT =
      Pattern.compile(
          "(.*\\.(index|timeindex|txnindex|snapshot)|.*-checkpoint|partition\\.metadata"
              + "|meta\\.properties|quorum-state|\\.lock|\\.kafka_cleanshutdown)"
              + "(\\.(tmp|deleted|cleaned|swap))?");

  private final BiConsumer<String, String> problems;
  private final List<String> passedOver = new ArrayList<>();
  private final Map<Path, Path> files = new LinkedHashMap<>();
  private long bytes;

  /**
   * Creates an empty collection.
   *
   * @param problems is told the name of what cannot be read, and why
   */
  SegmentFiles(BiConsumer<String, String> problems) {
    this.problems = problems;
  }

  /** Adds a file, or the segments below a directory in the order of their names. */
  void add(String name) {
    try {
      Path path = Path.of(name);
      if (name.isEmpty()) { // a shell's variable that is not set, not the current directory
        problems.accept("\"\"", "an empty name");
      } else if (Files.isDirectory(path)) {
        addBelow(path);
      } else if (NO_SEGMENT.matcher(String.valueOf(path.getFileName())).matches()) {
        passedOver.add(name);
      } else {
        addFile(path, Files.readAttributes(path, BasicFileAttributes.class).size());
      }
    } catch (IOException e) {
      problems.accept(name, Messages.of(e));
    } catch (InvalidPathException e) {
      problems.accept(name, "not a path: " + e.getReason());
    }
  }

  private void addFile(Path path, long size) {
    try {
      if (files.putIfAbsent(path.toRealPath(), path) == null) {
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
    visitor.found.forEach(this::addFile);
    if (visitor.found.isEmpty() && !visitor.failed) {
      problems.accept(directory.toString(), "no file named *" + EXTENSION + " in it");
    }
  }

  /** Returns the files that were named, such as by {@code orders-0/*}, and are no segments. */
  List<String> passedOver() {
    return passedOver;
  }

  /** Returns the segments, none of them open. */
  List<Segment> segments() {
    return files.values().stream().map(path -> (Segment) new FileSegment(path)).toList();
  }

  /** Returns how many bytes they have together. */
  long bytes() {
    return bytes;
  }

  private final class SegmentVisitor extends SimpleFileVisitor<Path> {
    /** With their sizes as they are now: a broker may delete a segment before it is read. */
    private final SortedMap<Path, Long> found = new TreeMap<>();

    private boolean failed;

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      if (!file.toString().endsWith(EXTENSION)) {
        return FileVisitResult.CONTINUE;
      }
      if (attributes.isRegularFile()) {
        found.put(file, attributes.size());
      } else if (attributes.isSymbolicLink()) {
        fail(file, "a symbolic link to nothing");
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException why) {
      // What a loop leads back to is visited anyway, and brokers remove what they work with.
      boolean isGone =
          why instanceof NoSuchFileException
              && REMOVED.stream().anyMatch(file.toString()::endsWith);
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
