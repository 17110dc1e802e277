// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.source;

import io.github.batchvalidator.audit.report.Messages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A search for segments below a directory of this machine.
 *
 * <p>Symbolic links are followed. Each directory is entered once, so loops of links end. Paths
 * without links come first: a link adds only what no such path leads to.
 *
 * <p>A broker may delete or rename files during the search. Files that are gone are left out.
 */
public final class LocalSearch {
  /** A receiver of what a search finds. */
  public interface Sink {
    /**
     * Takes what has the name of a segment or of a snapshot of KRaft. It may be a broken link or a
     * FIFO, so that it cannot be read.
     *
     * @param directory the path of its directory, which may lead through symbolic links
     */
    void found(Path directory, String name, long size);

    /** Takes a file or directory that was not searched or will not be checked, and the cause. */
    void problem(Path file, String why);
  }

  private static final String NOT_REGULAR = "not a regular file";

  private final Predicate<Path> others;
  private final Sink sink;
  private final Set<Path> entered = new HashSet<>();
  private final ArrayDeque<Path> directories = new ArrayDeque<>();
  private final ArrayDeque<Path> links = new ArrayDeque<>();

  /**
   * Creates a search.
   *
   * @param others takes directories that the search must not enter, and returns true for these
   * @param sink receives what is found, in no order
   */
  public LocalSearch(Predicate<Path> others, Sink sink) {
    this.others = others;
    this.sink = sink;
  }

  /** Searches below a directory. Fails if that directory cannot be listed. */
  public void below(Path top) throws IOException {
    enter(top);
    while (!directories.isEmpty() || !links.isEmpty()) {
      Path next = directories.poll();
      try {
        if (next != null) {
          enter(next);
        } else {
          follow(links.remove());
        }
      } catch (NoSuchFileException gone) {
        // A broker has deleted or renamed the directory.
      } catch (IOException e) {
        sink.problem(next == null ? top : next, Messages.of(e));
      }
    }
  }

  private void enter(Path directory) throws IOException {
    if (!entered.add(directory.toRealPath()) || others.test(directory)) {
      return;
    }
    List<Path> children = LocalDirectory.list(directory).stream().sorted().toList();
    for (Path child : children) {
      BasicFileAttributes attributes = attributes(child, LinkOption.NOFOLLOW_LINKS);
      if (attributes != null && attributes.isSymbolicLink()) {
        links.add(child);
      } else if (attributes != null) {
        take(child, attributes);
      }
    }
  }

  /** Returns the attributes of a file, or null if the file is gone or its problem is reported. */
  private @Nullable BasicFileAttributes attributes(Path file, LinkOption... options) {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class, options);
    } catch (NoSuchFileException gone) {
      return null;
    } catch (IOException e) {
      sink.problem(file, Messages.of(e));
      return null;
    }
  }

  private void follow(Path link) {
    BasicFileAttributes attributes;
    try {
      attributes = Files.readAttributes(link, BasicFileAttributes.class);
    } catch (IOException broken) {
      if (isSearched(link)) {
        found(link, 0);
      } else if (!(broken instanceof NoSuchFileException) && !isOther(link)) {
        // It may lead to a partition. The checks that read a file beside segments report it.
        sink.problem(link, Messages.of(broken));
      }
      return;
    }
    take(link, attributes);
  }

  private void take(Path file, BasicFileAttributes attributes) {
    if (attributes.isDirectory()) {
      directories.add(file);
    } else if (isSearched(file)) {
      found(file, attributes.size());
    } else if (!attributes.isRegularFile() && isOther(file)) {
      sink.problem(file, NOT_REGULAR);
    }
  }

  private void found(Path file, long size) {
    Path parent = file.getParent();
    sink.found(parent == null ? Path.of("") : parent, String.valueOf(file.getFileName()), size);
  }

  private static boolean isSearched(Path file) {
    return SegmentNames.isSearched(String.valueOf(file.getFileName()));
  }

  /** Returns true for a file that a broker keeps beside segments. */
  private static boolean isOther(Path file) {
    return SegmentNames.isOther(String.valueOf(file.getFileName()));
  }
}
